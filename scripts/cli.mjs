// `npm run --silent cli -- COMMAND [arguments]`: the command line of the sources, built if needed.

import { join } from "node:path";
import { buildCliIfStale } from "./build/cli.mjs";
import { endChildrenOnSignals, startChild } from "./children.mjs";

endChildrenOnSignals();
const program = await buildCliIfStale(join(import.meta.dirname, ".."));
const child = startChild(process.execPath, [program, ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: "inherit",
});
child.once("exit", (code) => process.exit(code ?? 1));
