import { loadDictionary } from "@finality/client/explain";
import { describeIntent } from "@finality/client/labels";
import { type TxId, visibleText } from "@finality/tron/primitives";
import { addressNamed } from "../call-context.ts";
import { CliError, EXIT, type ExitCode } from "../cli-error.ts";
import type { Context, Invocation, RunCommand } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { journalFolder, openTransaction } from "../journal.ts";
import { openKeySource } from "../key-source.ts";
import { type Connection, chooseNetwork, connect } from "../network.ts";
import { prepareTransaction } from "../prepare-transaction.ts";
import { orderOf, readSendRequest } from "../send-request.ts";
import { resend, signAndSubmit } from "../send-transaction.ts";
import { confirmReview, openSender, type Sender } from "../sender.ts";
import {
  exitCodeOf,
  isFinal,
  pollUntil,
  requireSameNetwork,
  stateJson,
  stateText,
  timeoutMs,
  txIdArgument,
} from "../tracking.ts";

/** Sends a call, a deployment or a payment: verify, review, journal, broadcast. */
export const runSend: RunCommand = async (invocation, context) => {
  const { terminal } = context;
  const lifetimeMs = lifetimeOf(invocation);
  const limit = timeoutMs(invocation);
  const request = await readSendRequest(invocation, terminal);
  const { addresses } = await readConfiguration(invocation, terminal);
  const key = await openKeySource(invocation, terminal, (name) => addressNamed(name, addresses));
  const network = request.kind === "call" ? request.call.site.network : undefined;
  const connection = connect(await chooseNetwork(invocation, terminal, network));
  let sender: Sender | undefined;
  try {
    sender = await openSender(journalFolder(invocation, terminal, connection.configuration), connection, context.warn);
    const signer = key.address;
    context.show("simulating and building");
    const order = await orderOf(request, sender, { invocation, terminal, owner: signer, addresses });
    const known = [...addresses.values(), signer];
    const prepared = await prepareTransaction(sender, order, { signer, known, lifetimeMs });
    await requireConsent(sender, { ...prepared, txId: prepared.verified.txId }, invocation, context);
    const label = order.kind === "code" ? order.label : undefined;
    context.show("signing and sending");
    const txId = await signAndSubmit(sender, prepared, { key, label });
    return await outcomeOf(sender, txId, { isWaiting: invocation.isOn("wait"), limit, context });
  } finally {
    await sender?.close();
    await connection.close();
  }
};

/** Sends the signed bytes of the journal again. */
export const runResend: RunCommand = async (invocation, context) => {
  const { terminal } = context;
  const txId = txIdArgument(invocation);
  const configuration = await readConfiguration(invocation, terminal);
  const folder = journalFolder(invocation, terminal, configuration);
  const journal = await openTransaction(folder, txId, context.warn);
  await journal?.close();
  const first = journal?.entries.find(({ kind }) => kind === "signed");
  if (first === undefined || first.kind !== "signed")
    throw new CliError("NOT_IN_JOURNAL", { cause: `${folder} does not have the signed bytes of ${txId}.` });
  const connection = connect(await chooseNetwork(invocation, terminal, first.network));
  let sender: Sender | undefined;
  try {
    sender = await openSender(folder, connection, context.warn);
    requireSameNetwork(first, sender.network, connection.profile);
    const title = `Send ${txId} again?`;
    const detail = `Network: ${connection.profile.name}\n${describeIntent(first.intent)}`;
    await requireConsent(sender, { txId, title, detail, isDoubtful: false }, invocation, context);
    await resend(sender, txId);
    return await outcomeOf(sender, txId, { isWaiting: false, limit: 0, context });
  } finally {
    await sender?.close();
    await connection.close();
  }
};

interface ShownReview {
  readonly txId: TxId;
  readonly title: string;
  readonly detail: string;
  /** True if the review warns, so that a user has to read it. */
  readonly isDoubtful: boolean;
}

/** Prints the review, and returns if the user agrees. @throws {CliError} `NOT_CONFIRMED`, `USAGE` */
async function requireConsent(
  sender: Sender,
  { txId, title, detail, isDoubtful }: ShownReview,
  invocation: Invocation,
  { terminal, output }: Context,
): Promise<void> {
  output("review", { txId, title, detail }, `${title}\n\n${visibleText(detail)}\n\ntxID: ${txId}\n`);
  await confirmReview(sender, { question: "Send? Type yes: ", isDoubtful }, invocation, terminal);
}

interface Waiting {
  readonly isWaiting: boolean;
  readonly limit: number;
  readonly context: Context;
}

async function outcomeOf(sender: Sender, txId: TxId, { isWaiting, limit, context }: Waiting) {
  const { tracker, connection } = sender;
  const abi = await loadDictionary();
  const current = () => {
    const tracked = tracker.get(txId);
    if (tracked === undefined) throw new Error(`${txId} is not tracked.`);
    return tracked;
  };
  if (isWaiting) {
    const here = { txId, tracker, connection, abi, current, warn: context.warn, close: async () => undefined };
    context.show(stateText(current(), abi));
    const changed = () => context.progress("state", stateJson(current(), abi), stateText(current(), abi));
    await pollUntil(here, isFinal, { timeoutMs: limit, changed });
  }
  const { kind } = current().state;
  const next = isFinal(current()) ? "" : `Next: finality wait ${txId}${networkArgument(connection)}\n`;
  return {
    result: stateJson(current(), abi),
    text: `${txId}\n${stateText(current(), abi)}\n${next}`,
    exitCode: isWaiting ? exitCodeOf(current()) : (SENT[kind] ?? EXIT.ok),
  };
}

/** The journal has the name of a network, which finds the local chain and the networks of the configuration. */
function networkArgument({ profile, configuration }: Connection): string {
  const isNamed = profile.local || configuration.networks.some(({ name }) => name === profile.name);
  return isNamed ? "" : ` --network ${profile.baseUrl}`;
}

/** Exit codes of a sent transaction that is not waited for. */
const SENT: Readonly<Record<string, ExitCode>> = { unknown: EXIT.unknown, rejected: EXIT.refused };

/** Returns `--expiry` in ms. @throws {CliError} `USAGE` */
function lifetimeOf(invocation: Invocation): number {
  const text = invocation.text("expiry") ?? "60";
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= 86_400) return seconds * 1_000;
  throw new CliError("USAGE", { cause: `--expiry has to be a number of seconds from 1 to 86400, not "${text}".` });
}
