import { type Address, blockId, blockReference, type TxId, toBase58 } from "@finality/tron/primitives";
import {
  address,
  byKind,
  flag,
  integerText,
  listOf,
  mark,
  matching,
  object,
  type ReadOf,
  text,
  tryReadJson,
  txId,
  wholeNumber,
} from "@finality/tron/read";
import { t } from "@vscode/l10n";
import {
  type EventWatch,
  eventWatch,
  foundEvent,
  watchedEvent,
  watchId,
  watchProgress,
} from "../events/event-entry.ts";
import { chainId, type NetworkRef } from "../gateway/network.ts";

const trc10Id = matching(/^[1-9]\d{0,18}$/, t`the number of a token`);

const paidToken = byKind({
  coins: object({}),
  trc10: object({ id: trc10Id }),
  trc20: object({ contract: address }),
});

/**
 * Coins or token of a payment. Amounts are in sun, or in the smallest unit of the token. The number of decimals is the
 * token's own claim.
 */
export type PaidToken = ReadOf<typeof paidToken>;

export const incomingWatch = object(
  {
    id: watchId,
    network: text,
    address,
    token: paidToken,
    /** Payments in later blocks count: the newest solidified block when the watch began. */
    after: blockReference,
    /** Local clock, Unix ms. */
    at: wholeNumber,
  },
  {
    /** Chain of the network at that time, if known. */
    chain: chainId,
    /** Total amount to wait for, in the unit of the token. Without it the watch continues until it is stopped. */
    expected: integerText,
    label: text,
  },
);

/** Watch for payments to an address, with its start and the expected amount. */
export type IncomingWatch = ReadOf<typeof incomingWatch>;

/** Watch for which blocks are read. */
export type BlockWatch = IncomingWatch | EventWatch;

/** Returns whether a watch is for events of a contract. */
export function isEventWatch(watch: BlockWatch): watch is EventWatch {
  return "contract" in watch;
}

export const payment = object(
  {
    txId,
    /**
     * Location in the transaction: `contract`, `value`, `token`, `log 2`, `internal 0.1`. Together with the txID it
     * identifies one payment.
     */
    path: matching(/^(?:contract|value|token|log \d+|internal \d+\.\d+)$/, t`a position in a transaction`),
    from: address,
    to: address,
    token: paidToken,
    amount: integerText,
    block: blockReference,
  },
  {
    /** True if it was read from a receipt, which the block ID does not cover: the gateway's claim. */
    claimed: mark,
  },
);

/** Payment to an address in a solidified block. */
export type Payment = ReadOf<typeof payment>;

const payments = listOf(payment);

/** Returns the key of a chain for watches and payments: its identity, else the name of the network. */
export function chainKey({ network, chain }: NetworkRef): string {
  return chain ?? `network ${network}`;
}

/** Returns the coins or token of a payment as text, to compare two payments. */
function tokenKey(token: PaidToken): string {
  switch (token.kind) {
    case "coins":
      return "coins";
    case "trc10":
      return `TRC-10 ${token.id}`;
    case "trc20":
      return `TRC-20 ${toBase58(token.contract)}`;
  }
}

/** Returns the key that identifies a payment on its chain, regardless of how often the payment is read. */
export function paymentKey({ txId: id, path }: { readonly txId: TxId; readonly path: string }): string {
  return `${id} ${path}`;
}

/** Returns the key of a receiver and the coins or token that it receives. */
export function receiverKey({ to, token }: { readonly to: Address; readonly token: PaidToken }): string {
  return `${to} ${tokenKey(token)}`;
}

/** Returns the key of what a watch counts: payments to a receiver, or events of a contract. */
export function subjectKey(watch: BlockWatch): string {
  return isEventWatch(watch) ? `events ${watch.contract}` : receiverKey({ to: watch.address, token: watch.token });
}

/** Returns the key of a set of watches that share reads: a hash of their IDs. */
const groupId = matching(/^[0-9a-f]{16}$/, t`the id of a group`);
const position = object({ number: wholeNumber, id: blockId });

const entry = byKind({
  /** Start of a watch. Includes the read progress if the file was rewritten. */
  begun: object({ watch: incomingWatch }, watchProgress),
  /** The same for a watch for events. */
  "events-begun": object({ watch: eventWatch }, watchProgress),
  stopped: object({ id: watchId, at: wholeNumber }),
  /** End of a stop: blocks are read again, from the one after the position of the watch. */
  resumed: object({ id: watchId, at: wholeNumber }),
  hidden: object({ id: watchId, at: wholeNumber }),
  /** Watches that the reads under this name serve. */
  group: object({ group: groupId, of: text, ids: listOf(watchId) }),
  /** Result of reading all blocks between two heights for a group: the payments and events in them. One entry. */
  read: object(
    { group: groupId, after: position, to: blockReference, at: wholeNumber, payments },
    { partly: mark, events: listOf(watchedEvent) },
  ),
  /** Payments that were known when the file was rewritten. */
  found: object({ of: text, payments: listOf(object({ payment, withdrawn: flag })) }),
  /** The same for events. */
  "events-found": object({ of: text, events: listOf(foundEvent) }),
  /** Blocks of one chain that were read, in ascending order. The last one is the current position of a watch. */
  path: object({ path: listOf(blockReference) }),
  /**
   * The gateway reports other blocks than those that led to a block that was read: they are the same up to another
   * block.
   */
  forked: object({ of: text, from: blockId, to: blockReference, at: wholeNumber }),
  /** None of the blocks that led to this one was found, within the limits of the search. */
  parted: object({ of: text, from: blockId, at: wholeNumber }),
});

/**
 * Line about incoming payments and events of contracts. The known state is the fold of all lines in their order
 * (`IncomingLedger`).
 */
export type IncomingEntry = ReadOf<typeof entry>;

const line = object({ v: wholeNumber, it: entry });
const VERSION = 1;

/** Encodes an entry as a line of text. */
export function encodeIncoming(it: IncomingEntry): string {
  return JSON.stringify({ v: VERSION, it }, (_name, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

/** Decodes a line; undefined if it is incomplete, damaged, or of a newer version. */
export function decodeIncoming(text: string): IncomingEntry | undefined {
  const read = tryReadJson(line, text);
  return read?.v === VERSION ? read.it : undefined;
}
