// `npm run --silent explain -- [--json] [FILE|-]`: what a text means, from a file or from standard input. Asks no network.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { asText } from "./explain/as-text.mjs";
import { explainText } from "./explain/explain-text.mjs";

const USAGE = "npm run --silent explain -- [--json] [FILE|-]";

/**
 * The text of a file, or of standard input. A file is looked for where npm was called.
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
    process.stdout.write(asJson ? `${JSON.stringify(explained, null, 2)}\n` : asText(explained));
  } catch (error) {
    giveUp(error);
  }
}
