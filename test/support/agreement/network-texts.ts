import { readFileSync } from "node:fs";
import { MockAgent } from "undici";
import { explain } from "../../../packages/client/src/explain/explain.ts";
import type { Explanation } from "../../../packages/client/src/explain/explanation.ts";
import type { BroadcastOutcome, TransactionInfo } from "../../../packages/client/src/gateway/gateway.ts";
import type { HttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { submitTransaction } from "../../../packages/client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { type AnyChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
} from "../../../packages/tron/src/primitives/json.ts";
import { bodyText } from "../failures/recorded-failures.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { gatewayAt, recordedTransfer } from "../fakes/gateway-fixtures.ts";
import { dice } from "../random/dice.ts";
import { type ExchangeFile, loadExchanges } from "../recorded/exchanges.ts";
import { TRANSFER } from "../tracking/journal-entries.ts";
import { MemoryJournal } from "../tracking/memory-journal.ts";

/** A status with the body that came with it. */
export interface NetworkText {
  readonly status: number;
  readonly body: string;
}

const files: readonly ExchangeFile[] = [
  ...(["broadcast", "contracts", "createtransaction", "lookups", "node2-configs"] as const),
  ...(["node2-restart", "pending-vs-block", "receipts", "resources"] as const),
];

/** Returns every recorded answer. */
export function recordedTexts(): readonly NetworkText[] {
  return files
    .flatMap(loadExchanges)
    .filter(({ status }) => typeof status === "number")
    .map((exchange) => ({ status: exchange.status, body: bodyText(exchange) }));
}

