import { hedgeCases } from "./hedgeCases.js";

hedgeCases();
