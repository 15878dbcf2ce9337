#!/usr/bin/env node
// Committed so that npm can link it before the build has written dist/.
import { main } from "../dist/main.js";

process.exitCode = await main(process.argv.slice(2));
