import {
  type DecodedField,
  falseReturn,
  fieldsOfValues,
  type ReasonOf,
  readEvent,
  revertTexts,
} from "@finality/client/explain";
import type { EventLog, InternalTransaction, TransactionInfo } from "@finality/client/gateway";
import { describeIntent, purposeText } from "@finality/client/labels";
import { returnedFalse } from "@finality/client/tokens";
import { deploymentOf, outcomeInInfo, type SignedPart, type TrackedTransaction } from "@finality/client/tracking";
import {
  type AbiCandidate,
  type AbiIndex,
  type AbiParameter,
  type AbiValue,
  createAbiIndex,
  tryDecode,
} from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { bothUnits, coinsText, counted, grouped, type NameOf, percent, votesText } from "@finality/tron/format";
import {
  type Address,
  addressIn,
  type ForeignText,
  foreignText,
  type Hex,
  hexToBytes,
  nameText,
  printJson,
  sun,
  toBase58,
  visibleLine,
  visibleText,
} from "@finality/tron/primitives";
import {
  decodeRawData,
  type Intent,
  type IntentOf,
  type PermissionIntent,
  rawDataToJson,
} from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type {
  SectionTable,
  TableCell,
  TimelineButton,
  TimelineRow,
  TransactionSection,
} from "../../webview-messages/timeline.ts";

/** Receipt of a transaction, or the reason why there is none. */
export type ReceiptFacts =
  /** In no block yet, or never. */
  | { readonly kind: "not-executed" }
  | { readonly kind: "reading" }
  | { readonly kind: "not-read" }
  | { readonly kind: "read"; readonly info: TransactionInfo; readonly isSolid: boolean; readonly endpoint: string }
  /** The network does not have it. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly message: string };

/** Name that a contract, an artifact or the journal gives to a contract. */
export interface ContractName {
  readonly name: ForeignText;
  readonly source: ForeignText;
}

/** Data of the page that the journal does not have. */
export interface TransactionFacts {
  readonly receipt: ReceiptFacts;
  /** Bytes that match the txID, for a transaction that was signed elsewhere. */
  readonly rawDataHex?: Hex;
  readonly intent?: Intent;
  /** Returns the names of functions, events and errors of a contract. */
  readonly abiOf: (contract: Address | undefined) => AbiIndex;
  readonly contractNames: ReadonlyMap<Address, ContractName>;
  /** Arguments of a deployment, if an artifact has the same code. */
  readonly constructorArguments?: {
    readonly parameters: readonly AbiParameter[];
    readonly values: readonly AbiValue[];
    readonly source: ForeignText;
  };
}

/** Facts before anything was read. */
export const NO_FACTS: TransactionFacts = {
  receipt: { kind: "not-executed" },
  abiOf: () => createAbiIndex([]),
  contractNames: new Map(),
};

/** Data of the sections besides the journal. */
export interface SectionContext {
  readonly facts: TransactionFacts;
  readonly nameOf: NameOf;
  readonly reasonOf: ReasonOf;
  /** Symbol of the network's coin; undefined if unknown. */
  readonly symbol?: string | undefined;
}

/** Limits of what the page shows of foreign data. */
const LONG = 2_000;
const MOST_ROWS = 200;
const MOST_EVENTS = 50;
const MOST_INTERNAL = 100;

/** Describes the call, its cost, its result, its events and its internal transactions. Sections without data are absent. */
export function describeSections(tracked: TrackedTransaction, context: SectionContext): readonly TransactionSection[] {
  return [
    ...callSection(tracked, context),
    ...costSection(tracked, context),
    resultSection(tracked, context),
    ...eventSection(tracked, context),
    ...internalSection(tracked, context),
  ];
}

export function isInBlock({ state }: TrackedTransaction): boolean {
  return state.kind === "included" || state.kind === "solidified";
}

/** Returns the intent, from the journal or from bytes that match the txID. */
export function intentOf({ signed }: TrackedTransaction, { intent }: TransactionFacts): Intent | undefined {
  return signed?.intent ?? intent;
}

function section(
  id: TransactionSection["id"],
  title: string,
  parts: Partial<Omit<TransactionSection, "id" | "title">>,
): TransactionSection {
  return { id, title, note: null, rows: [], tables: [], texts: [], buttons: [], ...parts };
}

function row(name: string, value: string, exact = false): TimelineRow {
  return { name, value, exact };
}

