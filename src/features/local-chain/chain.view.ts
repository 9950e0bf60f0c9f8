import { isUnsettled, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { counted, grouped } from "@finality/tron/format";
import { isJsonObject, type JsonObject } from "@finality/tron/primitives";
import { keyOf, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import type { ChainStatus } from "./chain-control.ts";

/** Row: text and icons. */
export interface SectionRow {
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
  readonly contextValue: string;
  readonly spoken: string;
  readonly tooltip: string;
}

/** A fact about the chain, or a snapshot to restore. */
interface ChildRow extends SectionRow {
  readonly snapshot?: string;
}

const NAME = t`Local chain`;

/** @param status - Undefined until the chain has answered, `"silent"` while it does not answer. */
export function describeChain(status: ChainStatus | "silent" | undefined, baseUrl: string): SectionRow {
  const row = { label: NAME, contextValue: "localChain" };
  if (status === undefined) return { ...row, ...spoken([]), icon: "server-process", tooltip: baseUrl };
  if (status === "silent") return { ...row, ...spoken([t`does not answer`]), icon: "warning", tooltip: baseUrl };
  const { height, solidHeight, faults, forkedFrom } = status;
  const on = faults.filter((it) => !isOver(it)).length;
  const marks = on === 0 ? [] : [counted(on, t`fault`, t`faults`)];
  const icon = on === 0 ? "server-process" : "zap";
  const texts = [...marks, t`block ${grouped(height)}`];
  const solid = t`solidified ${grouped(solidHeight)}`;
  return {
    ...row,
    // A side bar of 300 px has room for no more.
    description: texts.join(" · "),
    spoken: spoken([...texts, solid]).spoken,
    icon,
    tooltip: [
      `${baseUrl}, ${blockTimeText(status)}`,
      solid,
      ...(forkedFrom === undefined ? [] : [t`fork of ${forkedFrom}`]),
    ].join("\n"),
  };
}

/** Returns the row of the chosen local chain while it does not run, or while this window is disconnected from it. */
export function describeStopped(isDisconnected: boolean): SectionRow {
  const tooltip = isDisconnected
    ? t`It is still running. Start it to connect again.`
    : t`Its accounts, contracts and transactions are stored. Start it to continue.`;
  return {
    label: NAME,
    ...spoken([isDisconnected ? t`disconnected` : t`not running`]),
    icon: "debug-disconnect",
    contextValue: "localChain.stopped",
    tooltip,
  };
}

/** Returns the child rows that the row shows when expanded. */
export function describeParts(status: ChainStatus): readonly ChildRow[] {
  const { height, solidHeight, pending, faults, snapshots } = status;
  const access = accessText(status.access);
  return [
    fact(t`Height`, t`block ${grouped(height)}`, "layers", t`The newest block.`),
    fact(t`Solidified`, t`block ${grouped(solidHeight)}`, "lock", t`The newest irreversible block.`),
    ...(access === undefined
      ? []
      : [fact(t`Access`, access, "lock", t`Credentials that every request needs. Local Chain Access… changes them.`)]),
    ...(pending === 0
      ? []
      : [
          fact(
            t`In the pool`,
            counted(pending, t`transaction`, t`transactions`),
            "watch",
            t`They wait for the next block.`,
          ),
        ]),
    ...faults.map((it): ChildRow => {
      const { name, hits: _, ...fields } = it;
      const label = presetOf(it)?.label ?? name;
      const row = fact(label, statusOf(it), isOver(it) ? "circle-slash" : "zap", JSON.stringify({ name, ...fields }));
      return { ...row, contextValue: "localChain.fault", spoken: t`Fault ${row.spoken}` };
    }),
    ...snapshots.map((it): ChildRow => {
      const row = fact(it, t`snapshot`, "device-camera", t`Blocks, accounts and pool, as they were when it was taken.`);
      return { ...row, contextValue: "localChain.snapshot", snapshot: it };
    }),
  ];
}

function spoken(texts: readonly string[]): Pick<SectionRow, "description" | "spoken"> {
  return { description: texts.join(" · "), spoken: [NAME, ...texts].join(", ") };
}

function fact(label: string, description: string, icon: string, tooltip: string): ChildRow {
  return { label, description, icon, tooltip, contextValue: "localChain.fact", spoken: `${label}, ${description}` };
}

function blockTimeText({ blockTimeMs }: ChainStatus): string {
  return blockTimeMs === 0 ? t`blocks on demand` : t`a block every ${blockTimeMs / 1000} s`;
}

/** Active fault, as the chain reports it. */
interface Active extends JsonObject {
  readonly name: string;
  readonly hits: number;
}

/** List item of a fault. */
export interface FaultItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly group: string;
  /** True if the fault is on. */
  readonly picked: boolean;
  /** Fault that is sent to the chain when the item is selected. */
  readonly fault: JsonObject;
}

/** Returns the presets, followed by the faults that were turned on elsewhere. Active faults have a check mark. */
export function faultItems(active: readonly Active[]): readonly FaultItem[] {
  const taken = new Set<Active>();
  const presets = faultPresets.map((preset): FaultItem => {
    const match = active.find((it) => !taken.has(it) && isSame(it, preset.fault));
    if (match !== undefined) taken.add(match);
    return { ...lines(preset), ...statusText(match) };
  });
  const others = active.filter((it) => !taken.has(it));
  return [...presets, ...others.map(otherItem)];
}

/** Returns one sentence that summarizes the active faults. */
export function summarizeFaults(faults: readonly Active[]): string {
  const on = faults.filter((it) => !isOver(it)).length;
  if (on === 0) return t`The local chain has no faults`;
  return t`The local chain has ${counted(on, t`fault`, t`faults`)}`;
}

function lines({ label, detail, group, fault }: FaultPreset): Pick<FaultItem, "label" | "detail" | "group" | "fault"> {
  return { label, detail, group, fault };
}

function statusText(active: Active | undefined): Pick<FaultItem, "description" | "picked"> {
  if (active === undefined) return { description: "", picked: false };
  return { description: statusOf(active), picked: !isOver(active) };
}

/** Returns the status of a fault: whether it is still active, and its number of hits. */
function statusOf(active: Active): string {
  if (isOver(active)) return t`ended: ${times(active.hits)}`;
  return active.hits === 0 ? t`on` : t`on: ${times(active.hits)} so far`;
}

function otherItem(active: Active): FaultItem {
  const { name, hits: _, ...fields } = active;
  const fault = { name, ...fields };
  return { ...statusText(active), label: name, detail: JSON.stringify(fault), group: t`Set by a program`, fault };
}

function times(hits: number): string {
  return hits === 1 ? t`once` : t`${hits} times`;
}

const presetOf = (active: Active) => faultPresets.find(({ fault }) => isSame(active, fault));

/** The fault has reached its maximum number of hits. */
function isOver({ hits, count }: Active): boolean {
  return typeof count === "number" && hits >= count;
}

/** Returns true if the active fault has all fields of the preset and is not narrower. */
function isSame(active: Active, preset: JsonObject): boolean {
  const narrowing = ["path", "rate", "count"].filter((it) => !(it in preset));
  return (
    Object.entries(preset).every(([field, value]) => JSON.stringify(active[field]) === JSON.stringify(value)) &&
    narrowing.every((field) => active[field] === undefined || (field === "rate" && active.rate === 1))
  );
}

const WHOLE = /^\d{1,15}$/;
const SPAN = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)?$/i;
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`; the chain checks the maximum */
export function parseBlocks(text: string): number {
  const blocks = WHOLE.test(text.trim()) ? Number(text) : 0;
  if (blocks > 0) return blocks;
  throw malformed("blocks", t`it must be a whole number, 1 or more`);
}

/**
 * Parses a duration: a number of ms, or a number with a unit such as "90 s", "10 min", "2 h", "1 d".
 *
 * @throws {ChainError}
 */
export function parseSpan(text: string): number {
  const [, number = "", unit = "ms"] = SPAN.exec(text.trim()) ?? [];
  const ms = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? 0));
  if (ms > 0 && Number.isSafeInteger(ms)) return ms;
  throw malformed(
    "ms",
    t`it must be a number of milliseconds, or one with a unit such as "90 s", "10 min", "2 h" or "1 d"`,
  );
}

export function missing(argument: string): ChainError {
  return malformed(argument, t`it is missing`);
}

/**
 * Returns an input validator. It returns the error message to show while the user types, or undefined if the text is
 * valid.
 */
export function complaint(parse: (text: string) => unknown): (text: string) => string | undefined {
  return (text) => {
    try {
      parse(text);
      return undefined;
    } catch (error) {
      return error instanceof ChainError ? message(error) : String(error);
    }
  };
}

/**
 * Returns the consequences of reverting the chain, for the confirmation prompt.
 *
 * @param snapshot - Its name; undefined for the genesis state.
 */
export function lossOf(snapshot: string | undefined, live: number, listed: number): string {
  const point = snapshot === undefined ? t`its first blocks` : t`the snapshot "${snapshot}"`;
  const blocks = t`The chain returns to ${point}: transactions since then are removed from it, and balances are as they were.`;
  if (listed === 0) return blocks;
  return t`${blocks} ${listedText(listed)}${openText(live)} Transactions that the chain no longer has are removed from the list; the journal keeps them.`;
}

function listedText(listed: number): string {
  return listed === 1
    ? t`The list has ${grouped(listed)} transaction of it.`
    : t`The list has ${grouped(listed)} transactions of it.`;
}

function openText(live: number): string {
  if (live === 0) return "";
  return live === 1 ? t` ${grouped(live)} of them is not final yet.` : t` ${grouped(live)} of them are not final yet.`;
}

/** Describes the state of the chain in a few words. */
export function heightsText({ head, solid }: JsonObject): string {
  return t`Block ${heightOf(head)} · solidified ${heightOf(solid)}`;
}

function heightOf(block: unknown): string {
  return isJsonObject(block) && typeof block.number === "number" ? grouped(block.number) : "?";
}

function message({ details }: ChainError): string {
  const reason = "reason" in details ? String(details.reason) : "";
  const whole = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return t`${whole}.`;
}

function malformed(argument: string, reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason });
}

/**
 * Returns the tracked transactions that the revert affects: dropped ones, final ones that are no longer final, and
 * pending ones that can no longer arrive.
 *
 * @param fates - State of each on the chain now, by txID.
 */
export function forgotten<T extends Pick<TrackedTransaction, "txId" | "state" | "attempts">>(
  listed: readonly T[],
  fates: JsonObject,
): readonly T[] {
  return listed.filter((it) => {
    const fate = fates[it.txId];
    if (fate === "lost") return true;
    if (it.state.kind === "solidified") return fate === "block" || fate === "pool";
    return isUnsettled(it) && fate === "unknown";
  });
}

/** Credentials that the local chain requires. */
interface Access {
  readonly jwt: boolean;
  readonly apiKey: boolean;
}

/** Values of the argument for programs. */
export const ACCESS_MODES = {
  none: { jwt: false, apiKey: false },
  jwt: { jwt: true, apiKey: false },
  "api-key": { jwt: false, apiKey: true },
  "jwt-and-api-key": { jwt: true, apiKey: true },
} as const satisfies { readonly [text: string]: Access };

export type AccessMode = keyof typeof ACCESS_MODES;

/** Audience of tokens for the embedded chain. */
export const LOCAL_AUDIENCE = "localhost";

const word = keyOf(ACCESS_MODES);

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function parseAccessMode(text: string): AccessMode {
  const found = tryRead(word, text.trim());
  if (found !== undefined) return found;
  const reason = t`write ${Object.keys(ACCESS_MODES).join(t`, `)}`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "access", reason });
}

const LINES: { readonly [W in AccessMode]: readonly [label: string, detail: string] } = {
  none: [t`$(unlock) None`, t`Like a plain node: answers every request.`],
  jwt: ["$(key) JWT", t`Drops requests without a valid token. Finality creates a key.`],
  "api-key": [t`$(lock) API key`, t`Answers 401 without the key, 403 with a wrong one. Finality creates a key.`],
  "jwt-and-api-key": [t`$(key) JWT and API key`, t`Both, like a hosted gateway.`],
};

/** List item. */
interface AccessItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly word: AccessMode;
}

/** Returns the options, with a mark at the current one. */
export function accessItems(now: Access): readonly AccessItem[] {
  const texts: readonly AccessMode[] = ["none", "jwt", "api-key", "jwt-and-api-key"];
  return texts.map((it) => {
    const [label, detail] = LINES[it];
    const { jwt, apiKey } = ACCESS_MODES[it];
    return { label, detail, description: jwt === now.jwt && apiKey === now.apiKey ? t`now` : "", word: it };
  });
}

/** Returns the required credentials as text. Undefined if there are none. */
export function accessText({ jwt, apiKey }: Access): string | undefined {
  const texts = [...(jwt ? ["JWT"] : []), ...(apiKey ? [t`API key`] : [])];
  return texts.length === 0 ? undefined : texts.join(t` and `);
}

/** Frequently used fault. */
interface FaultPreset {
  readonly label: string;
  readonly detail: string;
  readonly group: string;
  readonly fault: JsonObject;
}

const BROADCASTS = "*/broadcast*";
const [SENDING, READING, NODE, CHAIN] = [t`When sending`, t`With every request`, t`The node`, t`The chain`] as const;

/** Items of the picker, each with all fields that it sets. */
export const faultPresets: readonly FaultPreset[] = [
  {
    label: t`Accept, then lose the answer (once)`,
    group: SENDING,
    detail: t`The transaction is in the pool, but the connection is reset before the answer.`,
    fault: { name: "lost-answer", path: BROADCASTS, count: 1 },
  },
  {
    label: t`Lose the request before the node sees it (once)`,
    group: SENDING,
    detail: t`Looks the same, but no node has the transaction.`,
    fault: { name: "reset-before", path: BROADCASTS, count: 1 },
  },
  {
    label: t`Accept, then answer 502 (once)`,
    group: SENDING,
    detail: t`A gateway stops waiting for the node, which has accepted the transaction.`,
    fault: { name: "http-status-after", status: 502, path: BROADCASTS, count: 1 },
  },
  {
    label: t`Accept, then cut the answer in half (once)`,
    group: SENDING,
    detail: t`The transaction is in the pool, but the answer is incomplete.`,
    fault: { name: "truncated-body", path: BROADCASTS, count: 1 },
  },
  {
    label: t`Report a new transaction as a duplicate (once)`,
    group: SENDING,
    detail: t`A gateway repeats the request, and the second answer is the one that arrives.`,
    fault: { name: "duplicate-answer", path: BROADCASTS, count: 1 },
  },
  {
    label: t`Report refused transactions as duplicates`,
    group: SENDING,
    detail: t`The node's cache masks the real reason: a corrected signature is refused as a duplicate, and no node has the transaction.`,
    fault: { name: "duplicate-cache" },
  },
  {
    label: t`Pool full (three times)`,
    group: SENDING,
    detail: t`SERVER_BUSY: the same bytes are accepted later.`,
    fault: { name: "pool-full", count: 3 },
  },
  {
    label: t`Refuse, but execute (once)`,
    group: SENDING,
    detail: t`CONTRACT_VALIDATE_ERROR, but the transaction is in the pool: the answer is wrong or false.`,
    fault: { name: "false-refusal", code: "CONTRACT_VALIDATE_ERROR", count: 1 },
  },
  {
    label: t`Slow answers`,
    group: READING,
    detail: t`Every answer comes three seconds late.`,
    fault: { name: "latency", ms: 3000, when: "before" },
  },
  {
    label: t`Too many requests (three times)`,
    group: READING,
    detail: t`429, with the request to come back in five seconds.`,
    fault: { name: "rate-limit", seconds: 5, form: "seconds", count: 3 },
  },
  {
    label: t`Every third request fails with 503`,
    group: READING,
    detail: t`At random; the node never receives these requests.`,
    fault: { name: "http-status", status: 503, rate: 0.33 },
  },
  {
    label: t`Web pages instead of JSON, sometimes`,
    group: READING,
    detail: t`Every fifth answer, at random, is a web page with status 200.`,
    fault: { name: "not-json", rate: 0.2 },
  },
  {
    label: t`Refuse connections for ten seconds`,
    group: READING,
    detail: t`All connections are refused, including those of this list.`,
    fault: { name: "connection-refused", ms: 10_000, count: 1 },
  },
  {
    label: t`Reject every token`,
    group: READING,
    detail: t`Connections are closed without an answer, as with a JWT that the gateway does not accept.`,
    fault: { name: "jwt-refusal", how: "drop" },
  },
  {
    label: t`A node that lags 20 blocks behind`,
    group: NODE,
    detail: t`Reads do not include the last minute: its blocks are missing.`,
    fault: { name: "stale-head", blocks: 20 },
  },
  {
    label: t`A clock that is an hour behind`,
    group: NODE,
    detail: t`The Date of the answers; blocks keep the correct time.`,
    fault: { name: "clock-skew", ms: -3_600_000 },
  },
  {
    label: t`No energy estimates`,
    group: NODE,
    detail: t`estimateenergy answers that this node does not support it.`,
    fault: { name: "estimate-off" },
  },
  {
    label: t`No constant calls`,
    group: NODE,
    detail: t`triggerconstantcontract and estimateenergy answer that this node does not support it.`,
    fault: { name: "constant-calls-off" },
  },
  {
    label: t`Reorganize two blocks (once)`,
    group: CHAIN,
    detail: t`Other blocks replace them at the next request; their transactions are pending again.`,
    fault: { name: "reorganisation", blocks: 2, transactions: "return", count: 1 },
  },
  {
    label: t`Reorganize two blocks and lose their transactions (once)`,
    group: CHAIN,
    detail: t`Other blocks replace them at the next request; their transactions are lost.`,
    fault: { name: "reorganisation", blocks: 2, transactions: "lost", count: 1 },
  },
  {
    label: t`Run out of time in the block (once)`,
    group: CHAIN,
    detail: t`The next contract transaction in a block ends with OUT_OF_TIME and loses its whole fee limit.`,
    fault: { name: "code-ended", result: "OUT_OF_TIME", count: 1 },
  },
  {
    label: t`Stop solidification`,
    group: CHAIN,
    detail: t`Blocks are produced, but none becomes final.`,
    fault: { name: "solidification-stopped" },
  },
];
