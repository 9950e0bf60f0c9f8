import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import { toBase58 } from "../../core/primitives/address.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import { isJsonObject } from "../../core/primitives/json.ts";
import { mayReplace, type ReplacementReason } from "../../core/replacement/safe-replacement.ts";
import { isReplaceable } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { Intent } from "../../core/transaction/intent.ts";
import { isCallOfProgram } from "../../host/call-of-program.ts";
import { chooseTransaction } from "../../host/choose-transaction.ts";
import type { SentTransaction } from "../../host/sending/intent-sender.ts";
import { exportProof } from "./export-proof.ts";
import { replacementText } from "./replacement.view.ts";
import { readTxIds } from "./send-arguments.ts";
import { expirationOf, type Order, sendOrder } from "./send-coins.ts";
import { accountsOn, namesOf, type TransactionServices } from "./services.ts";

/** A replacement, with what it takes the place of. */
export interface SentReplacement extends SentTransaction {
  readonly replaces: TxId;
}

/**
 * Does again what a transaction was to do that can never be executed any more: a new transaction of the same intent, reviewed again.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `REPLACEMENT_REFUSED` it may still be executed, or nothing is known that it should do
 */
export async function createReplacement(
  services: TransactionServices,
  argument: unknown,
): Promise<SentReplacement | undefined> {
  const choice = { title: "Create Replacement", fits: isReplaceable, nameOf: namesOf(services) };
  const tracked = await chooseTransaction(services.desk, argument, choice);
  if (tracked === undefined) return undefined;
  const { because, intent } = replaceable(tracked);
  const unattended = isCallOfProgram(argument);
  if (!unattended && !(await confirm(services, tracked, because))) return undefined;
  const order = await orderFor(services, tracked, intent);
  const told = isJsonObject(argument) ? readTxIds(argument.acknowledgeUnknown) : undefined;
  const acknowledged = told === undefined ? {} : { acknowledgeUnknown: told };
  const sent = await sendOrder(services, {
    ...{ ...order, ...expirationOf(argument), unattended },
    told: { ...order.told, ...acknowledged },
  });
  return sent && { ...sent, replaces: tracked.txId };
}

type Transfer = Extract<Intent, { kind: "transfer" }>;

/** @throws {ChainError} `REPLACEMENT_REFUSED` */
function replaceable(tracked: TrackedTransaction): { readonly because: ReplacementReason; readonly intent: Transfer } {
  const { txId, signed } = tracked;
  const verdict = mayReplace(tracked);
  if (verdict.kind !== "yes") throw new ChainError("REPLACEMENT_REFUSED", { txId, reason: verdict.why });
  if (signed?.intent.kind === "transfer") return { because: verdict.because, intent: signed.intent };
  throw new ChainError("REPLACEMENT_REFUSED", { txId, reason: "Only transfers can be created here. Create it anew." });
}

/** Shows why it is safe. Escape and Cancel replace nothing; so does looking at the proof first. */
async function confirm(
  services: TransactionServices,
  { txId }: TrackedTransaction,
  because: ReplacementReason,
): Promise<boolean> {
  const { title, detail } = replacementText(txId, because, (ms) => new Date(ms).toLocaleString());
  const [create, proof] = ["Create Replacement", "Export Proof…"];
  const actions = because.kind === "proof" ? [create, proof] : [create];
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, ...actions);
  if (chosen === proof) await exportProof({ desk: services.desk, nameOf: namesOf(services) }, { kind: "row", txId });
  return chosen === create;
}

/** @throws {ChainError} `SIGNING_KEY_MISSING` */
async function orderFor(
  services: TransactionServices,
  { network: name, label, txId, signed }: TrackedTransaction,
  { kind: _kind, ...request }: Transfer,
): Promise<Omit<Order, "unattended">> {
  const { networks, gateways, keys } = services;
  const network = networks.get(name);
  const canSign = accountsOn(keys, network).some((it) => it.address === request.owner && !it.watchOnly);
  if (!canSign) throw new ChainError("SIGNING_KEY_MISSING", { address: toBase58(request.owner) });
  const memo = request.memo === undefined ? {} : { memo: Buffer.from(request.memo, "hex").toString("utf8") };
  return {
    ...{ network, request, replaces: txId, nameOf: namesOf(services) },
    ...(signed === undefined ? {} : { since: signed.solidHeight }),
    gateway: await gateways.for(network),
    told: { ...memo, ...(label === undefined ? {} : { label }) },
  };
}