function addressRow(label: string, address: Address, nameOf: NameOf): TimelineRow {
  const name = nameOf(address);
  return row(name === undefined ? label : t`${label} ${visibleLine(name)}`, toBase58(address), true);
}

function callSection(tracked: TrackedTransaction, context: SectionContext): readonly TransactionSection[] {
  const intent = intentOf(tracked, context.facts);
  if (intent === undefined) {
    const note = isInBlock(tracked)
      ? t`The network has not returned the bytes of this transaction.`
      : t`It was signed elsewhere. Its content is shown once it is in a block.`;
    return [section("call", t`Call`, { note })];
  }
  const memo =
    intent.memo === undefined ? [] : [row(t`Memo`, quotedText(Buffer.from(intent.memo, "hex").toString("utf8")))];
  const { title, rows, tables = [] } = contentOf(intent, context);
  return [section("call", title, { rows: [...rows, ...memo], tables })];
}

interface Content {
  readonly title: string;
  readonly rows: readonly TimelineRow[];
  readonly tables?: readonly SectionTable[];
}

function contentOf(intent: Intent, context: SectionContext): Content {
  const { nameOf, symbol } = context;
  switch (intent.kind) {
    case "contract-call":
      return callContent(intent, context);
    case "contract-creation":
      return creationContent(intent, context);
    case "transfer":
      return {
        title: t`Transfer`,
        rows: [addressRow(t`To`, intent.to, nameOf), row(t`Amount`, bothUnits(intent.amount, symbol))],
      };
    case "token-transfer":
      return {
        title: t`Transfer`,
        rows: [
          addressRow(t`To`, intent.to, nameOf),
          row(t`Token`, visibleLine(intent.tokenId)),
          row(t`Amount`, t`${grouped(intent.amount)} units`),
        ],
      };
    default:
      return {
        title: t`System Contract`,
        rows: [row(t`Operation`, describeIntent(intent, nameOf, symbol)), ...systemRows(intent, context)],
        tables: systemTables(intent, nameOf),
      };
  }
}

function callContent(intent: IntentOf<"contract-call">, context: SectionContext): Content {
  const { facts, nameOf, symbol } = context;
  const { contract, data, callValue, tokenId, tokenValue } = intent;
  const call = decodedCall(data, facts.abiOf(contract), contract);
  const token = tokenValue === undefined || tokenValue === 0n ? [] : [tokenRow(tokenId, tokenValue)];
  return {
    title: t`Call`,
    rows: [
      addressRow(t`Contract`, contract, nameOf),
      ...nameRows(contract, facts, nameOf),
      ...functionRows(data, call),
      row(t`Value`, bothUnits(callValue, symbol)),
      ...token,
    ],
    tables: call === undefined ? [] : argumentTables(t`Arguments`, call.candidate.parameters, call.values, nameOf),
  };
}

function tokenRow(tokenId: bigint | undefined, amount: bigint): TimelineRow {
  return row(t`Token`, t`${grouped(amount)} units of token ${String(tokenId ?? 0n)}`);
}

/** Returns no row if the address row has the same name. */
function nameRows(contract: Address, { contractNames }: TransactionFacts, nameOf: NameOf): readonly TimelineRow[] {
  const found = contractNames.get(contract);
  if (found === undefined || nameText(found.name) === nameOf(contract)) return [];
  return [row(t`Contract name`, t`“${nameText(found.name)}” (${visibleLine(found.source)})`)];
}

interface DecodedCall {
  readonly candidate: AbiCandidate;
  readonly values: readonly AbiValue[];
  /** False if another signature with the same selector fits the data too. */
  readonly isOnly: boolean;
}

const SELECTOR_DIGITS = 8;

/** Decodes calldata by the first function that fits it; undefined if none does. */
export function decodedCall(data: Hex, abi: AbiIndex, contract: Address): DecodedCall | undefined {
  if (data.length < SELECTOR_DIGITS) return undefined;
  const bytes = hexToBytes(data).subarray(SELECTOR_DIGITS / 2);
  const fitting = abi.lookup(data.slice(0, SELECTOR_DIGITS), contract).flatMap((candidate) => {
    const values = candidate.kind === "function" ? tryDecode(candidate.parameters, bytes) : undefined;
    return values === undefined ? [] : [{ candidate, values }];
  });
  const [first] = fitting;
  if (first === undefined) return undefined;
  return { ...first, isOnly: fitting.every(({ candidate }) => candidate.signature === first.candidate.signature) };
}

