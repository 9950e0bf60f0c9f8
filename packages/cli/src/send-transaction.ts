import {
  checkExpiry,
  conflictError,
  findDuplicates,
  recheckRejected,
  rejectedEquals,
  resubmitTransaction,
  storeTransaction,
  submitTransaction,
} from "@finality/client/tracking";
import { systemClock as clock } from "@finality/node/system-clock";
import { ChainError } from "@finality/tron/errors";
import { defined, type TxId } from "@finality/tron/primitives";
import type { KeySource } from "./key-source.ts";
import type { PreparedTransaction } from "./prepare-transaction.ts";
import type { Sender } from "./sender.ts";

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
    ...defined({ estimatedEnergy, functionSignature, label }),
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
