import type { FailureReason, ReasonOf } from "@finality/client/explain";
import { type Attempt, failureOf, type RecordedOutcome, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { type Address, defined, parseTxId, shorten, type TxId, toBase58, visibleLine } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { FailureReasons } from "../../host/artifacts/failure-reasons.ts";
import type { NetworkLookup } from "../../host/networks/networks.ts";
import type * as api from "../../public/api.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";

interface Services {
  readonly transactions: TransactionService;
  readonly networks: NetworkLookup;
  readonly reasons: Pick<FailureReasons, "of">;
}

/** API for other extensions: reads and tracks transactions, and cannot sign. */
export function createFinalityApi(
  { transactions, networks, reasons }: Services,
  parts: Pick<api.FinalityApi, "explain" | "estimateEnergy">,
): api.FinalityApi {
  const shown = (tracked: TrackedTransaction) => toPublic(tracked, reasons.of);
  return {
    version: 1,
    ...parts,
    transactions: {
      list: () =>
        transactions
          .list()
          .filter((it) => !it.hidden)
          .map(shown),
      get: (text) => {
        const txId = parseTxId(text);
        const tracked = txId === undefined ? undefined : transactions.get(txId);
        return tracked === undefined ? undefined : shown(tracked);
      },
      track: async (txId, { network, label } = {}) =>
        shown(await transactions.adopt(readTxId(txId), networks.get(network).name, label)),
      onDidChange: transactions.onDidChange,
    },
  };
}

function readTxId(text: string): TxId {
  const txId = parseTxId(text);
  if (txId !== undefined) return txId;
  const reason = t`${shorten(text)} is not a txID (64 hex digits)`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "txId", reason });
}

/** Public view of a transaction: JSON values only, no signature and no signed bytes. */
export function toPublic(tracked: TrackedTransaction, reasonOf: ReasonOf): api.TrackedTransaction {
  const { txId, network, label, signed, attempts, createdAt, changedAt } = tracked;
  return {
    txId,
    network,
    state: publicState(tracked, reasonOf),
    createdAt,
    changedAt,
    ...defined({ label }),
    ...(signed === undefined ? {} : { intent: publicIntent(signed.intent) }),
    attempts: attempts.map(publicAttempt),
  };
}

function publicState(tracked: TrackedTransaction, reasonOf: ReasonOf): api.TransactionState {
  const { state } = tracked;
  const failure = failureOf(tracked);
  if (failure === undefined || !("block" in state)) return state;
  const { kind, result, message } = failure;
  return { ...state, outcome: { kind, result, message, ...publicReason(reasonOf(tracked)) } };
}

function publicReason(reason: FailureReason | undefined): { readonly reason?: string; readonly reasonSource?: string } {
  if (reason === undefined) return {};
  const text = visibleLine(reason.text);
  return reason.source === undefined ? { reason: text } : { reason: text, reasonSource: visibleLine(reason.source) };
}

function publicIntent(intent: Intent): NonNullable<api.TrackedTransaction["intent"]> {
  const to = recipientOf(intent);
  return {
    kind: intent.kind,
    owner: toBase58(intent.owner),
    ...(to === undefined ? {} : { to: toBase58(to) }),
    ...("amount" in intent ? { amount: intent.amount.toString() } : {}),
  };
}

function recipientOf(intent: Intent): Address | undefined {
  if ("to" in intent) return intent.to;
  if ("receiver" in intent) return intent.receiver;
  return "contract" in intent ? intent.contract : undefined;
}

function publicAttempt({ number, endpoint, startedAt, answeredAt, outcome }: Attempt): api.TransactionAttempt {
  return {
    number,
    endpoint,
    startedAt,
    ...defined({ answeredAt }),
    ...(outcome === undefined ? {} : { answer: publicAnswer(outcome) }),
  };
}

function publicAnswer(outcome: RecordedOutcome): NonNullable<api.TransactionAttempt["answer"]> {
  switch (outcome.kind) {
    case "accepted":
      return { kind: "accepted" };
    case "already-known":
      return { kind: "already-known", message: outcome.message };
    case "rejected":
    case "unknown":
      return { kind: outcome.kind, code: outcome.code, message: outcome.message };
  }
}