function functionRows(data: Hex, call: DecodedCall | undefined): readonly TimelineRow[] {
  if (call !== undefined) {
    const { candidate, isOnly } = call;
    return [
      row(t`Function`, visibleLine(candidate.signature, LONG)),
      row(t`Named by`, visibleLine(candidate.origin)),
      ...(isOnly ? [] : [row(t`Note`, t`Other functions have the same selector: it may be one of them.`)]),
    ];
  }
  if (data === "") return [row(t`Function`, t`none: the call has no data`)];
  return [
    row(t`Function`, t`0x${data.slice(0, SELECTOR_DIGITS)}, which no ABI here names`),
    row(t`Data`, shortHex(data), true),
  ];
}

function shortHex(data: string): string {
  return data.length <= LONG ? `0x${data}` : `0x${data.slice(0, LONG)}…`;
}

function creationContent(intent: IntentOf<"contract-creation">, context: SectionContext): Content {
  const { facts, nameOf, symbol } = context;
  const { name, bytecode, callValue, userPercent, originEnergyLimit } = intent;
  const found = facts.constructorArguments;
  return {
    title: t`Deployment`,
    rows: [
      ...(name === "" ? [] : [row(t`Name`, nameText(foreignText(name)))]),
      row(t`Code`, counted(bytecode.length / 2, t`byte`, t`bytes`)),
      row(t`Value`, bothUnits(callValue, symbol)),
      row(t`Energy paid by callers`, percent(userPercent)),
      row(t`Energy limit of the owner`, grouped(originEnergyLimit)),
      ...(found === undefined ? [] : [row(t`Named by`, visibleLine(found.source))]),
    ],
    tables: found === undefined ? [] : argumentTables(t`Constructor Arguments`, found.parameters, found.values, nameOf),
  };
}

type SystemIntent = Exclude<Intent, IntentOf<"transfer" | "token-transfer" | "contract-call" | "contract-creation">>;

function systemRows(intent: SystemIntent, { nameOf, symbol, facts }: SectionContext): readonly TimelineRow[] {
  switch (intent.kind) {
    case "stake":
    case "unstake":
      return [row(t`Amount`, bothUnits(intent.amount, symbol)), row(t`Resource`, purposeText(intent.resource))];
    case "delegate":
    case "undelegate":
      return [
        addressRow(t`Receiver`, intent.receiver, nameOf),
        row(t`Amount`, bothUnits(intent.amount, symbol)),
        row(t`Resource`, purposeText(intent.resource)),
        ...(intent.kind === "delegate" && intent.lockPeriod !== undefined
          ? [row(t`Lock period`, counted(intent.lockPeriod, t`block`, t`blocks`))]
          : []),
      ];
    case "account-creation":
      return [addressRow(t`Account`, intent.account, nameOf)];
    case "account-name":
      return [row(t`Name`, quotedText(intent.name))];
    case "contract-share":
    case "contract-limit":
    case "contract-abi-removal":
      return [addressRow(t`Contract`, intent.contract, nameOf), ...nameRows(intent.contract, facts, nameOf)];
    case "other":
      return [row(t`Message`, shortHex(intent.parameter), true)];
    case "withdraw":
    case "cancel-unstakes":
    case "claim-reward":
    case "vote":
    case "permission-update":
      return [];
  }
}

function systemTables(intent: SystemIntent, nameOf: NameOf): readonly SectionTable[] {
  if (intent.kind === "vote") {
    const rows = intent.votes.map(({ witness, count }) => [addressCell(witness, nameOf), cell(votesText(count))]);
    return [{ title: t`Votes`, note: null, columns: [t`Witness`, t`Votes`], rows }];
  }
  if (intent.kind !== "permission-update") return [];
  const { ownerPermission, witnessPermission, activePermissions } = intent;
  return [
    permissionTable(t`Owner Permission`, ownerPermission, nameOf),
    ...(witnessPermission === undefined ? [] : [permissionTable(t`Witness Permission`, witnessPermission, nameOf)]),
    ...activePermissions.map((it) => permissionTable(t`Active Permission`, it, nameOf)),
  ];
}

