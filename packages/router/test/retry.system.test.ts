import { retryCases } from "./retryCases.js";

retryCases();
