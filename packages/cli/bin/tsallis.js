#!/usr/bin/env node
// Committed so that npm can link it before the build has written dist/.
import { main } from "../dist/main.js";

const code = await main(process.argv.slice(2));
// When all output is taken. A driver that still tries to reach its server must not keep a command alive that has ended.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
