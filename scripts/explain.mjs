// `npm run --silent explain -- [--json] [FILE|-]`: the meaning of a text, from a file or standard input. Sends no request.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { explainText, printExplained } from "../packages/cli/src/commands/explain-text.ts";

const USAGE = "npm run --silent explain -- [--json] [FILE|-]";

/**
 * Returns the text of a file, or of standard input. Paths are relative to the folder in which npm was called.
 *
 * @param {string} file
 */
function read(file) {
  return readFileSync(file === "-" ? 0 : resolve(process.env.INIT_CWD ?? ".", file), "utf8");
}

/** @param {unknown} error */
function giveUp(error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}

const args = process.argv.slice(2);
const [file = "-", ...more] = args.filter((it) => it !== "--json");
if (more.length > 0 || (file.startsWith("-") && file !== "-")) giveUp(`Usage: ${USAGE}`);
else await explainFile(file, args.includes("--json"));

/**
 * @param {string} path
 * @param {boolean} asJson
 */
async function explainFile(path, asJson) {
  try {
    const explained = await explainText(read(path));
    process.stdout.write(asJson ? `${JSON.stringify(explained, null, 2)}\n` : printExplained(explained));
  } catch (error) {
    giveUp(error);
  }
}
