import type { ContractProxy, ProxyKind } from "@finality/client/contracts";
import { networkLabel } from "@finality/client/gateway";
import { quoted, transactionLabel } from "@finality/client/labels";
import type { TrackedTransaction } from "@finality/client/tracking";
import { type AbiCandidate, type ContractFunction, onlyReads } from "@finality/tron/abi";
import { coinsText, grouped, type NameOf, shortAddress } from "@finality/tron/format";
import {
  type Address,
  type ForeignText,
  foreignText,
  nameText,
  type Sun,
  type TxId,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { functionText, MOST_NAMES, outputsText } from "./contracts.view.ts";

/** Contract in the list of a network. */
export interface ListedContract {
  readonly network: string;
  readonly address: Address;
  /** Name of the deployment or of the record; empty if there is none. */
  readonly name: ForeignText;
  readonly source: "deployed" | "added" | "recorded";
  /** File of the deployment record; empty for others. */
  readonly record: ForeignText;
}

/** Comparison of the code on the chain with the artifact of the contract. */
export type CodeComparison =
  | { readonly kind: "same" | "differs" | "incomparable"; readonly artifact: string }
  | { readonly kind: "no-artifact" };

/** Data of a contract whose row was expanded. */
export type ContractDetails =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly reason: string }
  /** The gateway reports no contract at the address. */
  | { readonly kind: "missing" }
  | {
      readonly kind: "known";
      /** Undefined if the gateway does not report it. */
      readonly balance: Sun | undefined;
      readonly code: CodeComparison;
      /** Keccak-256 of the runtime code, hex; undefined if the node does not return the code. */
      readonly codeHash: string | undefined;
      readonly proxy: ContractProxy | undefined;
      /** Source of the ABI; empty if there is none. */
      readonly origin: ForeignText;
      readonly functions: readonly ContractFunction[];
      /** Functions that cannot be called, because their parameter types are unknown. */
      readonly lost: readonly ForeignText[];
      readonly events: readonly Pick<AbiCandidate, "name" | "parameters">[];
    };

