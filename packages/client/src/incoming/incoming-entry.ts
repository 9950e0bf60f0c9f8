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
import { chainId, type NetworkRef } from "../gateway/network.ts";

const trc10Id = matching(/^[1-9]\d{0,18}$/, t`the number of a token`);

const paidToken = byKind({
  coins: object({}),
  trc10: object({ id: trc10Id }),
  trc20: object({ contract: address }),
});

/** What is paid in. Amounts are sun, or the smallest part of the token: what its decimals are is the token's word. */
export type PaidToken = ReadOf<typeof paidToken>;

/** The id of a watch: 16 hex digits of chance. */
export const watchId = matching(/^[0-9a-f]{16}$/, t`the id of a watch`);

export const incomingWatch = object(
  {
    id: watchId,
    network: text,
    address,
    token: paidToken,
    /** The block after which payments count: the newest solidified one when the watch began. */
    after: blockReference,
    /** Local clock, Unix ms. */
    at: wholeNumber,
  },
  {
    /** The chain that the network was then, where it said so. */
    chain: chainId,
    /** How much is waited for in all, in the unit of the token; without it the watch goes on until it is stopped. */
    expected: integerText,
    label: text,
  },
);

/** That payments to an address are looked for, since when, and how much is waited for. */
export type IncomingWatch = ReadOf<typeof incomingWatch>;

export const payment = object(
  {
    txId,
    /** Where in the transaction: `contract`, `value`, `token`, `log 2`, `internal 0.1`. With the txID it is one payment. */
    path: matching(/^(?:contract|value|token|log \d+|internal \d+\.\d+)$/, t`a place in a transaction`),
    from: address,
    to: address,
    token: paidToken,
    amount: integerText,
    block: blockReference,
  },
  {
    /** Read from a receipt, which is no part of the block's id: the gateway's word. */
    claimed: mark,
  },
);

/** Something that an address was paid in a solidified block. */
export type Payment = ReadOf<typeof payment>;

export const payments = listOf(payment);

/** Under what the watches and payments of one chain stand together: its identity, else the name of the network. */
export function chainKey({ network, chain }: NetworkRef): string {
  return chain ?? `network ${network}`;
}

/** Whether two payments are in the same coins or token, as a text to compare. */
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

/** What tells a payment from every other one of its chain, however often it is read. */
export function paymentKey({ txId: id, path }: { readonly txId: TxId; readonly path: string }): string {
  return `${id} ${path}`;
}

/** Where payments of a kind go. */
export function receiverKey({ to, token }: { readonly to: Address; readonly token: PaidToken }): string {
  return `${to} ${tokenKey(token)}`;
}

/** A set of watches that one read serves: a hash of their ids. */
const groupId = matching(/^[0-9a-f]{16}$/, t`the id of a group`);
const position = object({ number: wholeNumber, id: blockId });

const entry = byKind({
  /** A watch began. With how far it was read, when the file was written anew. */
  begun: object(
    { watch: incomingWatch },
    {
      readTo: blockReference,
      readAt: wholeNumber,
      partly: mark,
      stoppedAt: wholeNumber,
      hiddenAt: wholeNumber,
      partedAt: wholeNumber,
    },
  ),
  stopped: object({ id: watchId, at: wholeNumber }),
  hidden: object({ id: watchId, at: wholeNumber }),
  /** Which watches the reads under this name serve. */
  group: object({ group: groupId, of: text, ids: listOf(watchId) }),
  /** All blocks after one and up to another were read for a group, and this is what was paid in them: one fact. */
  read: object({ group: groupId, after: position, to: blockReference, at: wholeNumber, payments }, { partly: mark }),
  /** What was known when the file was written anew. */
  found: object({ of: text, payments: listOf(object({ payment, withdrawn: flag })) }),
  /** Blocks of one chain that were read, in ascending order; the last one is where somebody is. */
  path: object({ path: listOf(blockReference) }),
  /** The gateway tells other blocks than those that led to one that was read: up to another one they are the same. */
  forked: object({ of: text, from: blockId, to: blockReference, at: wholeNumber }),
  /** No block that led to this one is there any more, as far as was looked. */
  parted: object({ of: text, from: blockId, at: wholeNumber }),
});

/** A line about incoming payments. What is known is the fold of all lines in their order (`IncomingLedger`). */
export type IncomingEntry = ReadOf<typeof entry>;

const line = object({ v: wholeNumber, it: entry });
const VERSION = 1;

/** An entry as a line of text. */
export function encodeIncoming(it: IncomingEntry): string {
  return JSON.stringify({ v: VERSION, it }, (_name, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

/** The entry of a line; undefined for one that is torn, damaged, or of a newer version. */
export function decodeIncoming(text: string): IncomingEntry | undefined {
  const read = tryReadJson(line, text);
  return read?.v === VERSION ? read.it : undefined;
}
