import type { TrackedTransaction } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { parseTxId, shorten, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Reasons } from "../../host/artifacts/artifacts.ts";
import type { Networks } from "../../host/networks/networks.ts";
import type * as api from "../../public/api.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import { toPublic } from "./public-transaction.ts";

interface Services {
  readonly transactions: TransactionService;
  readonly networks: Pick<Networks, "get">;
  readonly reasons: Pick<Reasons, "of">;
}

/** What other extensions get: reading and following, and nothing that signs. */
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
