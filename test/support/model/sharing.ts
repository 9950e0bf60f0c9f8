import { create } from "@bufbuild/protobuf";
import { inclusionInterval } from "../../../packages/client/src/proof/inclusion-interval.ts";
import type { Since } from "../../../packages/client/src/retry/conflicting-transactions.ts";
import { chainTransaction } from "../../../packages/local-chain/src/chain/transaction.ts";
import { type Hex, hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { type BuiltTransaction, builtFromIntent } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { TransactionSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { decodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import type { PrivateKey } from "../../../packages/tron/src/transaction/signature.ts";
import { signTransactionId } from "../simulated-host/cheap-signatures.ts";
import { type ModelWindow, NETWORK, type Simulation } from "./simulation.ts";

/** A transaction in a file, which every holder may sign and send. */
export interface SharedFile extends BuiltTransaction {
  readonly intent: Intent;
  /** Chain time, ms. */
  readonly expiration: number;
  /** Signatures in the file. */
  signatures: readonly Hex[];
  /** Signatures that were stored here: they must never be lost. */
  readonly kept: Set<Hex>;
}

export interface Sharing {
  readonly lifeMs: number;
  readonly acknowledged: readonly TxId[];
  readonly since?: Since | undefined;
  readonly replaces?: TxId | undefined;
}

/** Builds what several people have to sign, signs it with the first key, keeps it, and lets the file leave. */
export async function exportFile(
  simulation: Simulation,
  window: ModelWindow,
  intent: Intent,
  { lifeMs, ...sharing }: Sharing,
): Promise<void> {
  const { gateway } = window;
  const [solid, head] = await Promise.all([gateway.solidBlock(), gateway.headBlock()]);
  const expiration = head.timestamp + lifeMs;
  const timestamp = head.timestamp + simulation.nextNumber();
  const built = builtFromIntent(intent, { referenceBlock: solid.id, expiration, timestamp });
  const file: SharedFile = { ...built, intent, expiration, signatures: [], kept: new Set() };
  await keep(simulation, window, file, { ...sharing, solidHeight: solid.number, signer: keyAt(simulation, 0) });
  simulation.files.push(file);
  simulation.count("exported");
}

/** One of those who have the file signs it in a window, and hands it on. */
export async function coSign(
  simulation: Simulation,
  window: ModelWindow,
  file: SharedFile,
  key: number,
): Promise<void> {
  const { gateway, transactions } = window;
  await transactions.ready();
  if (!isOpen(simulation, window, file)) return simulation.count("needs no signature");
  const [solid, head] = await Promise.all([gateway.solidBlock(), gateway.headBlock()]);
  if (file.expiration <= head.timestamp) return simulation.count("file expired");
  const before = { rawDataHex: file.rawDataHex, expiration: file.expiration, solidHeight: solid.number };
  const solidHeight = Math.max(0, Math.min(solid.number, inclusionInterval(before, 0, head.number).first - 1));
  await keep(simulation, window, file, { acknowledged: [], solidHeight, signer: keyAt(simulation, key) });
  simulation.count("signed by another");
}

/** As `addSignature` asks before it signs. */
function isOpen({ product }: Simulation, { transactions }: ModelWindow, { txId }: SharedFile): boolean {
  const tracked = transactions.get(txId);
  return tracked === undefined || tracked.state.kind === "signed" || product.decideActions(tracked).signAgain.allowed;
}

interface Keeping extends Omit<Sharing, "lifeMs"> {
  readonly solidHeight: number;
  readonly signer: PrivateKey;
}

async function keep(
  { product }: Simulation,
  { transactions, equals }: ModelWindow,
  file: SharedFile,
  { signer, solidHeight, acknowledged, since, replaces }: Keeping,
): Promise<void> {
  const { txId, rawDataHex, intent, expiration } = file;
  const tracked = transactions.get(txId);
  const known = [...file.signatures, ...(tracked?.signed?.signatures ?? [])];
  const signatures = [...new Set([...known, signTransactionId(txId, signer)])];
  // A transaction that was refused with its signatures is signed again, which replaces all of them.
  const renews = tracked?.state.kind === "rejected";
  const context = { network: NETWORK, intent, expiration, solidHeight, acknowledged, renews };
  await equals.runAlone({ network: NETWORK, intent, txId, acknowledged, since }, async () => {
    const reported = { ...context, ...(replaces === undefined ? {} : { replaces }) };
    const kept = await transactions.keep({ txId, rawDataHex, signatures }, reported, product.consentOfClick(txId));
    file.signatures = kept.signatures;
    for (const it of signatures) file.kept.add(it);
  });
}

/** Sends a file with enough signatures by another gateway, without a notice to its author. */
export function sendElsewhere(simulation: Simulation, file: SharedFile): void {
  const { raw: rawData } = decodeRawData(hexToBytes(file.rawDataHex));
  const signature = simulation.sharers.map((it) => hexToBytes(signTransactionId(file.txId, it)));
  try {
    simulation.chain.submit(chainTransaction(create(TransactionSchema, { rawData, signature })));
    simulation.count("sent elsewhere");
  } catch (error) {
    // Of a class of the chain's own copy of the sources.
    if (!(error instanceof Error) || error.name !== "Refusal") throw error;
    simulation.count("refused elsewhere");
  }
}

function keyAt({ sharers }: Simulation, index: number): PrivateKey {
  const key = sharers[index % sharers.length];
  if (key === undefined) throw new RangeError("Nobody shares the account.");
  return key;
}