function permissionTable(title: string, { name, threshold, keys }: PermissionIntent, nameOf: NameOf): SectionTable {
  return {
    title,
    note: t`“${nameText(foreignText(name))}”, threshold ${String(threshold)}`,
    columns: [t`Key`, t`Weight`],
    rows: keys.map(({ address, weight }) => [addressCell(address, nameOf), cell(String(weight))]),
  };
}

function cell(text: string): TableCell {
  return { text, copy: null };
}

function addressCell(address: Address, nameOf: NameOf): TableCell {
  const [name, text] = [nameOf(address), toBase58(address)];
  return { text: name === undefined ? text : `${visibleLine(name)} (${text})`, copy: text };
}

/** Returns a table of decoded values by name; none if there are no values. */
function argumentTables(
  title: string,
  parameters: readonly AbiParameter[],
  values: readonly AbiValue[],
  nameOf: NameOf,
): readonly SectionTable[] {
  return parameters.length === 0 ? [] : [fieldTable(title, fieldsOfValues(parameters, values), nameOf)];
}

function fieldTable(title: string, fields: readonly DecodedField[], nameOf: NameOf, note = ""): SectionTable {
  const rows = fields.flatMap((it) => fieldRows(it, "", nameOf));
  const left = rows.length - MOST_ROWS;
  const notes = [note, left > 0 ? t`${grouped(left)} more rows are not shown.` : ""].filter(Boolean);
  return {
    title,
    note: notes.length === 0 ? null : notes.join(" "),
    columns: [t`Name`, t`Type`, t`Value`],
    rows: rows.slice(0, MOST_ROWS),
  };
}

/** Flattens a decoded value: fields of structs and items of lists are rows of their own, named by their path. */
function fieldRows(
  { name, value, kind, type = "", children = [] }: DecodedField,
  path: string,
  nameOf: NameOf,
): CellRow[] {
  const isItem = path === "" || name.startsWith("[");
  const at = visibleLine(isItem ? `${path}${name}` : `${path}.${name}`);
  const shown = kind === "list" ? cell(value) : valueCell(value, kind, nameOf);
  return [[cell(at), cell(type), shown], ...children.flatMap((it) => fieldRows(it, at, nameOf))];
}

type CellRow = readonly TableCell[];

function valueCell(value: string, kind: DecodedField["kind"], nameOf: NameOf): TableCell {
  const address = kind === "address" ? addressIn(value) : undefined;
  if (address !== undefined) return addressCell(address, nameOf);
  if (kind === "hex") return { text: visibleLine(value, LONG), copy: visibleLine(value, LONG) };
  return cell(kind === "text" && value !== "true" && value !== "false" ? quotedText(value) : visibleLine(value, LONG));
}

/** Formats a text of a contract or of another user. */
function quotedText(text: string): string {
  return `“${visibleText(text, LONG)}”`;
}

function costSection(tracked: TrackedTransaction, { facts, symbol }: SectionContext): readonly TransactionSection[] {
  const intent = intentOf(tracked, facts);
  const limit =
    intent !== undefined && "feeLimit" in intent ? [row(t`Fee limit`, coinsText(intent.feeLimit, symbol))] : [];
  const estimate = tracked.signed?.estimatedEnergy;
  const estimated = estimate === undefined ? [] : [row(t`Estimated energy when signed`, grouped(estimate))];
  const bounds = [...limit, ...estimated];
  if (facts.receipt.kind === "read") {
    const rows = [...costRows(facts.receipt.info, symbol), ...bounds];
    return [section("cost", t`Cost`, { rows })];
  }
  return bounds.length === 0
    ? []
    : [section("cost", t`Cost`, { rows: bounds, note: isInBlock(tracked) ? null : notExecuted(tracked) })];
}

/** Returns the parts of the fee, by payer. The parts add up to the receipt. */
function costRows(info: TransactionInfo, symbol: string | undefined): readonly TimelineRow[] {
  const { fee, energyUsed, energyStaked, energyOfOwner, energyFee, bandwidthUsed, bandwidthFee } = info;
  const burned = energyUsed - energyStaked - energyOfOwner;
  const other = fee - energyFee - bandwidthFee;
  return [
    row(t`Fee`, coinsText(fee, symbol)),
    ...(energyUsed > 0n ? [row(t`Energy`, grouped(energyUsed))] : []),
    ...(energyStaked > 0n ? [row(t`Energy from the sender's stake`, grouped(energyStaked))] : []),
    ...(energyOfOwner > 0n ? [row(t`Energy paid by the contract's owner`, grouped(energyOfOwner))] : []),
    ...(burned > 0n ? [row(t`Energy burned`, t`${grouped(burned)} for ${coinsText(energyFee, symbol)}`)] : []),
    row(
      t`Bandwidth`,
      bandwidthFee > 0n
        ? t`burned ${coinsText(bandwidthFee, symbol)}`
        : t`${counted(bandwidthUsed, t`byte`, t`bytes`)} of stake or free quota`,
    ),
    ...(other > 0n ? [row(t`Other fees`, t`${coinsText(sun(other), symbol)} (activation, memo or signatures)`)] : []),
  ];
}

