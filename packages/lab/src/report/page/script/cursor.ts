/** The value under the cursor, and by keyboard: arrows move along a line and between lines, and the text is read out. */
export const CURSOR = `
  const wordsOf = ({ across, rows, form, x }, { series, j }) => {
    const say = forms[form];
    const interval = series.l ? " [" + say(series.l[j]) + ", " + say(series.h[j]) + "]" : "";
    const at = (series.x || x)[j];
    const where = rows ? "" : ", " + across + " " + (series.at ? series.at[j] : Number.isInteger(at) ? grouped(String(at)) : short(at));
    return series.n + where + ": " + say(rows ? at : series.y[j]) + interval + (series.t ? "; " + series.t : "");
  };
  const near = (points, x, y) => {
    let best = null;
    for (const point of points) {
      const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (best === null || distance < best.distance) best = { ...point, distance };
    }
    return best;
  };
  for (const chart of charts) {
    const { plot, svg, figure } = chart;
    const tip = document.createElement("output");
    tip.className = "tip";
    plot.append(tip);
    plot.tabIndex = 0;
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", figure.querySelector(".title").textContent + ": arrow keys read its values");
    const mark = svgOf("g", { class: "cursor" });
    const line = mark.appendChild(svgOf("line", {}));
    const ring = mark.appendChild(svgOf("circle", { r: 5.5 }));
    let current = null;
    const hide = () => {
      current = null;
      mark.remove();
      tip.textContent = "";
    };
    const go = (point) => {
      if (!point) return;
      current = point;
      const [, y] = chart.panels[point.series.p || 0];
      for (const [key, value] of [["x1", point.x], ["x2", point.x], ["y1", y[3]], ["y2", y[4]]]) line.setAttribute(key, value);
      ring.setAttribute("cx", point.x);
      ring.setAttribute("cy", point.y);
      svg.append(mark);
      tip.textContent = wordsOf(chart.data, point);
      const box = plot.getBoundingClientRect();
      const at = new DOMPoint(point.x, point.y).matrixTransform(svg.getScreenCTM());
      const left = at.x - box.left;
      tip.style.left = Math.max(0, Math.min(left - tip.offsetWidth / 2, box.width - tip.offsetWidth)) + "px";
      const above = at.y - box.top - tip.offsetHeight - 12;
      tip.style.top = (above > -tip.offsetHeight / 2 ? above : at.y - box.top + 14) + "px";
    };
    const point = (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      go(near(pointsOf(chart), at.x, at.y));
    };
    plot.addEventListener("pointermove", point);
    plot.addEventListener("pointerdown", point);
    plot.addEventListener("pointerleave", () => {
      if (document.activeElement !== plot) hide();
    });
    plot.addEventListener("blur", hide);
    plot.addEventListener("keydown", (event) => {
      if (event.key === "Escape") return hide();
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-1e9, 0], End: [1e9, 0] };
      if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const points = pointsOf(chart);
      if (current === null || !points.some(({ series }) => series === current.series)) return go(chart.data.rows ? points[0] : near(points, 1e4, 0));
      const [along, across] = chart.data.rows ? [0, steps[event.key][0] + steps[event.key][1]] : steps[event.key];
      if (along !== 0) {
        const own = points.filter(({ series }) => series === current.series);
        const at = own.findIndex(({ j }) => j === current.j);
        return go(own[Math.max(0, Math.min(own.length - 1, at + along))]);
      }
      const nearest = new Map();
      for (const each of points) {
        const known = nearest.get(each.series);
        if (!known || Math.abs(each.x - current.x) < Math.abs(known.x - current.x)) nearest.set(each.series, each);
      }
      const column = [...nearest.values()].sort((a, b) => (a.series.p || 0) - (b.series.p || 0) || a.y - b.y);
      const at = column.findIndex(({ series }) => series === current.series);
      go(column[Math.max(0, Math.min(column.length - 1, at + Math.sign(across)))]);
    });
  }`;
