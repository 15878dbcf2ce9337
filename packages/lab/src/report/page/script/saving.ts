/** A figure as the page shows it, with the same colours and without what is switched off, saved as SVG or as PNG of twice its size. */
export const SAVING = `
  const colour = (text) => text.replace(/var\\((--\\w+)\\)/g, (_, name) => getComputedStyle(root).getPropertyValue(name).trim());
  const copyOf = (element) => {
    if (element.nodeType !== 1) return element.cloneNode();
    if (element.matches(".cursor") || getComputedStyle(element).display === "none") return null;
    const copy = element.cloneNode();
    for (const { name, value } of [...copy.attributes]) if (value.includes("var(")) copy.setAttribute(name, colour(value));
    for (const child of element.childNodes) {
      const inner = copyOf(child);
      if (inner) copy.append(inner);
    }
    return copy;
  };
  const drawingOf = ({ svg, figure }) => {
    const copy = copyOf(svg);
    const title = svgOf("title", {});
    title.textContent = figure.querySelector(".title").textContent;
    copy.prepend(title, svgOf("rect", { width: "100%", height: "100%", fill: colour("var(--paper)") }));
    return new XMLSerializer().serializeToString(copy);
  };
  const save = (name, blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  const ways = {
    SVG: (name, text) => save(name + ".svg", new Blob([text], { type: "image/svg+xml" })),
    PNG: (name, text, svg) => {
      const image = new Image();
      image.onload = () => {
        const canvas = document.createElement("canvas");
        canvas.width = 2 * svg.getAttribute("width");
        canvas.height = 2 * svg.getAttribute("height");
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => save(name + ".png", blob), "image/png");
      };
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    },
  };
  for (const chart of charts) {
    const row = document.createElement("div");
    row.className = "save";
    for (const way of ["SVG", "PNG"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = way;
      button.setAttribute("aria-label", "Save as " + way + ": " + chart.figure.querySelector(".title").textContent);
      button.addEventListener("click", () => ways[way](chart.figure.dataset.name, drawingOf(chart), chart.svg));
      row.append(button);
    }
    chart.figure.querySelector(".title").after(row);
  }`;