/** Last result of a function that reads. */
export type ReadValue =
  | { readonly kind: "reading" }
  | { readonly kind: "value"; readonly text: string /** With names for addresses. */; readonly named: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Everything that the rows of one contract show. */
export interface ContractState {
  readonly contract: ListedContract;
  /** Undefined until the row is expanded. */
  readonly details: ContractDetails | undefined;
  /** By the signature of the function. */
  readonly values: ReadonlyMap<string, ReadValue>;
  /** Newest first. */
  readonly transactions: readonly TrackedTransaction[];
}

export interface ContractListContext {
  readonly nameOf: NameOf;
  /** Returns whether the user named this address. */
  readonly isNamedByUser: (address: Address) => boolean;
  readonly activeNetwork: string | undefined;
  readonly symbolOf: (network: string) => string | undefined;
}

/** Argument of the commands of a row. */
interface RowTarget {
  readonly network?: string;
  /** base58. */
  readonly address?: string;
  readonly contract?: string;
  /** Signature. */
  readonly function?: string;
  readonly txId?: TxId;
}

/** Row of the view: text, icon, and the argument of its commands. */
export interface ContractRow extends RowTarget {
  /** Unique in the view. */
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
  readonly color?: string;
  readonly contextValue: string;
  readonly spoken: string;
  readonly tooltip: string;
  /** Command of a click. */
  readonly command?:
    | "finality.readContract"
    | "finality.callContract"
    | "finality.showTransaction"
    | "finality.copyAddress";
  readonly isExpanded?: boolean;
  /** Undefined for a row that cannot be expanded. */
  readonly children?: readonly ContractRow[];
}

/** Returns the rows of the view: a row for each network with contracts, the active network first and expanded. */
export function contractRows(all: readonly ContractState[], context: ContractListContext): readonly ContractRow[] {
  const networks = [...new Set(all.map(({ contract }) => contract.network))];
  const rank = (network: string): number => (network === context.activeNetwork ? 0 : 1);
  return networks
    .sort((left, right) => rank(left) - rank(right))
    .map((network) => {
      const contracts = all.filter(({ contract }) => contract.network === network);
      const isActive = network === context.activeNetwork;
      return {
        id: network,
        kind: "contractNetwork",
        label: networkLabel(network),
        description: String(contracts.length),
        icon: "globe",
        contextValue: "contractNetwork",
        spoken: isActive ? t`${network}, active network, contracts` : t`${network}, contracts`,
        tooltip: networkLabel(network),
        network,
        isExpanded: isActive,
        children: contracts.map((it) => contractRow(it, context)),
      };
    });
}

function contractRow(state: ContractState, context: ContractListContext): ContractRow {
  const { contract, details } = state;
  const { network, address } = contract;
  const label = contractLabel(contract, context);
  const short = shortAddress(address);
  const notes = detailNotes(state, context);
  const description = [...notes, ...(label === short ? [] : [short])].join(" · ");
  const id = `${network} ${address}`;
  return {
    id,
    kind: "contract",
    label,
    description,
    ...contractIcon(details),
    contextValue: "contract",
    spoken: [label, ...notes, toBase58(address)].join(", "),
    tooltip: [toBase58(address), sourceText(contract)].join("\n"),
    network,
    address: toBase58(address),
    contract: toBase58(address),
    children: detailRows(id, state, context),
  };
}

/** Returns the user's name of a contract. A name that only the workspace vouches for is quoted. */
function contractLabel(
  { address, name, source }: ListedContract,
  { nameOf, isNamedByUser }: ContractListContext,
): string {
  const isClaim = source === "recorded" && !isNamedByUser(address) && nameText(name) !== "";
  return isClaim ? quoted(name) : (nameOf(address) ?? nameText(name, shortAddress(address)));
}

function contractIcon(details: ContractDetails | undefined): Pick<ContractRow, "icon" | "color"> {
  if (details?.kind === "missing") return { icon: "circle-slash" };
  if (details?.kind === "failed") return { icon: "warning", color: "list.warningForeground" };
  if (details?.kind === "known" && details.code.kind === "differs")
    return { icon: "warning", color: "list.warningForeground" };
  return { icon: "symbol-class" };
}

function detailNotes({ contract, details }: ContractState, { symbolOf }: ContractListContext): readonly string[] {
  switch (details?.kind) {
    case undefined:
      return contract.source === "recorded" ? [t`recorded`] : [];
    case "loading":
      return [t`reading…`];
    case "failed":
      return [t`not read`];
    case "missing":
      return [t`not on this network`];
    case "known":
      return [
        ...(details.code.kind === "differs" ? [t`code differs`] : []),
        ...(details.proxy === undefined ? [] : [t`proxy`]),
        ...(details.balance === undefined ? [] : [coinsText(details.balance, symbolOf(contract.network))]),
      ];
  }
}

function sourceText({ source, record }: ListedContract): string {
  if (source === "deployed") return t`Deployed from here`;
  return source === "added" ? t`Added by you` : t`Recorded in ${visibleLine(record)}`;
}

function detailRows(id: string, state: ContractState, context: ContractListContext): readonly ContractRow[] {
  const { contract, details } = state;
  const fact = (key: string, row: FactText): ContractRow => factRow(`${id} ${key}`, row);
  const address = fact("address", {
    label: t`Address`,
    description: toBase58(contract.address),
    icon: "copy",
    tooltip: t`Copy ${toBase58(contract.address)}`,
    contextValue: "contractAddress",
    command: "finality.copyAddress",
    address: toBase58(contract.address),
  });
  switch (details?.kind) {
    case undefined:
    case "loading":
      return [address, fact("loading", { label: t`Reading the contract…`, icon: "loading~spin" })];
    case "failed":
      return [address, fact("failed", { label: details.reason, icon: "warning", tooltip: details.reason })];
    case "missing": {
      const label = t`There is no contract at this address on ${contract.network}.`;
      return [address, fact("missing", { label, icon: "circle-slash", tooltip: sourceText(contract) })];
    }
    case "known": {
      const { balance } = details;
      const known = balance !== undefined;
      const amount = known ? coinsText(balance, context.symbolOf(contract.network)) : t`not available`;
      return [
        address,
        fact("balance", { label: t`Balance`, description: amount, icon: "credit-card" }),
        fact("code", codeText(details)),
        ...(details.proxy === undefined ? [] : [fact("proxy", proxyText(details.proxy, context.nameOf))]),
        fact("abi", abiText(details)),
        ...functionGroups(id, state, details),
        ...eventGroup(id, details),
        ...transactionGroup(id, state, context),
      ];
    }
  }
}

type KnownDetails = Extract<ContractDetails, { kind: "known" }>;
type FactText = Pick<ContractRow, "label" | "icon"> & Partial<Omit<ContractRow, "label" | "icon" | "id">>;

function factRow(id: string, { label, description = "", ...row }: FactText): ContractRow {
  const spoken = description === "" ? label : `${label}: ${description}`;
  return {
    kind: "contractFact",
    contextValue: "contractFact",
    tooltip: spoken,
    ...row,
    id,
    label,
    description,
    spoken,
  };
}

function codeText({ code, codeHash }: KnownDetails): FactText {
  const hash = codeHash === undefined ? [] : [t`Keccak-256 of the code: ${codeHash}`];
  const texts = codeTexts(code);
  const differs = code.kind === "differs" ? { color: "list.warningForeground" } : {};
  const icon = code.kind === "differs" ? "warning" : code.kind === "same" ? "check" : "file-binary";
  return { label: t`Code`, description: texts.short, icon, tooltip: [texts.long, ...hash].join("\n"), ...differs };
}

function codeTexts(code: CodeComparison): { readonly short: string; readonly long: string } {
  const artifact = "artifact" in code ? visibleLine(code.artifact) : "";
  switch (code.kind) {
    case "no-artifact":
      return { short: t`no artifact`, long: t`This window has no artifact of this contract to compare with.` };
    case "same":
      return {
        short: t`same code as ${artifact}`,
        long: t`According to this gateway, the code is that of ${artifact}.`,
      };
    case "differs":
      return {
        short: t`differs from ${artifact}`,
        long: t`According to this gateway, the code is not that of ${artifact}: functions and arguments may have other effects there.`,
      };
    case "incomparable":
      return { short: t`not compared with ${artifact}`, long: t`The code cannot be compared with ${artifact}.` };
  }
}

const PROXY_NAMES: { readonly [K in ProxyKind]: string } = {
  "eip-1167": "EIP-1167",
  "eip-1822": "EIP-1822",
  "eip-1967": "EIP-1967",
  "eip-1967-beacon": "EIP-1967, beacon",
};

function proxyText({ kind, implementation, beacon, source }: ContractProxy, nameOf: NameOf): FactText {
  const label = t`Proxy`;
  if (implementation === undefined) {
    const reason = t`This gateway does not serve the storage of contracts, and the proxy has no function that returns its implementation.`;
    return {
      label,
      description: `${t`implementation not readable`} · ${PROXY_NAMES[kind]}`,
      icon: "references",
      tooltip: reason,
    };
  }
  const lines = [
    t`Implementation: ${toBase58(implementation)}`,
    ...(beacon === undefined ? [] : [t`Beacon: ${toBase58(beacon)}`]),
    proxySource(source),
  ];
  return {
    label,
    // A narrow view cuts the end off, so the kind is behind the address.
    description: `→ ${shortAddress(implementation, nameOf)} · ${PROXY_NAMES[kind]}`,
    icon: "references",
    tooltip: lines.join("\n"),
    contextValue: "contractAddress",
    address: toBase58(implementation),
    command: "finality.copyAddress",
  };
}

function proxySource(source: ContractProxy["source"]): string {
  if (source === "code") return t`Read from its code.`;
  return source === "storage" ? t`Read from its storage.` : t`Returned by its own function, which can return anything.`;
}

function abiText({ origin, functions, lost }: KnownDetails): FactText {
  const text = visibleLine(origin);
  const description = text === "" ? t`not known` : text;
  const none = functions.length === 0 ? [t`Add the contract with an ABI to call its functions.`] : [];
  const more = lost.length > MOST_NAMES ? [t`${grouped(lost.length - MOST_NAMES)} more`] : [];
  const left = [...lost.slice(0, MOST_NAMES).map((it) => nameText(it)), ...more];
  const missing =
    lost.length === 0
      ? []
      : [t`Cannot be called, because the ABI lacks their types or the types are not supported: ${left.join(", ")}`];
  return { label: "ABI", description, icon: "json", tooltip: [description, ...none, ...missing].join("\n") };
}

function functionGroups(id: string, state: ContractState, { functions }: KnownDetails): readonly ContractRow[] {
  const { network, address } = state.contract;
  const group = (kind: string, label: string, icon: string, fits: (fn: ContractFunction) => boolean) => {
    const rows = functions.filter(fits).map((fn) => functionRow(id, state, fn));
    const target = { kind, network, contract: toBase58(address) };
    return rows.length === 0 ? [] : [{ ...groupRow({ id: `${id} ${kind}`, label, icon }, rows), ...target }];
  };
  return [
    ...group("contractReads", t`Read`, "eye", onlyReads),
    ...group("contractCalls", t`Call`, "play", (fn) => !onlyReads(fn)),
  ];
}

function functionRow(id: string, { contract, values }: ContractState, fn: ContractFunction): ContractRow {
  const { signature } = fn;
  const reads = onlyReads(fn);
  const value = values.get(signature);
  const label = functionText(fn);
  const kind = reads ? "contractFunction.read" : "contractFunction.call";
  const description = value === undefined ? outputsText(fn) : valueText(value);
  return {
    id: `${id} ${signature}`,
    kind: "contractFunction",
    label,
    description,
    icon: reads ? "symbol-property" : "symbol-method",
    contextValue: value?.kind === "value" ? `${kind}+value` : kind,
    spoken: [label, description].filter(Boolean).join(" "),
    tooltip: [label, fn.mutability, value?.kind === "value" ? `= ${visibleLine(value.text)}` : description]
      .filter(Boolean)
      .join("\n"),
    network: contract.network,
    contract: toBase58(contract.address),
    function: signature,
    command: reads ? "finality.readContract" : "finality.callContract",
  };
}

function valueText(value: ReadValue): string {
  switch (value.kind) {
    case "reading":
      return t`reading…`;
    case "value":
      return `= ${visibleLine(value.named)}`;
    case "failed":
      return t`failed: ${visibleLine(value.reason)}`;
  }
}

function eventGroup(id: string, { events }: KnownDetails): readonly ContractRow[] {
  if (events.length === 0) return [];
  const rows = events.map((event, at) => {
    const label = functionText({ name: foreignText(event.name), parameters: event.parameters });
    return factRow(`${id} event ${at}`, { label, icon: "symbol-event" });
  });
  return [groupRow({ id: `${id} events`, label: t`Events`, icon: "symbol-event" }, rows)];
}

function transactionGroup(id: string, state: ContractState, { nameOf }: ContractListContext): readonly ContractRow[] {
  const { transactions } = state;
  if (transactions.length === 0) return [];
  const rows = transactions.map((tracked): ContractRow => {
    const label = transactionLabel(tracked, nameOf);
    const [icon, description] = stateText(tracked);
    return {
      id: `${id} ${tracked.txId}`,
      kind: "contractTransaction",
      label,
      description,
      icon,
      contextValue: "contractTransaction",
      spoken: `${label}, ${description}`,
      tooltip: `${label}\n${tracked.txId}`,
      txId: tracked.txId,
      command: "finality.showTransaction",
    };
  });
  return [groupRow({ id: `${id} transactions`, label: t`Transactions`, icon: "list-unordered" }, rows)];
}

function stateText({ state }: TrackedTransaction): readonly [icon: string, description: string] {
  switch (state.kind) {
    case "signed":
      return ["lock", t`not sent`];
    case "unknown":
      return ["question", t`outcome unknown`];
    case "pending":
      return ["clockface", t`accepted, not final`];
    case "included":
      return ["package", t`block ${grouped(state.block.number)}, not final`];
    case "solidified":
      return state.outcome.kind === "failed" ? ["error", t`failed`] : ["pass", t`final`];
    case "rejected":
      return ["circle-slash", t`rejected`];
    case "proven-absent":
      return ["history", t`proven absent`];
    case "replaced":
      return ["arrow-swap", t`replaced`];
  }
}

function groupRow(
  { id, label, icon }: Pick<ContractRow, "id" | "label" | "icon">,
  children: readonly ContractRow[],
): ContractRow {
  const count = String(children.length);
  return {
    id,
    kind: "contractGroup",
    label,
    description: count,
    icon,
    contextValue: "contractGroup",
    spoken: `${label}, ${count}`,
    tooltip: label,
    children,
  };
}
