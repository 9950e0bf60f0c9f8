// What the table of the commands (src/host/commands/command-table.ts) says, in the files that show it; and the settings
// of the manifest as a page.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentTools } from "../../packages/agent-tools/src/agent-tools.ts";
import { networkFields } from "../../packages/client/src/gateway/network-settings.ts";
import { commandTable } from "../../src/host/commands/command-table.ts";
import { errorPage } from "./error-page.mjs";
import { extensionPage, settingsOf } from "./extension-page.mjs";

const [BEGIN, END] = ["<!-- commands -->", "<!-- /commands -->"];

/**
 * The files that show the commands as they have to be: each name with its whole text.
 *
 * @param {string} root
 * @returns {Readonly<Record<string, string>>}
 */
export function generatedFiles(root) {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), "utf8");
  return {
    "package.json": manifest(JSON.parse(read("package.json"))),
    "package.nls.json": titles(JSON.parse(read("package.nls.json"))),
    "docs/commands.md": documentation(read("docs/commands.md")),
    "docs/errors.md": errorPage(read("docs/errors.md")),
    "docs/api.md": interfacePage(read("docs/api.md"), read("packages/api/src/index.ts")),
    "README.md": extensionPage(
      read("README.md"),
      JSON.parse(read("package.json")),
      JSON.parse(read("package.nls.json")),
    ),
    "docs/settings.md": settings(
      read("docs/settings.md"),
      JSON.parse(read("package.json")),
      JSON.parse(read("package.nls.json")),
    ),
  };
}

const rows = Object.entries(commandTable);

/**
 * Entries of commands and networks that no generator writes and that are missing, each with the file to edit or the
 * command to run.
 *
 * @param {string} root
 * @returns {readonly string[]}
 */
export function missingEntries(root) {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), "utf8");
  const [byHand = ""] = read("docs/commands.md").split(BEGIN);
  const situations = read("docs/commands-in-five-situations.md");
  const properties = settingsOf(JSON.parse(read("package.json")).contributes);
  const described = Object.keys(properties["finality.networks"].items.properties);
  const unseen = rows.filter(([, { title }]) => !situations.includes(`\n| ${title} |`)).map(([, { title }]) => title);
  return [
    ...rows
      .filter(([id]) => !byHand.includes(`\n| \`${id}\` |`))
      .map(([id]) => `docs/commands.md: a row with argument and result of ${id}`),
    ...(unseen.length === 0
      ? []
      : [
          `docs/commands-in-five-situations.md: rows of ${unseen.join(", ")}; run npm run build, then FINALITY_WRITE=1 npx mocha test/browser/five-situations.test.ts`,
        ]),
    ...networkFields
      .filter((it) => !described.includes(it))
      .map((it) => `package.json: ${it} in the properties of finality.networks`),
  ];
}

/** @param {string} id */
const toolKey = (id) => id.replace("finality_", "agentTool.");

/** @param {string} id */
const titleKey = (id) => id.replace("finality.", "command.");

/** @param {{ readonly contributes: { commands: unknown, menus: Record<string, unknown>, languageModelTools: unknown } }} text */
function manifest(text) {
  const { contributes } = text;
  contributes.commands = rows.map(([command, { icon, enablement }]) => ({
    command,
    title: `%${titleKey(command)}%`,
    category: "Finality",
    icon: icon && `$(${icon})`,
    enablement,
  }));
  contributes.menus.commandPalette = rows.flatMap(([command, { palette }]) =>
    palette === undefined ? [] : [{ command, when: palette }],
  );
  contributes.languageModelTools = agentTools.map(({ name, description, inputSchema }) => ({
    name,
    displayName: `%${toolKey(name)}%`,
    modelDescription: description,
    toolReferenceName: name,
    canBeReferencedInPrompt: true,
    when: "config.finality.agents.enabled",
    inputSchema,
  }));
  return json(text);
}

/** @param {Record<string, string>} texts */
function titles(texts) {
  const others = Object.entries(texts).filter(([key]) => !/^(?:command|agentTool)\./.test(key));
  const tools = agentTools.map(({ name, title }) => [toolKey(name), title]);
  return json(Object.fromEntries([...others, ...tools, ...rows.map(([id, { title }]) => [titleKey(id), title])]));
}