function notExecuted({ state }: TrackedTransaction): string {
  switch (state.kind) {
    case "signed":
      return t`Not executed yet.`;
    case "unknown":
      return t`No block contains it so far. It may still be executed.`;
    case "pending":
      return t`Not executed yet: it waits for a block.`;
    case "rejected":
      return t`Not executed, according to the node that refused it.`;
    case "proven-absent":
      return t`Never executed: no block contains it.`;
    case "replaced":
      return t`Never executed: another transaction has its place.`;
    default:
      return "";
  }
}

function resultSection(tracked: TrackedTransaction, context: SectionContext): TransactionSection {
  const { facts } = context;
  const title = t`Result`;
  const readAgain: TimelineButton = {
    action: "read-again",
    label: t`Read Receipt`,
    icon: "refresh",
    primary: false,
    whyNot: null,
  };
  switch (facts.receipt.kind) {
    case "not-executed":
      return section("result", title, { note: notExecuted(tracked) });
    case "reading":
      return section("result", title, { note: t`Reading the receipt…` });
    case "not-read":
      return section("result", title, { note: t`The receipt was not read yet.`, buttons: [readAgain] });
    case "absent":
      return section("result", title, {
        note: t`The network does not return a receipt for this transaction.`,
        buttons: [readAgain],
      });
    case "failed":
      return section("result", title, {
        note: t`The receipt could not be read. ${visibleLine(facts.receipt.message, LONG)}`,
        buttons: [readAgain],
      });
    case "read":
      return readResult(tracked, facts.receipt, context);
  }
}

function readResult(
  tracked: TrackedTransaction,
  { info, isSolid, endpoint }: Extract<ReceiptFacts, { kind: "read" }>,
  context: SectionContext,
): TransactionSection {
  const parts = resultParts(tracked, info, context);
  return section("result", t`Result`, {
    ...parts,
    note: isSolid ? (parts.note ?? null) : t`Not final: a reorganization of the chain may still remove it.`,
    rows: [...parts.rows, row(t`Reported by`, endpoint)],
  });
}

type ResultParts = Pick<TransactionSection, "rows"> & Partial<TransactionSection>;

function resultParts(tracked: TrackedTransaction, info: TransactionInfo, context: SectionContext): ResultParts {
  const intent = intentOf(tracked, context.facts);
  const outcome = outcomeInInfo(info, runsCode(intent, info) ? "TriggerSmartContract" : "TransferContract");
  if (outcome === undefined) return { rows: [row(t`Outcome`, t`not reported by the node yet`)] };
  if (outcome.kind === "success") return succeededResult(tracked, info, intent, context);
  const called = intent?.kind === "contract-call" ? intent.contract : info.contractAddress;
  return failedResult({ tracked, info, result: outcome.result, contract: called }, context);
}

interface FailedRun {
  readonly tracked: TrackedTransaction;
  readonly info: TransactionInfo;
  readonly result: string;
  readonly contract: Address | undefined;
}

function failedResult(
  { tracked, info, result, contract }: FailedRun,
  { facts, reasonOf, nameOf }: SectionContext,
): ResultParts {
  const reason = reasonOf(tracked);
  const reverted = result === "REVERT" ? revertOf(info.contractResult, facts.abiOf(contract), contract) : undefined;
  return {
    rows: [
      row(t`Outcome`, t`Failed: ${visibleLine(result)}`),
      ...(reason === undefined ? [] : [row(t`Reason`, visibleLine(reason.text, LONG))]),
      ...(reason?.detail === undefined ? [] : [row(t`More`, visibleLine(reason.detail, LONG))]),
      ...(reverted === undefined
        ? []
        : [row(t`Cause`, visibleLine(reverted.cause, LONG)), row(t`Next step`, visibleLine(reverted.fix, LONG))]),
      ...(reason?.source === undefined ? [] : [row(t`Named by`, visibleLine(reason.source))]),
      ...(info.message === "" ? [] : [row(t`Message`, visibleLine(info.message, LONG))]),
    ],
    tables:
      reverted === undefined || reverted.decoded.length === 0 ? [] : [fieldTable(t`Error`, reverted.decoded, nameOf)],
  };
}

