// The tables of README.md, the page that a stranger sees: every command and every setting of the manifest.

import { commandTable } from "../../src/host/commands/command-table.ts";
import { commandIds } from "../../src/host/contributions.ts";

/** What the commands of a feature are about, in the order of the page. */
const TOPICS = {
  localChain: "Local chain",
  networks: "Networks",
  jwtKeys: "Keys and accounts",
  signingKeys: "Keys and accounts",
  accountsView: "Keys and accounts",
  addressNames: "Names",
  transactions: "Transactions",
  tracking: "Transactions",
  runs: "Transactions",
  systemContracts: "Stakes, votes, tokens",
  permissions: "Permissions",
  messages: "Messages",
  sharedFiles: "Transactions as files",
  incoming: "Incoming payments and events",
  agents: "Agents",
  contracts: "Contracts",
  energyHints: "Energy of calls",
  traces: "Explanations",
  debugger: "Explanations",
  explanations: "Explanations",
  decoder: "Explanations",
  editor: "Help",
  documentation: "Help",
};

/**
 * Settings of one section by id.
 *
 * @typedef {Readonly<Record<string, any>>} Settings
 */

/**
 * The part of package.json that is shown.
 *
 * @typedef {{ readonly contributes: { readonly configuration: readonly { readonly properties: Settings }[] } }} Manifest
 */

/**
 * Returns the settings of all sections by id.
 *
 * @param {Manifest["contributes"]} contributes
 * @returns {Settings}
 */
export const settingsOf = ({ configuration }) =>
  Object.assign({}, ...configuration.map(({ properties }) => properties));

/**
 * @param {string} text the page as it is
 * @param {Manifest} manifest
 * @param {Readonly<Record<string, string>>} texts
 * @returns {string} the page as it has to be
 */
export function extensionPage(text, { contributes }, texts) {
  const named = Object.keys(TOPICS);
  const unnamed = Object.keys(commandIds).filter((feature) => !named.includes(feature));
  if (unnamed.length > 0) throw new Error(`extension-page.mjs has no topic for ${unnamed.join(", ")}.`);
  const commands = [...new Set(Object.values(TOPICS))].map((topic) => {
    const ids = Object.entries(commandIds).flatMap(([feature, of]) =>
      TOPICS[/** @type {keyof typeof TOPICS} */ (feature)] === topic ? of : [],
    );
    return `| ${topic} | ${ids.map((id) => `*${commandTable[id].title}*`).join(", ")} |`;
  });
  /** @param {readonly [string, { readonly markdownDescription: string }]} setting */
  const settingRow = ([id, { markdownDescription }]) =>
    `| \`${id}\` | ${firstSentence(texts[markdownDescription.slice(1, -1)] ?? "")} |`;
  const settings = Object.entries(settingsOf(contributes)).map(settingRow);
  const withCommands = between(text, "commands", ["| about | commands |", "| --- | --- |", ...commands]);
  return between(withCommands, "settings", ["| setting | what it does |", "| --- | --- |", ...settings]);
}

/**
 * Without the marks by which the editor of settings makes links.
 *
 * @param {string} text
 */
const firstSentence = (text) =>
  (/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replaceAll(/`#([\w.]+)#`/g, "`$1`").replaceAll("|", "\\|");

/**
 * @param {string} text
 * @param {string} mark
 * @param {readonly string[]} lines
 */
function between(text, mark, lines) {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [before, rest = ""] = text.split(begin);
  const after = rest.split(end)[1];
  if (after === undefined) throw new Error(`README.md has no place between ${begin} and ${end}.`);
  return [before, begin, "\n", lines.join("\n"), "\n", end, after].join("");
}
