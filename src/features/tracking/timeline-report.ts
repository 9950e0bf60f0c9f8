import { fieldsOfValues, readEvent } from "@finality/client/explain";
import type { EventLog, TransactionInfo } from "@finality/client/gateway";
import { deploymentOf, type TrackedTransaction } from "@finality/client/tracking";
import type { AbiParameter, AbiValue } from "@finality/tron/abi";
import { codeInTable, inlineCode, markdownLine, markdownTable } from "@finality/tron/format";
import { type Json, type JsonObject, printJson, rawText, toBase58, visibleLine } from "@finality/tron/primitives";
import { address as readAddress, tryRead } from "@finality/tron/read";
import type { Intent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type {
  SectionTable,
  TableCell,
  Timeline,
  TimelineRow,
  TimelineStep,
  TransactionSection,
} from "../../webview-messages/timeline.ts";
import { decodedCall, intentOf, rawDataJson, returnedValues, type TransactionFacts } from "./timeline-sections.view.ts";
import { tagsIn } from "./transaction-facts.view.ts";

/**
 * Formats the page as Markdown for a ticket or a chat. Text from the chain is escaped or formatted as code, so it
 * cannot become a link.
 */
export function timelineReport(timeline: Timeline): string {
  const { title, state, advice, rows, steps, proof, sections } = timeline;
  return [
    `# ${markdownLine(title)}`,
    `**${markdownLine(state.text)}**${advice === null ? "" : `\n\n${markdownLine(advice)}`}`,
    rowTable(rows),
    ...sections.map(sectionMarkdown),
    `## ${t`Timeline`}`,
    steps.map(stepMarkdown).join("\n"),
    ...(proof === null ? [] : [`## ${markdownLine(proof.title)}`, markdownLine(proof.sentence)]),
    ...(proof === null || proof.rows.length === 0 ? [] : [rowTable(proof.rows)]),
  ]
    .join("\n\n")
    .concat("\n");
}

function sectionMarkdown({ title, note, rows, tables }: TransactionSection): string {
  return [
    `## ${markdownLine(title)}`,
    ...(note === null ? [] : [markdownLine(note)]),
    ...(rows.length === 0 ? [] : [rowTable(rows)]),
    ...tables.map(tableMarkdown),
  ].join("\n\n");
}

function tableMarkdown({ title, note, columns, rows }: SectionTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const head = [line(columns.map((it) => markdownLine(it))), line(columns.map(() => "---"))];
  return [
    `### ${markdownLine(title)}`,
    ...(note === null ? [] : [markdownLine(note)]),
    ...(rows.length === 0 ? [] : [[...head, ...rows.map((cells) => line(cells.map(cellMarkdown)))].join("\n")]),
  ].join("\n\n");
}

function cellMarkdown({ text, copy }: TableCell): string {
  return copy === null ? markdownLine(text) : codeInTable(text);
}

function stepMarkdown({ label, description, rows, txId }: TimelineStep, index: number): string {
  const leads = txId === null ? "" : ` ${inlineCode(txId)}`;
  const details = rows.map(
    (it) => `   - ${markdownLine(it.name)}: ${isCode(it) ? inlineCode(it.value) : markdownLine(it.value)}`,
  );
  return [`${index + 1}. **${markdownLine(label)}** · ${markdownLine(description)}${leads}`, ...details].join("\n");
}

function rowTable(rows: readonly TimelineRow[]): string {
  return markdownTable(
    rows.map((it) => [markdownLine(it.name), isCode(it) ? codeInTable(it.value) : markdownLine(it.value)]),
  );
}

/** Bytes and URLs are code, so that they need no escapes. */
function isCode({ value, exact }: TimelineRow): boolean {
  return exact || /^https?:\/\/\S+$/.test(value);
}

/** Formats the page as plain text. */
export function timelineText(timeline: Timeline): string {
  const { title, state, advice, rows, steps, proof, sections } = timeline;
  const parts = [
    [title, state.text, ...(advice === null ? [] : [advice])],
    rows.map(rowText),
    ...sections.map(sectionText),
    [t`Timeline`, ...steps.flatMap(stepText)],
    ...(proof === null ? [] : [[proof.title, `  ${proof.sentence}`, ...proof.rows.map((it) => `  ${rowText(it)}`)]]),
  ];
  return `${parts.map((lines) => lines.map((it) => it.trimEnd()).join("\n")).join("\n\n")}\n`;
}

function rowText({ name, value }: TimelineRow): string {
  return `${name}: ${visibleLine(value, 4_000)}`;
}

function sectionText({ title, note, rows, tables }: TransactionSection): readonly string[] {
  return [
    title,
    ...(note === null ? [] : [`  ${note}`]),
    ...rows.map((it) => `  ${rowText(it)}`),
    ...tables.flatMap((it) => [
      `  ${it.title}`,
      ...(it.note === null ? [] : [`    ${it.note}`]),
      ...it.rows.map((cells) => `    ${cells.map(({ text }) => visibleLine(text, 4_000)).join("  ")}`),
    ]),
  ];
}

function stepText({ label, description, rows, txId }: TimelineStep): readonly string[] {
  return [`  ${label}: ${description}${txId === null ? "" : ` ${txId}`}`, ...rows.map((it) => `    ${rowText(it)}`)];
}

/**
 * Formats a transaction as JSON for programs: amounts in sun and integers as text, addresses in base58, bytes as hex.
 * Names are those of `docs/tracking.md` in every language.
 *
 * @param note - Note of the user.
 */
export function timelineJson(tracked: TrackedTransaction, facts: TransactionFacts, note?: string): string {
  const { txId, network, label, state, signed, attempts, createdAt, changedAt, replaces, replacedBy } = tracked;
  const intent = intentOf(tracked, facts);
  const rawDataHex = signed?.rawDataHex ?? facts.rawDataHex;
  const { receipt } = facts;
  const deployed = deploymentOf(tracked);
  return printJson(
    {
      txId,
      network,
      label,
      note,
      tags: note === undefined ? undefined : [...tagsIn(note)],
      state: plainJson(state),
      createdAt,
      changedAt,
      replaces,
      replacedBy,
      intent: intent && plainJson(intent),
      call: intent && callJson(intent, facts),
      contractAddress: deployed && toBase58(deployed.address),
      estimatedEnergy: signed?.estimatedEnergy,
      receipt: receipt.kind === "read" ? receiptJson(receipt.info, facts, intent) : undefined,
      attempts: plainJson(attempts),
      signatures: signed?.signatures.length,
      rawData: rawDataHex && rawDataJson(rawDataHex),
      rawDataHex,
    },
    2,
  );
}

/** Fields that hold an address. */
const ADDRESSES = new Set([
  "owner",
  "to",
  "from",
  "contract",
  "receiver",
  "account",
  "witness",
  "address",
  "contractAddress",
]);

/** Converts a value: integers become text, and addresses base58. */
function plainJson(value: unknown, field = ""): Json {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") {
    const address = ADDRESSES.has(field) ? tryRead(readAddress, value) : undefined;
    return address === undefined ? value : toBase58(address);
  }
  if (Array.isArray(value)) return value.map((it: unknown) => plainJson(it, field));
  if (typeof value !== "object" || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, plainJson(it, name)]));
}

