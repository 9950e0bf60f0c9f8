// `npm run test:unit [-- FILE …]`: the tests of single modules, packages/*/test and test/unit, in two processes.

import { join } from "node:path";
import { endChildrenOnSignals, startChild } from "./children.mjs";

const root = join(import.meta.dirname, "..");
const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
const files =
  process.argv.length > 2 ? process.argv.slice(2) : ["packages/*/test/**/*.test.ts", "test/unit/**/*.test.ts"];

endChildrenOnSignals();
const args = [mocha, "--parallel", "--jobs", "2", "--timeout", "60000", "--reporter", "dot", ...files];
const child = startChild(process.execPath, args, { cwd: root, stdio: "inherit" });
process.exitCode = await new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
