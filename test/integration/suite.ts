import { globSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { extendTimeouts } from "../support/time/extend-timeouts.ts";
import { letHostSign } from "./dialogs.ts";
import { Mocha } from "./mocha.ts";

/**
 * Entry point for the extension host: runs the bundled test files in the folder of this bundle.
 * The number of failures is in the report; a rejection tells the host to end with an error.
 */
export async function run(): Promise<void> {
  // A host that mixes the report with words of its own asks for a prefix by which it can tell them apart.
  const prefix = process.env.FINALITY_REPORT_PREFIX ?? "";
  const print = Mocha.reporters.Base.consoleLog;
  Mocha.reporters.Base.consoleLog = (...words: unknown[]) => print(prefix + format(...words));
  extendTimeouts(Mocha.Runnable);
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 60_000,
    color: false,
    reporter: process.env.FINALITY_REPORTER ?? "spec",
    ...(process.env.FINALITY_GREP === undefined ? {} : { grep: process.env.FINALITY_GREP }),
  });
  letHostSign();
  for (const file of globSync("*.test.cjs", { cwd: __dirname }).sort()) mocha.addFile(join(__dirname, file));
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} integration tests failed.`);
}