function revertOf(data: Hex, abi: AbiIndex, contract: Address | undefined) {
  return revertTexts(hexToBytes(data), { abi }, contract);
}

function succeededResult(
  tracked: TrackedTransaction,
  info: TransactionInfo,
  intent: Intent | undefined,
  { facts, nameOf }: SectionContext,
): ResultParts {
  const success = row(t`Outcome`, t`Success`);
  if (intent?.kind === "contract-creation") return deploymentResult(tracked, info, success, nameOf);
  if (intent?.kind !== "contract-call") return { rows: [success] };
  const { data, contract } = intent;
  const { contractResult: returned } = info;
  if (returned === "") return { rows: [success, row(t`Returned values`, t`none`)] };
  const refused = returnedFalse(data, returned) ? { note: t`${falseReturn.title}. ${falseReturn.cause}` } : {};
  const decoded = returnedValues(data, returned, facts.abiOf(contract), contract);
  if (decoded === undefined) return { rows: [success, row(t`Returned data`, shortHex(returned), true)], ...refused };
  return {
    rows: [success],
    ...refused,
    tables: argumentTables(t`Returned Values`, decoded.outputs, decoded.values, nameOf),
  };
}

/** Decodes returned data by the function that was called; undefined if no ABI has its results. */
export function returnedValues(data: Hex, returned: Hex, abi: AbiIndex, contract: Address) {
  for (const { kind, outputs } of abi.lookup(data.slice(0, SELECTOR_DIGITS), contract)) {
    const values = kind === "function" && outputs.length > 0 ? tryDecode(outputs, hexToBytes(returned)) : undefined;
    if (values !== undefined) return { outputs, values };
  }
  return undefined;
}

function deploymentResult(
  tracked: TrackedTransaction,
  info: TransactionInfo,
  success: TimelineRow,
  nameOf: NameOf,
): ResultParts {
  const address = deploymentOf(tracked)?.address ?? info.contractAddress;
  if (address === undefined) return { rows: [success] };
  const offers =
    deploymentOf(tracked) === undefined
      ? []
      : [
          contractButton("call-contract", t`Call Contract…`, "play"),
          contractButton("read-contract", t`Read Contract…`, "eye"),
        ];
  return { rows: [success, addressRow(t`Contract address`, address, nameOf)], buttons: offers };
}

function contractButton(action: TimelineButton["action"], label: string, icon: string): TimelineButton {
  return { action, label, icon, primary: false, whyNot: null };
}

/** Returns true if the transaction runs a contract, so that it may have events. */
function runsCode(intent: Intent | undefined, info: TransactionInfo): boolean {
  return intent?.kind === "contract-call" || intent?.kind === "contract-creation" || info.contractAddress !== undefined;
}

function eventSection(tracked: TrackedTransaction, context: SectionContext): readonly TransactionSection[] {
  const { receipt } = context.facts;
  if (receipt.kind !== "read" || !runsCode(intentOf(tracked, context.facts), receipt.info)) return [];
  const { logs = [] } = receipt.info;
  if (logs.length === 0) return [section("events", t`Events`, { note: t`The transaction emitted no events.` })];
  const left = logs.length - MOST_EVENTS;
  return [
    section("events", t`Events`, {
      note: left > 0 ? t`${grouped(left)} more events are not shown.` : null,
      tables: logs.slice(0, MOST_EVENTS).map((log) => eventTable(log, context)),
    }),
  ];
}

function eventTable(log: EventLog, { facts, nameOf }: SectionContext): SectionTable {
  const event = readEvent(log, facts.abiOf(log.address));
  const emitter = t`Emitted by ${contractText(log.address, facts, nameOf)}.`;
  if (event !== undefined) {
    const note = t`${emitter} Named by ${visibleLine(event.origin)}.`;
    return fieldTable(visibleLine(event.name), fieldsOfValues(event.parameters, event.values), nameOf, note);
  }
  const topics = log.topics.map(
    (topic, at): DecodedField => ({ name: t`topic ${at}`, type: "bytes32", value: `0x${topic}`, kind: "hex" }),
  );
  const data: DecodedField = { name: t`data`, type: "bytes", value: shortHex(log.data), kind: "hex" };
  return fieldTable(t`Event without a known name`, [...topics, data], nameOf, emitter);
}

