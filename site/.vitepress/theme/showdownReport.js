import { withBase } from "vitepress";
import { h } from "vue";

/** The report of showdown inside a page. It is no page of VitePress, whose router must leave its links alone: target. */
export function showdownReport() {
  const [report, summary] = ["report.html", "summary.json"].map((file) => withBase(`/showdown/${file}`));
  return [
    h("p", [h("a", { href: report, target: "_self" }, "The report alone"), ", and ", h("a", { href: summary, target: "_self" }, "its numbers"), "."]),
    h("iframe", { class: "report", src: report, title: "The report of showdown" }),
  ];
}
