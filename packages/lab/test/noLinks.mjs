// Loaded before a program (node --import), it makes every file system one without hard links, as exFAT is.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

fs.linkSync = (from, to) => {
  throw Object.assign(new Error(`EPERM: operation not permitted, link '${from}' -> '${to}'`), { code: "EPERM" });
};
syncBuiltinESMExports();
