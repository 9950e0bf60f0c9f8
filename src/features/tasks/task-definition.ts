import { ChainError } from "@finality/tron/errors";
import { parseTxId, shorten, type TxId } from "@finality/tron/primitives";
import { byKind, object, ReadError, text, wholeNumber } from "@finality/tron/read";
import { t } from "@vscode/l10n";

/** Task of `tasks.json` with `"type": "finality"`. */
export type FinalityTask =
  | { readonly task: "chain" }
  /** Without txID, the newest transaction of the list. */
  | { readonly task: "wait"; readonly txId: TxId | undefined; readonly network: string | undefined }
  /** `files` is a glob in the folder of the task; `tolerance` is in percent of the snapshot. */
  | { readonly task: "estimate"; readonly files: string | undefined; readonly tolerance: number };

/** Names of the tasks, in the order in which they are offered. */
export const TASKS = ["chain", "wait", "estimate"] as const;

const MOST_PERCENT = 10_000;

const definition = byKind({
  chain: object({}),
  wait: object({}, { txId: text, network: text }),
  estimate: object({}, { files: text, tolerance: wholeNumber }),
});

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function readTask(value: Readonly<Record<string, unknown>>): FinalityTask {
  const found = readDefinition(value);
  switch (found.kind) {
    case "chain":
      return { task: "chain" };
    case "wait":
      return { task: "wait", txId: txIdOf(found.txId), network: found.network };
    case "estimate": {
      const { files, tolerance = 0 } = found;
      if (tolerance < 0 || tolerance > MOST_PERCENT)
        throw malformed("tolerance", t`tolerance must be a whole number of percent from 0 to ${MOST_PERCENT}`);
      return { task: "estimate", files, tolerance };
    }
  }
}

function readDefinition(value: Readonly<Record<string, unknown>>) {
  try {
    return definition({ ...value, kind: value.task });
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw malformed("task", error.message);
  }
}

function txIdOf(text: string | undefined): TxId | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const txId = parseTxId(text);
  if (txId !== undefined) return txId;
  throw malformed("txId", t`${shorten(text)} is not a txID (64 hex digits)`);
}

function malformed(argument: string, reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason });
}
