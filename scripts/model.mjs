// `npm run model`: the model tests with 20,000 random schedules and 20,000 runs before a gateway that lies: about half an hour on two cores.

import { join } from "node:path";
import { endChildrenOnSignals, startChild } from "./children.mjs";

const root = join(import.meta.dirname, "..");
const MANY = "20000";
const env = { FINALITY_MODEL_SCHEDULES: MANY, FINALITY_MODEL_LIARS: MANY, ...process.env };
const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");

endChildrenOnSignals();
const child = startChild(process.execPath, [mocha, "test/model/*.test.ts"], { cwd: root, env, stdio: "inherit" });
process.exitCode = await new Promise((resolve) => child.once("exit", resolve));
