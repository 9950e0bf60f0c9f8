import { coinSymbolOf, isSameChain } from "@finality/client/gateway";
import {
  type NewRow,
  type RunFile,
  type RunReview,
  type RunStore,
  reviewRun,
  type ValidatedRun,
  validateRun,
} from "@finality/client/runs";
import { ArtifactIndex } from "@finality/tron/abi";
import { grouped } from "@finality/tron/format";
import { type Address, defined } from "@finality/tron/primitives";
import { callContext, readArtifacts } from "./call-context.ts";
import type { Context, Invocation } from "./command.ts";
import type { Sender } from "./sender.ts";

/** A validated file with the review of the whole run. */
export interface ReviewedRows {
  readonly rows: readonly NewRow[];
  readonly run: ValidatedRun;
  readonly review: RunReview;
}

interface ReviewContext {
  readonly invocation: Invocation;
  readonly context: Context;
  readonly store: RunStore;
  readonly owner: Address;
  readonly addresses: ReadonlyMap<string, Address>;
  /** Name of the file. */
  readonly name: string;
  /** Maximum number of rows that are sent at once. */
  readonly concurrency: number;
}

/** Recipients that are queried; the cost counts the others as new accounts. */
const QUERIES = 500;

/**
 * Validates the rows of a file against the network, the journal and the runs of the store. Nothing is signed.
 *
 * @throws {CliError} `INPUT_UNREADABLE`
 * @throws {ChainError} the errors of the gateway
 */
export async function reviewRunFile(file: RunFile, sender: Sender, here: ReviewContext): Promise<ReviewedRows> {
  const { invocation, context, store, owner, addresses, name, concurrency } = here;
  const { tracker, network, tokenAt, connection } = sender;
  const { profile, gateway } = connection;
  const artifacts =
    file.kind === "calls"
      ? await readArtifacts(invocation, context.terminal)
      : { index: NO_ARTIFACTS, bytecodes: NONE };
  const run = await validateRun(file, {
    ...{ owner, gateway, tokenAt },
    calls: callContext(artifacts, profile, { addresses, caller: owner }),
    history: tracker
      .list()
      .flatMap((it) => (it.signed !== undefined && isSameChain(it, network) ? [it.signed.intent] : [])),
    named: [...addresses.values()],
    earlier: { store, chain: network.chain },
    // A file with wrong cells is corrected first, so the chain is not asked about its recipients.
    queries: file.refusals.length > 0 ? 0 : QUERIES,
    signal: new AbortController().signal,
    progress: (done, total) => context.show(`checking ${grouped(done)} of ${grouped(total)} recipients`),
  });
  const names = new Map([...addresses].map(([named, address]) => [address, named]));
  const review = reviewRun(run, {
    network: { name: profile.name, production: sender.isRealMoney },
    symbol: coinSymbolOf(profile.baseUrl),
    ...{ owner, file: name, concurrency, nameOf: (address: Address) => names.get(address) },
  });
  const rows = run.rows.map(({ row, key, intent, label }) => ({ row, key, intent, ...defined({ label }) }));
  return { rows, run, review };
}

/** A table of payments calls no contract by name. */
const NO_ARTIFACTS = new ArtifactIndex();
const NONE: ReadonlyMap<string, string> = new Map();