/** Names a contract: the user's name, else the claimed name in quotes, and always its address. */
function contractText(address: Address, { contractNames }: TransactionFacts, nameOf: NameOf): string {
  const own = nameOf(address);
  const claimed = contractNames.get(address);
  const name = own === undefined ? claimed && `“${nameText(claimed.name)}”` : visibleLine(own);
  return name === undefined ? toBase58(address) : `${name} (${toBase58(address)})`;
}

function internalSection(tracked: TrackedTransaction, context: SectionContext): readonly TransactionSection[] {
  const { receipt } = context.facts;
  if (receipt.kind !== "read" || !runsCode(intentOf(tracked, context.facts), receipt.info)) return [];
  const { internal = [] } = receipt.info;
  const title = t`Internal Transactions`;
  if (internal.length === 0) {
    const note = t`The node reports no internal transactions. Not every node records them.`;
    return [section("internal", title, { note })];
  }
  const left = internal.length - MOST_INTERNAL;
  return [
    section("internal", title, {
      note: left > 0 ? t`${grouped(left)} more internal transactions are not shown.` : null,
      tables: [
        {
          title: t`Calls and Transfers by Contracts`,
          note: null,
          columns: [t`Operation`, t`From`, t`To`, t`Amount`],
          rows: internal.slice(0, MOST_INTERNAL).map((it) => internalRow(it, context)),
        },
      ],
    }),
  ];
}

function internalRow({ note, rejected, from, to, values }: InternalTransaction, context: SectionContext): CellRow {
  const operation = visibleLine(note);
  const amounts = values
    .filter(({ amount }) => amount > 0n)
    .map(({ amount, tokenId }) =>
      tokenId === undefined
        ? coinsText(sun(amount), context.symbol)
        : t`${grouped(amount)} units of token ${visibleLine(tokenId)}`,
    );
  return [
    cell(rejected ? t`${operation} (reverted)` : operation),
    partyCell(from, context),
    partyCell(to, context),
    cell(amounts.length === 0 ? coinsText(sun(0n), context.symbol) : amounts.join(t`, `)),
  ];
}

function partyCell(address: Address | undefined, { facts, nameOf }: SectionContext): TableCell {
  if (address === undefined) return cell(t`not reported`);
  return { text: contractText(address, facts, nameOf), copy: toBase58(address) };
}

/** Longest text of raw data that the page shows. A copy as JSON has all of it. */
const MOST_RAW = 60_000;

/** Describes the signed bytes. */
export function describeRaw(tracked: TrackedTransaction, facts: TransactionFacts): TransactionSection {
  const { signed } = tracked;
  const hex = signed?.rawDataHex ?? facts.rawDataHex;
  const signatures = signed === undefined ? [] : [row(t`Signatures`, signatureCount(signed))];
  if (hex === undefined) {
    return section("raw", t`Raw`, {
      note: t`The signed bytes are not in the journal of this computer.`,
      rows: signatures,
    });
  }
  const json = rawDataJson(hex);
  return section("raw", t`Raw`, {
    rows: [...signatures, row(t`Size of raw_data`, counted(hex.length / 2, t`byte`, t`bytes`))],
    texts: [
      ...(json === undefined ? [] : [{ title: t`raw_data as JSON`, text: clipped(printJson(json, 2)) }]),
      { title: t`raw_data as hex`, text: clipped(hex) },
    ],
  });
}

function signatureCount({ signatures, quorum }: SignedPart): string {
  const count = grouped(signatures.length);
  return quorum === undefined ? count : t`${count}, weight ${String(quorum.weight)} of ${String(quorum.threshold)}`;
}

/** Returns the node's JSON of `raw_data`; undefined for malformed bytes. */
export function rawDataJson(rawDataHex: Hex) {
  try {
    return rawDataToJson(decodeRawData(hexToBytes(rawDataHex)).raw, false);
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

function clipped(text: string): string {
  return visibleText(text, MOST_RAW);
}
