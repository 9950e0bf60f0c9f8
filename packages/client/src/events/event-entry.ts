import type { TxId } from "@finality/tron/primitives";
import { blockReference } from "@finality/tron/primitives";
import {
  address,
  flag,
  hex,
  listOf,
  mark,
  matching,
  object,
  type ReadOf,
  text,
  txId,
  wholeNumber,
} from "@finality/tron/read";
import { t } from "@vscode/l10n";
import { chainId } from "../gateway/network.ts";
import { eventFilter } from "./event-filter.ts";

/** ID of a watch: 16 random hex digits. */
export const watchId = matching(/^[0-9a-f]{16}$/, t`the id of a watch`);

export const eventWatch = object(
  {
    id: watchId,
    network: text,
    contract: address,
    filter: eventFilter,
    /** Events in later blocks count: the block before the first one to read. */
    after: blockReference,
    /** Local clock, Unix ms. */
    at: wholeNumber,
  },
  {
    /** Chain of the network at that time, if known. */
    chain: chainId,
    /** Events of the contract as JSON of an ABI, to name what is read after the artifacts are gone. */
    abi: text,
    label: text,
  },
);

/** Watch for the events of a contract, with its first block and its filter. */
export type EventWatch = ReadOf<typeof eventWatch>;

export const watchedEvent = object({
  txId,
  /** Position among the events of the transaction. Together with the txID it identifies the event. */
  index: wholeNumber,
  contract: address,
  topics: listOf(hex),
  data: hex,
  block: blockReference,
});

/** Event in a solidified block. It was read from a receipt, which the block ID does not cover: the gateway's claim. */
export type WatchedEvent = ReadOf<typeof watchedEvent>;

export const foundEvent = object({ event: watchedEvent, withdrawn: flag });

/** Event, and whether the chain no longer contains it. */
export type FoundEvent = ReadOf<typeof foundEvent>;

/** Progress of a watch if the file was rewritten. */
export const watchProgress = {
  readTo: blockReference,
  readAt: wholeNumber,
  partly: mark,
  stoppedAt: wholeNumber,
  hiddenAt: wholeNumber,
  partedAt: wholeNumber,
} as const;

/** Returns the key that identifies an event on its chain, regardless of how often it is read. */
export function eventKey({ txId: id, index }: { readonly txId: TxId; readonly index: number }): string {
  return `${id} ${index}`;
}
