import type { NetworkProfile } from "@finality/client/gateway";
import { type Address, parseTxId, type TxId, toBase58 } from "@finality/tron/primitives";

type Explored = Pick<NetworkProfile, "explorerUrl">;

const HASH = /(?<![0-9a-f])(?:0x)?[0-9a-f]{64}(?![0-9a-f])/gi;

/** Returns the URL of a transaction at a block explorer. Supports the URL formats of common explorers. */
export function explorerPage(explorerUrl: string, txId: TxId): string {
  return `${explorerUrl.replace(/\/+$/, "")}/#/transaction/${txId}`;
}

/** Returns the URL of an address at a block explorer. */
export function explorerAddressPage(explorerUrl: string, address: Address): string {
  return `${explorerUrl.replace(/\/+$/, "")}/#/address/${toBase58(address)}`;
}

/** Returns the URL of a contract at a block explorer: its own page where one is known, else that of its address. */
export function explorerContractPage(explorerUrl: string, address: Address): string {
  const page = explorerAddressPage(explorerUrl, address);
  const isTronScan = /(?:^|\.)tronscan\.org$/.test(URL.parse(explorerUrl)?.hostname ?? "");
  return isTronScan ? page.replace("/#/address/", "/#/contract/") : page;
}

/** Pasted transaction: its txID, or its page at an explorer. */
export interface PastedTransaction {
  readonly txId: TxId;
  /** Origin of the page; undefined for a txID alone. */
  readonly origin?: string;
}

/** @returns undefined if the text names no transaction, or several */
export function pastedTransaction(text: string): PastedTransaction | undefined {
  const bare = parseTxId(text);
  if (bare !== undefined) return { txId: bare };
  const page = URL.parse(text.trim());
  if (page === null || !/^https?:$/.test(page.protocol)) return undefined;
  const [found, ...more] = [...new Set(page.href.match(HASH) ?? [])];
  const txId = found === undefined || more.length > 0 ? undefined : parseTxId(found);
  return txId && { txId, origin: page.origin };
}

/** Returns the networks whose explorer has this page. */
export function networksOf<N extends Explored>({ origin }: PastedTransaction, networks: readonly N[]): readonly N[] {
  return networks.filter(({ explorerUrl }) => explorerUrl !== undefined && URL.parse(explorerUrl)?.origin === origin);
}