function callJson(intent: Intent, facts: TransactionFacts): JsonObject | undefined {
  if (intent.kind === "contract-creation") {
    const { constructorArguments: found } = facts;
    return (
      found && {
        function: "constructor",
        source: rawText(found.source),
        arguments: valuesJson(found.parameters, found.values),
      }
    );
  }
  const call =
    intent.kind === "contract-call"
      ? decodedCall(intent.data, facts.abiOf(intent.contract), intent.contract)
      : undefined;
  if (call === undefined) return undefined;
  const { signature, origin, parameters } = call.candidate;
  return { function: signature, source: origin, arguments: valuesJson(parameters, call.values) };
}

function valuesJson(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Json {
  return fieldsOfValues(parameters, values).map((it) => plainJson(it));
}

function receiptJson(info: TransactionInfo, facts: TransactionFacts, intent: Intent | undefined): Json {
  const { logs = [], ...rest } = info;
  const returned =
    intent?.kind === "contract-call"
      ? returnedValues(intent.data, info.contractResult, facts.abiOf(intent.contract), intent.contract)
      : undefined;
  return {
    ...(plainJson(rest) as JsonObject),
    returned: returned && valuesJson(returned.outputs, returned.values),
    events: logs.map((log) => eventJson(log, facts)),
  };
}

function eventJson(log: EventLog, facts: TransactionFacts): Json {
  const { address, topics, data } = log;
  const event = readEvent(log, facts.abiOf(address));
  const named = event && {
    event: event.name,
    source: event.origin,
    arguments: valuesJson(event.parameters, event.values),
  };
  return { contract: toBase58(address), ...named, topics: [...topics], data };
}
