import { failureInJson, resultNameOf, statusOf } from "@finality/tron/node-messages";
import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import {
  explainBroadcastAnswer,
  explainCallAnswer,
  explainCallResult,
  explainHttpObject,
  explainNodeError,
} from "./call-answers.ts";
import { listOf, objectOf, parseLoosely, textOf } from "./decode/json.ts";
import {
  clip,
  type Diagnosis,
  diagnosisOf,
  type Explainer,
  field,
  firstOf,
  NOTHING_TO_DO,
  plainDiagnosis,
  READ_DATA,
} from "./diagnosis.ts";
import { type ExplainContext, verdictOf } from "./explanation.ts";
import { entryOf } from "./messages/catalogue.ts";
import { SERVICE_KEYS } from "./messages/exchange-messages.ts";
import { explainMessageWithin } from "./messages/find-message.ts";
import { MESSAGE } from "./messages/message-text.ts";
import { explainRpcError, explainRpcReceipt, unlessForeign } from "./rpc-error.ts";
import { explainTransaction, explainTransactionInfo, explainWholeTransaction } from "./transactions.ts";

/** Kinds of answers, in the order in which they are tried. */
const answers: readonly Explainer<JsonObject>[] = [
  explainServiceAnswer,
  explainWholeTransaction,
  unlessForeign(explainNodeError),
  explainBlock,
  explainAddressAnswer,
  explainCallResult,
  unlessForeign(explainBroadcastAnswer),
  explainCallAnswer,
  explainTransactionInfo,
  explainTransaction,
  explainRpcError,
  explainRpcReceipt,
  explainUnanswered,
  unlessForeign(explainHttpObject),
];

/** Explains the refusal of a service that rents energy: `detail.error`, or a number with its key. */
function explainServiceAnswer(json: JsonObject, { isUnprompted }: ExplainContext): Diagnosis | undefined {
  const { code, key, error, detail } = json;
  const inner = objectOf(objectOf(detail).error);
  // A number with a key is a form of many services: it counts if a person asks about it.
  const isNumbered = isUnprompted !== true && typeof code === "number" && typeof error === "string";
  const name = isNumbered ? textOf(key) : textOf(inner.code);
  const known: { readonly [key: string]: string } = SERVICE_KEYS;
  const entry = name === undefined ? undefined : known[name.toLowerCase()];
  if (name === undefined || entry === undefined) return undefined;
  const message = isNumbered ? error : textOf(inner.message);
  return diagnosisOf(entryOf(entry), {}, { code: name.toUpperCase(), decoded: field(MESSAGE, message) });
}

/** Explains a tool's report of a missing answer, which it gives beside the transaction that it sent. */
function explainUnanswered(json: JsonObject, context: ExplainContext): Diagnosis | undefined {
  // A status makes it an HTTP failure, according to the table of the gateway client.
  if (statusOf(json) !== undefined && failureInJson(json) !== undefined) return undefined;
  const { error, message, msg } = json;
  const text = [error, message, msg].find((it) => typeof it === "string");
  const diagnosis = text === undefined ? undefined : explainMessageWithin(text, context);
  return diagnosis?.category === "http" ? diagnosis : undefined;
}

const MAX_NODES = 2000;

/**
 * Explains a JSON value, or the first failure among the values inside it, because other programs put the node's answer
 * into objects of their own.
 */
export function explainJson(json: Json, context: ExplainContext): Diagnosis | undefined {
  let calm: Diagnosis | undefined;
  const queue: Json[] = [json];
  for (let index = 0; index < queue.length && index < MAX_NODES; index++) {
    const value = queue[index];
    const diagnosis = isJsonObject(value) ? firstOf(answers, value, context) : undefined;
    if (diagnosis !== undefined && diagnosis.category !== "none") return diagnosis;
    calm ??= diagnosis;
    if (diagnosis === undefined) queue.push(...insides(value));
  }
  return calm;
}

function insides(value: Json | undefined): readonly Json[] {
  if (typeof value === "string") return insideText(value);
  if (Array.isArray(value)) return value.slice(0, MAX_NODES) as readonly Json[];
  return isJsonObject(value)
    ? Object.values(value)
        .slice(0, MAX_NODES)
        .flatMap((it) => it ?? [])
    : [];
}

/** JSON as a string inside JSON, as loggers write it. */
function insideText(text: string): readonly Json[] {
  const start = text.indexOf("{");
  const read = start < 0 ? undefined : parseLoosely(text, start);
  return read === undefined ? [] : [read.value];
}

const OF_ADDRESSES = /address|length|format|base58|hex/i;

/** Explains the answer of validateaddress, which has only a result and a message. */
function explainAddressAnswer({ result, message, ...rest }: JsonObject): Diagnosis | undefined {
  if (result !== false || typeof message !== "string" || Object.keys(rest).length > 0) return undefined;
  if (!OF_ADDRESSES.test(message.slice(0, 200))) return undefined;
  return plainDiagnosis(
    "ADDRESS_INVALID",
    {
      title: t`The address is not valid`,
      cause: t`The node says: ${clip(message)}`,
      fix: t`Copy the address again: 34 characters that begin with T, or 42 hex digits that begin with 41.`,
    },
    {
      category: "validation",
      entry: "address-invalid",
      retry: verdictOf("request-after-fix"),
      decoded: field(MESSAGE, message),
      sources: [READ_DATA],
    },
  );
}

/** Explains a block, but not the failures of its transactions. */
function explainBlock(json: JsonObject): Diagnosis | undefined {
  if (!isJsonObject(json.block_header)) return undefined;
  const header = objectOf(json.block_header.raw_data);
  const transactions = listOf(json.transactions).map(objectOf);
  const failed = transactions.filter(({ ret }) => {
    const result = resultNameOf(objectOf(listOf(ret)[0]).contractRet);
    return result !== undefined && result !== "SUCCESS";
  });
  const number = numberOf(header.number) ?? 0;
  return plainDiagnosis(
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
      sources: [READ_DATA],
    },
  );
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
