/** The curves of single seeds behind their mean, drawn when the reader asks for them. */
export const SEEDS = `
  const drawSeeds = () => {
    if (root.dataset.band !== "seeds") return;
    for (const chart of charts) {
      const { svg, plot, panels, data } = chart;
      if (!data.kept || svg.querySelector(".seeds") || plot.closest("details:not([open])")) continue;
      const [x, y] = panels[0];
      const group = svgOf("g", { class: "seeds", fill: "none", "stroke-width": 0.8, "stroke-opacity": 0.45 });
      for (const series of data.series)
        for (const values of series.b || []) {
          let path = "";
          let pen = "M";
          values.forEach((value, step) => {
            const at = (series.x || data.x)[data.kept[step]];
            if (inside(x, at) && inside(y, value)) {
              path += pen + place(x, at).toFixed(1) + "," + place(y, value).toFixed(1);
              pen = "L";
            } else pen = "M";
          });
          if (path) group.append(svgOf("path", { class: "series s" + series.i, d: path, stroke: "var(--s" + (series.i % 8) + ")" }));
        }
      svg.insertBefore(group, svg.querySelector(".series"));
    }
  };
  for (const details of document.querySelectorAll("details")) details.addEventListener("toggle", drawSeeds);`;
