import type { Gateway, NetworkRef } from "@finality/client/gateway";
import { type KnownToken, readKnownToken } from "@finality/client/tokens";
import {
  type ChainSources,
  checkExpiry,
  conflictError,
  findDuplicates,
  recheckRejected,
  rejectedEquals,
  resubmitTransaction,
  storeTransaction,
  submitTransaction,
  TransactionTracker,
} from "@finality/client/tracking";
import { JournalFile } from "@finality/node/journal";
import { systemClock as clock } from "@finality/node/system-clock";
import { ChainError } from "@finality/tron/errors";
import { type Address, defined, type TxId } from "@finality/tron/primitives";
import type { KeySource } from "./key-source.ts";
import { type Connection, pinnedChains } from "./network.ts";
import type { PreparedTransaction } from "./prepare-transaction.ts";

/** Journal of this computer with its tracker, and the network to send to. */
export interface Sender {
  readonly tracker: TransactionTracker;
  readonly connection: Connection;
  readonly network: NetworkRef;
  /** True for Mainnet and for networks of the configuration that are marked, whatever else is marked. */
  readonly isRealMoney: boolean;
  readonly sources: ChainSources;
  /** Reads a token, whose decimals are compared with those of its first use. */
  tokenAt(address: Address): Promise<KnownToken>;
  close(): Promise<void>;
}

/**
 * Opens the journal for sending.
 *
 * @throws {ChainError} `JOURNAL_UNWRITABLE`, `JOURNAL_NEWER`, `CHAIN_CHANGED`, `CHAINS_DIFFER`
 */
export async function openSender(
  folder: string,
  connection: Connection,
  warn: (message: string) => void,
): Promise<Sender> {
  const { profile, gateway, sources } = connection;
  const chains = pinnedChains(folder, connection);
  const { chain } = await chains.networkRefOf(profile);
  const journal = new JournalFile(folder);
  const networkOf = (ref: NetworkRef): string =>
    ref.chain !== undefined && ref.chain === chain ? profile.name : ref.network;
  const gatewayFor = async (name: string): Promise<Gateway> => {
    if (name === profile.name) return gateway;
    throw new ChainError("NETWORK_UNKNOWN", { network: name });
  };
  const tracker = new TransactionTracker({
    store: journal,
    gatewayFor,
    networkFor: networkOf,
    sourcesFor: async () => sources,
    clock,
  });
  // Follows the lines of other programs, which decide who may send.
  for (const warning of await tracker.load()) warn(warning);
  journal.requireReadable();
  const urlsOf = async (name: string): Promise<readonly Gateway[]> => [await gatewayFor(name), ...sources.others];
  const network = { network: profile.name, ...defined({ chain }) };
  const fallbacks = profile.fallbackUrls.map((url) => ({ url, open: async () => connection.gatewayAt(url) }));
  return {
    tracker,
    connection,
    isRealMoney: profile.production || chains.isRealMoney(profile, connection.configuration.networks),
    network,
    tokenAt: (address) =>
      readKnownToken(address, { network, gateway, fallbacks, pins: chains.decimals }, new AbortController().signal),
    sources: { urlsOf, networkOf, clock, signal: new AbortController().signal },
    close: async () => {
      tracker.dispose();
      await journal.close();
    },
  };
}

/**
 * Signs, writes the signed bytes to the journal, and sends them. The caller has the consent of the user.
 *
 * @throws {ChainError} the errors of signing and submission, after which nothing was sent
 */
export async function signAndSubmit(
  { tracker, network, sources, connection }: Sender,
  { verified, solidHeight, estimatedEnergy, functionSignature, acknowledged }: PreparedTransaction,
  { key, label }: { readonly key: KeySource; readonly label: string | undefined },
): Promise<TxId> {
  const { txId, rawDataHex, intent, expiration } = verified;
  const intended = { ...network, txId, intent, acknowledged };
  const rechecked = rejectedEquals(tracker.list(), network, intent).map((it) => it.txId);
  const [refused] = await recheckRejected(tracker, intended, sources);
  if (refused !== undefined) throw conflictError(refused);
  const context = {
    ...network,
    intent,
    expiration,
    solidHeight,
    acknowledged,
    rechecked,
    functionSignature,
    ...defined({ estimatedEnergy, label }),
  };
  const services = { log: tracker, gateway: connection.gateway, clock };
  // An external signer may send the bytes itself, so the journal has them before it does.
  if (key.isExternal) {
    const bytes = { txId, rawDataHex, signatures: [] };
    await storeTransaction(services, bytes, { ...context, signers: [], isNew: true });
  }
  const signed = await key.sign(verified);
  await submitTransaction(services, signed, context);
  return txId;
}

/**
 * Sends the signed bytes of the journal again.
 *
 * @throws {ChainError} `RESEND_REFUSED`, `EQUAL_TRANSACTION_ALIVE`, after which nothing was sent
 */
export async function resend({ tracker, network, sources, connection }: Sender, txId: TxId): Promise<void> {
  const refused = (reason: string): ChainError => new ChainError("RESEND_REFUSED", { txId, reason });
  const tracked = tracker.get(txId);
  if (tracked?.signed === undefined) throw refused("The journal does not have its signed bytes.");
  const { intent, rawDataHex } = tracked.signed;
  const intended = { ...network, txId, intent, rawDataHex };
  const { onOtherChains: acknowledged } = await findDuplicates(tracker, intended, sources);
  const rechecked = rejectedEquals(tracker.list(), network, intent).map((it) => it.txId);
  const services = { log: tracker, gateway: connection.gateway, clock };
  await checkExpiry(services, txId);
  const result = await resubmitTransaction(services, txId, { acknowledged, rechecked });
  if (result.kind === "refused") throw refused(result.reason);
}