const read = (name: string): readonly Record<string, unknown>[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/explanations/${name}.json`, import.meta.url), "utf8"));
const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");
const texts = (rows: readonly Record<string, unknown>[], ...names: string[]): readonly string[] =>
  rows.map((row) => String(names.map((name) => row[name]).find((it) => it !== undefined)));

/** Returns every collected message in the answers of the node that may carry it, and every collected text as a body. */
export function collectedTexts(): readonly NetworkText[] {
  const messages = read("node-messages").flatMap(({ code, message }) => answersWith(String(code), String(message)));
  const validations = texts(read("validation-messages"), "message").flatMap((message) =>
    answersWith("CONTRACT_VALIDATE_ERROR", `Contract validate error : ${message}`),
  );
  const exchanges = texts(read("other-exchanges"), "input");
  const collected = ["open", "held-back", "ordinary"].flatMap((name) => texts(read(`collected/${name}`), "text"));
  return [...messages, ...validations, ...exchanges, ...collected].map((body) => ({ status: 200, body }));
}

function answersWith(code: string, message: string): readonly string[] {
  const txid = "cd".repeat(32);
  const name = /^[A-Z_]+$/.test(code) ? code : "CONTRACT_VALIDATE_ERROR";
  return [
    { code: name, txid, message: hex(message) },
    { code: name, txid, message },
    { Error: message },
    { Error: `class org.tron.core.exception.${/^[A-Za-z]+$/.test(code) ? code : "BadItemException"} : ${message}` },
  ].map((answer) => JSON.stringify(answer));
}

/** Texts with which gateways limit, refuse and fail. */
const GATEWAY_TEXTS = [
  "The key exceeds the frequency limit(15), and the query server is suspended for 5s",
  "request too quickly, please slow down",
  "Too many requests",
  "API rate limit exceeded",
  "Exceed the user daily usage(100000)",
  "class java.lang.IllegalAccessException : lack of computing resources",
  "Service temporarily unavailable during maintenance period",
  "this API is unavailable due to config",
  "Unauthorized",
  "invalid API key",
  "jwt expired",
  "Forbidden",
  "Not Found",
  "context deadline exceeded",
  "upstream connect error or disconnect/reset before headers",
  "read timed out",
  "Internal Server Error",
  "no",
];

const STATUSES = [200, 200, 200, 200, 201, 302, 400, 401, 403, 403, 404, 405, 408, 413, 429, 451, 500, 502, 503, 504];
const CODES: readonly Json[] = [
  ...(["SIGERROR", "CONTRACT_VALIDATE_ERROR", "BANDWITH_ERROR", "DUP_TRANSACTION_ERROR", "OTHER_ERROR"] as const),
  ...(["TRANSACTION_EXPIRATION_ERROR", "NOT_ENOUGH_EFFECTIVE_CONNECTION", "SERVER_BUSY", "SUCCESS"] as const),
  ...(["sigerror", "NEW_CODE", "", 0, 1, 5, 20, 77, 200, 403, 429, 503] as const),
];
const RESULTS: readonly Json[] = [
  ...([true, false, "true", "TRUE", "FAILED", "failed", "SUCCESS", "success"] as const),
  ...(["DEFAULT", "REVERT", "out_of_energy", 0, 1, 2, 10, 11, "11", "NEW", "", null] as const),
];

type Roll = (bound: number) => number;
type Change = (json: JsonObject, roll: Roll) => JsonObject;

const pick = <T>(list: readonly T[], roll: Roll): T => list[roll(list.length)] as T;

const changes: readonly Change[] = [
  (json, roll) => without(json, pick([...Object.keys(json), "none"], roll)),
  (json, roll) => inReceipt(json, (receipt) => without(receipt, pick([...Object.keys(receipt), "none"], roll))),
  (json, roll) => ({ ...json, result: pick(RESULTS, roll) }),
  (json, roll) => inReceipt(json, (receipt) => ({ ...receipt, result: pick(RESULTS, roll) })),
  (json) => ({ ...json, result: otherCase(json.result) }),
  (json) => inReceipt(json, (receipt) => ({ ...receipt, result: otherCase(receipt.result) })),
  (json, roll) => ({ ...json, code: pick(CODES, roll) }),
  (json, roll) => ({ ...json, message: inOtherForm(json.message, roll) }),
  (json, roll) => ({ ...json, Error: pick(GATEWAY_TEXTS, roll) }),
  (_json, roll) => ({ Error: pick(GATEWAY_TEXTS, roll) }),
  (_json, roll) => ({ code: pick([400, 401, 403, 404, 429, 500, 503], roll), message: pick(GATEWAY_TEXTS, roll) }),
  (_json, roll) => ({ message: pick(GATEWAY_TEXTS, roll) }),
  (_json, roll) => ({ status: pick([403, 429, 503], roll), error: pick(GATEWAY_TEXTS, roll) }),
];

/** Returns so many changed texts, the same for the same seed: status, fields, case, form of messages, limits, timeouts. */
export function mutatedTexts(originals: readonly NetworkText[], count: number, seed: number): readonly NetworkText[] {
  const roll = dice(seed);
  return Array.from({ length: count }, () => {
    const { body } = pick(originals, roll);
    const status = pick(STATUSES, roll);
    const json = objectIn(body);
    if (json === undefined) return { status, body: roll(4) === 0 ? pick(GATEWAY_TEXTS, roll) : body };
    let changed = json;
    for (let times = 1 + roll(3); times > 0; times--) changed = pick(changes, roll)(changed, roll);
    const printed = printJson(changed);
    return { status, body: roll(20) === 0 ? printed.slice(0, roll(printed.length)) : printed };
  });
}

/** Returns the object that a whole body is. */
export function objectIn(body: string): JsonObject | undefined {
  try {
    const json = parseJson(body);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function without({ ...json }: { [name: string]: Json | undefined }, name: string): JsonObject {
  delete json[name];
  return json;
}

function inReceipt(json: JsonObject, change: (receipt: JsonObject) => JsonObject): JsonObject {
  return isJsonObject(json.receipt) ? { ...json, receipt: change(json.receipt) } : json;
}

function otherCase(value: Json | undefined): Json {
  if (typeof value !== "string") return value ?? null;
  return value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase();
}

function inOtherForm(value: Json | undefined, roll: Roll): Json {
  const text = typeof value === "string" ? value : "Transaction expired";
  const plain = /^(?:[\da-f]{2})+$/i.test(text) ? Buffer.from(text, "hex").toString("utf8") : text;
  const digits = hex(plain);
  return pick([plain, digits, digits.toUpperCase(), `0x${digits}`, digits.slice(0, -1), btoa(digits), ""], roll);
}

const ORIGIN = "http://127.0.0.1:9";
const BROADCAST_PATH = "/wallet/broadcasttransaction";

/** Results of the three readers of a broadcast answer. */
export interface BroadcastReadings {
  readonly explanation: Explanation;
  readonly outcome: BroadcastOutcome;
  readonly tracked: TrackedTransaction;
}

/** Result of the gateway client for the answer to a query. */
export type InfoReading =
  | { readonly kind: "info"; readonly info: TransactionInfo | undefined }
  | { readonly kind: "error"; readonly error: AnyChainError };

/** Reads texts as answers of a gateway, with the real gateway client and the real tracker. */
export class NetworkReaders implements AsyncDisposable {
  readonly #agent = new MockAgent();
  readonly #gateway: HttpGateway;
  #answer: NetworkText | string = "";

  constructor() {
    this.#agent.disableNetConnect();
    const pool = this.#agent.get(ORIGIN);
    const any = { path: () => true, method: "POST" };
    pool
      .intercept(any)
      .reply(() => this.#reply())
      .persist();
    this.#gateway = gatewayAt(ORIGIN, {}, { dispatcher: this.#agent, deadlineMs: 1 }).gateway;
  }

  /** A text that names an error stands for no answer: its code is what the network stack says. */
  async broadcast(answer: NetworkText | string, explained = explanationOf(answer)): Promise<BroadcastReadings> {
    this.#answer = answer;
    const transaction = recordedTransfer();
    const outcome = (await this.#gateway.broadcast(transaction)).outcome;
    const clock = new FakeClock();
    const gateway = this.#gateway;
    const log = new TransactionTracker({ store: new MemoryJournal(), gatewayFor: async () => gateway, clock });
    const context = { network: "test", intent: TRANSFER, expiration: 9, solidHeight: 0 };
    const tracked = await submitTransaction({ log, gateway, clock }, transaction, context);
    return { explanation: explained, outcome, tracked };
  }

  async info(answer: NetworkText, txId: TxId): Promise<InfoReading> {
    this.#answer = answer;
    try {
      return { kind: "info", info: await this.#gateway.solidTransactionInfo(txId) };
    } catch (error) {
      if (!isChainError(error)) throw error;
      return { kind: "error", error };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  #reply(): { statusCode: number; data: string } {
    const answer = this.#answer;
    if (typeof answer === "string") throw Object.assign(new Error(answer), { code: answer });
    return { statusCode: answer.status, data: answer.body };
  }
}

function explanationOf(answer: NetworkText | string): Explanation {
  if (typeof answer === "string") return explain(answer);
  return explain(answer.body, { status: answer.status, endpoint: BROADCAST_PATH });
}
