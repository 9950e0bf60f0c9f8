import { resultNameOf } from "@finality/tron/node-messages";
import { isJsonObject, type JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { listOf, objectOf, textOf } from "../decode/json.ts";
import { type Finding, field, NOTHING_TO_DO, plainFinding, READINGS } from "../words/finding.ts";

/** Explains a block: what failed inside of it is a matter of its transactions. */
export function explainBlock(json: JsonObject): Finding | undefined {
  if (!isJsonObject(json.block_header)) return undefined;
  const header = objectOf(json.block_header.raw_data);
  const transactions = listOf(json.transactions).map(objectOf);
  const failed = transactions.filter(({ ret }) => {
    const result = resultNameOf(objectOf(listOf(ret)[0]).contractRet);
    return result !== undefined && result !== "SUCCESS";
  });
  const number = numberOf(header.number) ?? 0;
  return plainFinding(
    "BLOCK",
    {
      title: t`Block ${number} with ${transactions.length} transactions`,
      cause: failed.length === 0 ? t`A block of the chain.` : t`${failed.length} of its transactions failed.`,
      fix: NOTHING_TO_DO,
    },
    {
      decoded: [
        ...field("id", textOf(json.blockID), "hex"),
        ...field("timestamp", numberOf(header.timestamp), "time"),
        ...failed.flatMap(({ txID }) => field(t`failed transaction`, textOf(txID), "tx-id")),
      ],
      sources: [READINGS],
    },
  );
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
