// The default theme without its web font: the page asks no other host, and waits for nothing.
import { useData } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import { h, onMounted, watchPostEffect } from "vue";
import { asMarkdown } from "./asMarkdown.js";
import { showdownReport } from "./showdownReport.js";
import "./style.css";

const Layout = {
  setup() {
    const { frontmatter } = useData();
    // Documents have a main landmark; the theme's home page has none.
    onMounted(() => {
      watchPostEffect(() => {
        const content = document.querySelector(".VPContent");
        if (frontmatter.value.layout === "home") content.setAttribute("role", "main");
        else content.removeAttribute("role");
      });
    });
    return () => h(theme.Layout, null, { "doc-footer-before": () => h(asMarkdown) });
  },
};

export default {
  extends: theme,
  Layout,
  enhanceApp: ({ app }) => app.component("ShowdownReport", showdownReport),
};
