/** Numbers in words, as formatShort and its neighbours write them; a test compares the two. */
export const WORDS = `
  const grouped = (digits) => digits.replace(/\\B(?=(?:\\d{3})+$)/g, ",");
  const short = (value) => {
    if (value < 0) return "\\u2212" + short(-value);
    if (value === 0) return "0";
    if (value >= 9999.5 && value < 999.5e3) return (value / 1e3).toPrecision(3) + "k";
    if (value >= 999.5e3 && value < 999.5e6) return (value / 1e6).toPrecision(3) + "M";
    const [digits, exponent] = value.toExponential(2).split("e").map(Number);
    if (exponent < -4 || exponent > 8)
      return digits + " \\u00d7 10" + [...String(exponent)].map((sign) => (sign === "-" ? "\\u207b" : "\\u2070\\u00b9\\u00b2\\u00b3\\u2074\\u2075\\u2076\\u2077\\u2078\\u2079"[sign])).join("");
    const [whole, fraction] = value.toFixed(Math.max(0, 2 - exponent)).split(".");
    return grouped(whole) + (fraction ? "." + fraction : "");
  };
  const percent = (share) => {
    const value = 100 * share;
    return value === 0 ? "0 %" : value < 0.01 ? "< 0.01 %" : value > 99.95 ? "100 %" : Number(value.toFixed(value < 1 ? 2 : 1)) + " %";
  };
  const power = (value) => value.toFixed(2).replace("-", "\\u2212");
  const forms = { number: short, percent, power };`;

/** Every figure with its values, read from the page when somebody first asks for them, and where each value has its place. */
export const CHARTS = `
  const svgOf = (name, attributes) => {
    const element = document.createElementNS(document.querySelector("svg").namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const place = ([type, low, high, from, to, constant], value) => {
    const f = type === "log" ? Math.log : type === "symlog" ? (v) => Math.sign(v) * Math.log1p(Math.abs(v / constant)) : (v) => v;
    return from + ((f(value) - f(low)) / (f(high) - f(low))) * (to - from);
  };
  const inside = ([, low, high], value) => value >= Math.min(low, high) && value <= Math.max(low, high);
  const within = ([, low, high], value) => Math.min(Math.max(low, high), Math.max(Math.min(low, high), value));
  const charts = [...document.querySelectorAll(".plot")].map((plot) => {
    const figure = plot.closest("figure");
    const panels = plot.dataset.panels.split(";").map((panel) =>
      panel.split(",").map((axis) => axis.split(" ").map((part, place) => (place === 0 ? part : Number(part)))));
    let data;
    return {
      plot,
      figure,
      svg: plot.querySelector("svg"),
      panels,
      get data() {
        const block = figure.querySelector("script") || figure.previousElementSibling.querySelector("script");
        return (data = data || JSON.parse(block.textContent));
      },
    };
  });
  /** All points of a figure that can be seen, with their places. */
  const pointsOf = ({ data, panels }) => {
    const points = [];
    const heights = new Map();
    for (const series of data.series) {
      const hidden = "i" in series && root.classList.contains("off-" + series.i);
      const [x, y] = panels[series.p || 0];
      (series.x || data.x).forEach((at, j) => {
        let value = series.y[j];
        if (data.stacked) {
          const key = (series.p || 0) + "/" + j;
          const below = heights.get(key) || 0;
          heights.set(key, below + value);
          value = below + value / 2;
        }
        if (data.rows) at = within(x, at);
        if (!hidden && inside(x, at) && inside(y, value)) points.push({ series, j, x: place(x, at), y: place(y, value) });
      });
    }
    return points;
  };`;