/** @param {string} text */
function documentation(text) {
  const [before, rest = ""] = text.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error(`docs/commands.md has no place between ${BEGIN} and ${END}.`);
  const table = [
    "| command | called by a program | what it can do | what it asks, or why it need not |",
    "| --- | --- | --- |",
    ...rows.map(
      ([id, { others }]) =>
        `| \`${id}\` | *${others.confirmation}* | ${others.effects.join(", ") || "—"} | ${others.why} |`,
    ),
  ];
  return [before, BEGIN, "\n", table.join("\n"), "\n", END, after].join("");
}

const [INTERFACE, END_OF_INTERFACE] = ["<!-- interface -->", "<!-- /interface -->"];

/**
 * The interface as a page: who has the package has no sources.
 *
 * @param {string} text
 * @param {string} types
 */
function interfacePage(text, types) {
  const [before, rest = ""] = text.split(INTERFACE);
  const after = rest.split(END_OF_INTERFACE)[1];
  if (after === undefined) throw new Error(`docs/api.md has no place between ${INTERFACE} and ${END_OF_INTERFACE}.`);
  // The example at the beginning of the file is the one at the beginning of the page, and a fence cannot hold another.
  const shown = types.replace(/^\/\*\*[\s\S]*?\*\/\n/, "");
  return [before, INTERFACE, "\n\n```ts\n", shown, "```\n\n", END_OF_INTERFACE, after].join("");
}

const [SETTINGS, END_OF_SETTINGS] = ["<!-- settings -->", "<!-- /settings -->"];

/** Where a setting counts, in words. */
const SCOPES = new Map([
  ["application", "you alone"],
  ["machine-overridable", "you, this machine, the workspace"],
  ["window", "you, the workspace"],
  ["resource", "you, the workspace, a folder"],
]);

/**
 * @param {string} text
 * @param {{ readonly contributes: any, readonly capabilities: any }} manifest
 * @param {Record<string, string>} texts
 */
function settings(text, { contributes, capabilities }, texts) {
  const [before, rest = ""] = text.split(SETTINGS);
  const after = rest.split(END_OF_SETTINGS)[1];
  if (after === undefined) throw new Error(`docs/settings.md has no place between ${SETTINGS} and ${END_OF_SETTINGS}.`);
  const { restrictedConfigurations } = capabilities.untrustedWorkspaces;
  const words = (/** @type {string} */ key) => onPage(texts[key.slice(1, -1)] ?? "");
  /** @param {readonly [string, any]} setting */
  const row = ([id, it]) => {
    const who = SCOPES.get(it.scope) + (restrictedConfigurations.includes(id) ? "" : "; in Restricted Mode too");
    return `| \`${id}\` | \`${JSON.stringify(it.default)}\` | ${who} | ${words(it.markdownDescription)} |`;
  };
  const fields = Object.entries(settingsOf(contributes)["finality.networks"].items.properties);
  /** @param {{ readonly title: string, readonly properties: Readonly<Record<string, any>> }} section */
  const section = ({ title, properties }) => [
    `## ${words(title)}`,
    "",
    "| setting | default | who sets it | what it does |",
    "| --- | --- | --- | --- |",
    ...Object.entries(properties).map(row),
    "",
  ];
  const table = [
    ...contributes.configuration.flatMap(section),
    "## Fields of a network",
    "",
    "A network of `finality.networks` has these fields. There is none for a secret, and an unknown one is refused.",
    "",
    "| field | what it is |",
    "| --- | --- |",
    ...fields.map(([name, it]) => `| \`${name}\` | ${words(/** @type {any} */ (it).markdownDescription)} |`),
  ];
  return [before, SETTINGS, "\n\n", table.join("\n"), "\n\n", END_OF_SETTINGS, after].join("");
}

/**
 * What the editor makes links of, a page cannot: settings, and commands.
 *
 * @param {string} text
 */
const onPage = (text) =>
  text
    .replaceAll(/`#([\w.]+)#`/g, "`$1`")
    .replaceAll(/\[([^\]]+)\]\(command:[\w.]+\)/g, "$1")
    .replaceAll("|", "\\|");

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
