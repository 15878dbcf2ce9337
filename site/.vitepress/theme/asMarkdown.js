import { useData, withBase } from "vitepress";
import { h } from "vue";

/** A link to the Markdown of the page. It is no page of VitePress, whose router must leave it alone: target. */
export function asMarkdown() {
  const { page } = useData();
  const href = withBase(`/${page.value.relativePath}`);
  return h("p", { class: "as-markdown" }, h("a", { href, target: "_self", type: "text/markdown" }, "This page as Markdown"));
}
