import { failureReason, loadDictionary, runOf } from "@finality/client/explain";
import { mayBeSameChain, type NetworkProfile, type NetworkRef } from "@finality/client/gateway";
import { stopText } from "@finality/client/labels";
import {
  contractOf,
  failureOf,
  stateNames,
  type TrackedTransaction,
  TransactionTracker,
} from "@finality/client/tracking";
import { systemClock as clock } from "@finality/node/system-clock";
import type { AbiIndex } from "@finality/tron/abi";
import {
  defined,
  type JsonObject,
  parseTxId,
  rawText,
  type TxId,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { CliError, EXIT, type ExitCode, withoutEditorSteps } from "./cli-error.ts";
import type { Context, Invocation } from "./command.ts";
import { readConfiguration } from "./configuration.ts";
import { journalFolder, noJournal, openTransaction } from "./journal.ts";
import { type Connection, chooseNetwork, connect, pinnedChains } from "./network.ts";

/** A transaction, its network and the tracker that has it. */
export interface TrackedHere {
  readonly txId: TxId;
  readonly tracker: TransactionTracker;
  readonly connection: Connection;
  /** Names of errors, for the reason of a failure. */
  readonly abi: AbiIndex;
  current(): TrackedTransaction;
  /** Reports a network that does not answer. */
  warn(message: string): void;
  close(): Promise<void>;
}

/**
 * Opens the transaction of the first argument: from the journal, or by its txID alone. Sends no request for the state.
 *
 * @throws {CliError} `USAGE`, `NETWORK_MISSING`, `NETWORK_DIFFERS`
 * @throws {ChainError} `CHAIN_CHANGED`, `CHAINS_DIFFER` if a URL answers for another chain than at its first use
 */
export async function openTracked(
  invocation: Invocation,
  { terminal, warn }: Pick<Context, "terminal" | "warn">,
): Promise<TrackedHere> {
  const txId = txIdArgument(invocation);
  const configuration = await readConfiguration(invocation, terminal);
  const folder = journalFolder(invocation, terminal, configuration);
  const journal = await openTransaction(folder, txId, warn);
  const first = journal?.entries.find((it) => it.kind === "signed" || it.kind === "adopted");
  const connection = connect(await chooseNetwork(invocation, terminal, first?.network));
  const { profile, gateway, sources } = connection;
  const close = async (): Promise<void> => {
    tracker.dispose();
    await journal?.close();
    await connection.close();
  };
  const tracker = new TransactionTracker({
    store: journal?.store ?? noJournal,
    gatewayFor: async () => gateway,
    networkFor: () => profile.name,
    sourcesFor: async () => sources,
    clock,
  });
  try {
    const here = await pinnedChains(folder, connection).networkRefOf(profile);
    await tracker.load();
    if (first === undefined) await tracker.adopt(txId, here);
    else requireSameNetwork(first, here, profile);
    const current = (): TrackedTransaction => {
      const tracked = tracker.get(txId);
      if (tracked === undefined) throw new Error(`${txId} is not tracked.`);
      return tracked;
    };
    return { txId, tracker, connection, abi: await loadDictionary(), current, warn, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the txID of the first argument. @throws {CliError} `USAGE` */
export function txIdArgument({ positionals: [argument = ""] }: Invocation): TxId {
  const txId = parseTxId(argument);
  if (txId !== undefined) return txId;
  throw new CliError("USAGE", { cause: `"${argument}" is not a txID. A txID has 64 hexadecimal digits.` });
}

/**
 * A transaction is tracked and sent on its own chain only: another chain would prove its absence.
 *
 * @throws {CliError} `NETWORK_DIFFERS`
 */
export function requireSameNetwork(signedFor: NetworkRef, here: NetworkRef, profile: NetworkProfile): void {
  const isSame =
    signedFor.chain !== undefined && here.chain !== undefined
      ? signedFor.chain === here.chain
      : signedFor.network === profile.name && mayBeSameChain(signedFor, here);
  if (isSame) return;
  const cause = `The journal has it for ${signedFor.network}, and ${profile.name} (${profile.baseUrl}) is not known to be that chain.`;
  throw new CliError("NETWORK_DIFFERS", { cause });
}

/** Returns true if no later block changes the state. */
export function isFinal({ state }: TrackedTransaction): boolean {
  return ["solidified", "rejected", "proven-absent", "replaced"].includes(state.kind);
}

/** Returns the state of a transaction for programs. */
export function stateJson(tracked: TrackedTransaction, abi: AbiIndex): JsonObject {
  const { txId, network, state } = tracked;
  const failure = failureOf(tracked);
  const reason = failure && failureReason(failure, runOf(tracked.signed?.intent), { abi, nameOf: () => undefined });
  const contract = contractOf(tracked);
  const isDeployment = tracked.signed?.intent.kind === "contract-creation";
  const block = "block" in state ? { number: state.block.number, timestamp: state.block.timestamp } : undefined;
  const outcome =
    "outcome" in state && state.outcome !== undefined
      ? {
          kind: state.outcome.kind,
          ...(failure !== undefined && { result: failure.result, message: failure.message }),
          ...(reason !== undefined && { reason: rawText(reason.text) }),
        }
      : undefined;
  return {
    txId,
    network,
    state: stateNames[state.kind],
    final: isFinal(tracked),
    ...defined({
      block,
      contract: contract === undefined || !isDeployment ? undefined : toBase58(contract),
      outcome,
      why: whyOf(tracked),
      replacedBy: state.kind === "replaced" ? state.by : undefined,
      blocks: state.kind === "proven-absent" ? { from: state.from, to: state.to } : undefined,
    }),
  };
}

function whyOf({ state, proving }: TrackedTransaction): string | undefined {
  if (proving?.kind === "stopped") return stopText(proving.reason);
  if (state.kind === "unknown") return state.reason;
  return state.kind === "rejected" ? [state.code, state.message].filter((it) => it !== "").join(": ") : undefined;
}

/** Describes the state of a transaction in a line. */
export function stateText(tracked: TrackedTransaction, abi: AbiIndex): string {
  const { state, proving } = tracked;
  const { outcome, why } = stateJson(tracked, abi);
  const block = "block" in state ? [`block ${state.block.number}`] : [];
  const end = outcome === undefined ? [] : [outcomeText(outcome as JsonObject)];
  const scan = proving?.kind === "scanning" ? [`${proving.read} of about ${proving.total} blocks read`] : [];
  const parts = [...end, ...block, ...scan, ...(typeof why === "string" ? [visibleLine(why)] : [])];
  return `${stateNames[state.kind]}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}

function outcomeText({ kind, result, reason, message }: JsonObject): string {
  if (kind === "success") return "success";
  const detail = [reason, message].find((it) => typeof it === "string" && it !== "");
  return `failed (${String(result)}${detail === undefined ? "" : `, ${visibleLine(String(detail))}`})`;
}

/** Returns the exit code of a state: 0 only if the transaction is solidified and was executed. */
export function exitCodeOf(tracked: TrackedTransaction): ExitCode {
  if (!isFinal(tracked)) return EXIT.unknown;
  return tracked.state.kind === "solidified" && tracked.state.outcome.kind === "success" ? EXIT.ok : EXIT.negative;
}

/**
 * Polls until the condition holds or the time is over. Reports each change, and each reason why the network is silent.
 *
 * @param timeoutMs - 0 for no limit.
 */
export async function pollUntil(
  { txId, tracker, current, warn }: TrackedHere,
  isDone: (tracked: TrackedTransaction) => boolean,
  { timeoutMs, changed }: { readonly timeoutMs: number; readonly changed: (tracked: TrackedTransaction) => void },
): Promise<void> {
  const stop = new AbortController();
  const late = timeoutMs === 0 ? [] : [AbortSignal.timeout(timeoutMs)];
  const signal = AbortSignal.any([stop.signal, ...late]);
  const listening = tracker.onDidChange((txIds) => {
    if (!txIds.includes(txId)) return;
    changed(current());
    if (isDone(current())) stop.abort();
  });
  const warned = new Set<string>();
  const listeningToIssues = tracker.onDidChangeIssue(() => {
    for (const { message } of tracker.issues().filter((it) => !warned.has(it.message))) {
      warned.add(message);
      warn(withoutEditorSteps(message));
    }
  });
  if (isDone(current())) stop.abort();
  await tracker.start(signal);
  listening.dispose();
  listeningToIssues.dispose();
}

/** Reads `--timeout`, in ms. @throws {CliError} `USAGE` */
export function timeoutMs(invocation: Invocation): number {
  const text = invocation.text("timeout") ?? "600";
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isInteger(seconds) && seconds >= 0 && seconds <= 86_400) return seconds * 1_000;
  throw new CliError("USAGE", { cause: `--timeout has to be a number of seconds from 0 to 86400, not "${text}".` });
}
