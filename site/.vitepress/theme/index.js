// The default theme without its web font: the page asks no other host, and waits for nothing.
import theme from "vitepress/theme-without-fonts";
import { showdownReport } from "./showdownReport.js";
import "./style.css";

export default {
  extends: theme,
  enhanceApp: ({ app }) => app.component("ShowdownReport", showdownReport),
};
