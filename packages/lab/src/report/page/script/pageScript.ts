import { CHARTS, WORDS } from "./charts.js";
import { CURSOR } from "./cursor.js";
import { SAVING } from "./saving.js";
import { SEEDS } from "./seeds.js";
import { SWITCHES } from "./switches.js";

/** A box that has more to its right says so, and commands and references can be copied. */
const BOXES = `
  const fade = (box) => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => fade(target)));
  for (const box of document.querySelectorAll(".box")) {
    watch.observe(box);
    box.addEventListener("scroll", () => fade(box), { passive: true });
  }
  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.body.appendChild(document.createElement("textarea"));
    area.value = text;
    area.select();
    document.execCommand("copy");
    area.remove();
  };
  for (const text of document.querySelectorAll("pre[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy " + text.dataset.copy);
    button.addEventListener("click", async () => {
      await copy(text.textContent);
      button.textContent = "Copied";
    });
    text.before(button);
  }`;

/** The script in the page. The page contains this text unchanged, and its content security policy allows no other script. */
export const PAGE_SCRIPT = `"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");${WORDS}${CHARTS}${SEEDS}${SWITCHES}${CURSOR}${SAVING}${BOXES}
})();`;
