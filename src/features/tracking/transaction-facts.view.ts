import { storedSignature, transactionLabel } from "@finality/client/labels";
import { deploymentOf, type TrackedTransaction } from "@finality/client/tracking";
import { type NameOf, shortAddress } from "@finality/tron/format";
import { type Address, hexToBytes, type TxId, toBase58 } from "@finality/tron/primitives";
import { type Intent, partiesOf } from "@finality/tron/transaction";

/** Names and notes that are not part of a tracked transaction. */
export interface FactContext {
  readonly nameOf: NameOf;
  /** Network that tracks it. */
  readonly networkOf: (tracked: TrackedTransaction) => string;
  /** Returns the signature of a called function by its selector, eight hex digits; undefined if no ABI has it. */
  readonly functionOf: (selector: string) => string | undefined;
  readonly noteOf: (txId: TxId) => string | undefined;
}

/** Returns the account that pays; undefined for a transaction that is tracked by its txID alone. */
export function accountOf({ signed }: TrackedTransaction): Address | undefined {
  return signed?.intent.owner;
}

/** Returns the contract that a transaction calls, changes or has deployed. */
export function contractOf(tracked: TrackedTransaction): Address | undefined {
  const intent = tracked.signed?.intent;
  if (intent !== undefined && "contract" in intent) return intent.contract;
  return deploymentOf(tracked)?.address;
}

/** Returns the account that receives something; undefined if there is none or several. */
export function recipientOf(intent: Intent): Address | undefined {
  if (intent.kind === "account-creation") return intent.account;
  const parties = partiesOf(intent);
  return parties.length === 1 ? parties[0] : undefined;
}

const SELECTOR_DIGITS = 8;

/** Returns the signature of the called function, or its selector if no ABI has it. */
export function functionOf(tracked: TrackedTransaction, context: Pick<FactContext, "functionOf">): string | undefined {
  const { signed } = tracked;
  const intent = signed?.intent;
  if (intent?.kind !== "contract-call" || intent.data.length < SELECTOR_DIGITS) return undefined;
  const selector = intent.data.slice(0, SELECTOR_DIGITS);
  return (signed && storedSignature(signed)) ?? context.functionOf(selector) ?? `0x${selector}`;
}

/** Returns the memo as text; bytes that are not UTF-8 as hex. */
export function memoOf({ signed }: TrackedTransaction): string | undefined {
  const intent = signed?.intent;
  const memo = intent !== undefined && "memo" in intent ? intent.memo : undefined;
  if (memo === undefined || memo === "") return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(hexToBytes(memo));
  } catch (error) {
    if (error instanceof TypeError) return `0x${memo}`;
    throw error;
  }
}

/** Returns the tags of a note: its words that begin with `#`, in lower case, each once. */
export function tagsIn(note: string | undefined): readonly string[] {
  const found = note?.match(/(?<=^|\s)#[\p{L}\p{N}_-]+/gu) ?? [];
  return [...new Set(found.map((it) => it.toLowerCase()))];
}

/** Returns the state for filters: its kind, or `failed` for a final transaction that failed. */
export function stateOf({ state }: TrackedTransaction): string {
  return state.kind === "solidified" && state.outcome.kind === "failed" ? "failed" : state.kind;
}

/** Returns everything that a search finds a transaction by, in lower case. */
export function searchTextOf(tracked: TrackedTransaction, context: FactContext): string {
  const { txId, signed } = tracked;
  const intent = signed?.intent;
  const addresses = [
    accountOf(tracked),
    contractOf(tracked),
    ...(intent === undefined ? [] : [recipientOf(intent)]),
  ].filter((it) => it !== undefined);
  const texts = [
    txId,
    transactionLabel(tracked, context.nameOf),
    context.networkOf(tracked),
    ...addresses.flatMap((it) => [it, toBase58(it), context.nameOf(it)]),
    functionOf(tracked, context),
    memoOf(tracked),
    context.noteOf(txId),
  ];
  return texts
    .filter((it) => it !== undefined)
    .join("\n")
    .toLowerCase();
}

/** Returns the name of an address, else the whole address: two ends of it may belong to another one. */
export function addressText(address: Address, nameOf: NameOf): string {
  return nameOf(address) === undefined ? toBase58(address) : shortAddress(address, nameOf);
}
