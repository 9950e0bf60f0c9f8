import type { Gateway, NetworkRef } from "@finality/client/gateway";
import { type KnownToken, readKnownToken } from "@finality/client/tokens";
import { type ChainSources, type JournalStore, TransactionTracker } from "@finality/client/tracking";
import { JournalFile } from "@finality/node/journal";
import { systemClock as clock } from "@finality/node/system-clock";
import { ChainError } from "@finality/tron/errors";
import { type Address, defined } from "@finality/tron/primitives";
import { partiesOf } from "@finality/tron/transaction";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import { type Connection, pinnedChains } from "./network.ts";
import type { Terminal } from "./terminal.ts";

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

/** Journal of a sender: the file alone, or the journal of a store of runs. */
export interface SenderJournal {
  readonly store: JournalStore;
  /** @throws {ChainError} `JOURNAL_NEWER` */
  requireReadable(): void;
  close(): Promise<void>;
}

function journalFile(folder: string): SenderJournal {
  const file = new JournalFile(folder);
  return { store: file, requireReadable: () => file.requireReadable(), close: () => file.close() };
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
  journal: SenderJournal = journalFile(folder),
): Promise<Sender> {
  const { profile, gateway, sources } = connection;
  const chains = pinnedChains(folder, connection);
  const { chain } = await chains.networkRefOf(profile);
  const networkOf = (ref: NetworkRef): string =>
    ref.chain !== undefined && ref.chain === chain ? profile.name : ref.network;
  const gatewayFor = async (name: string): Promise<Gateway> => {
    if (name === profile.name) return gateway;
    throw new ChainError("NETWORK_UNKNOWN", { network: name });
  };
  const tracker = new TransactionTracker({
    store: journal.store,
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

/** Returns the recipients and contracts of all transactions of the journal. */
export function paidAddresses({ tracker }: Sender): readonly Address[] {
  return tracker.list().flatMap(({ signed }) => (signed === undefined ? [] : partiesOf(signed.intent)));
}

interface Confirmation {
  readonly question: string;
  /** True if the review warns, so that a user has to read it. */
  readonly isDoubtful: boolean;
}

/**
 * Returns if the user agrees to a printed review. `--yes` agrees on test networks only, and to no review with a warning.
 *
 * @throws {CliError} `NOT_CONFIRMED`
 */
export async function confirmReview(
  { connection, isRealMoney }: Sender,
  { question, isDoubtful }: Confirmation,
  invocation: Invocation,
  terminal: Terminal,
): Promise<void> {
  if (!invocation.isOn("yes")) {
    if (await terminal.confirm(question)) return;
    throw new CliError("NOT_CONFIRMED", { cause: "The review was not confirmed." });
  }
  const { name } = connection.profile;
  const isTest = connection.isTest && !isRealMoney;
  if (isTest && !isDoubtful) return;
  const reason = isRealMoney ? `${name} uses real money` : `${name} is not in testNetworks`;
  const cause = `${isTest ? "The review has a warning" : reason}, so --yes is refused.`;
  throw new CliError("NOT_CONFIRMED", { cause });
}
