import { isJsonObject, type Json, type JsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { type ExchangeFile, loadExchanges, type RecordedExchange } from "../recorded/exchanges.ts";

/** Expected meaning of an answer, derived from its shape without the catalogue: the oracle of the explanations. */
interface ExpectedFailure {
  readonly category: "http" | "validation" | "execution";
  readonly code: string;
  /** The text that tells what failed. */
  readonly message: string;
}

export interface RecordedFailure {
  readonly exchange: RecordedExchange;
  readonly body: string;
  readonly expected: ExpectedFailure;
}

const files: readonly ExchangeFile[] = [
  ...(["broadcast", "contracts", "createtransaction", "lookups", "node2-configs"] as const),
  ...(["node2-restart", "pending-vs-block", "receipts", "resources"] as const),
];

/** Every recorded answer that tells of a failure. */
export function recordedFailures(): readonly RecordedFailure[] {
  return files.flatMap(loadExchanges).flatMap((exchange) => {
    const expected = expectedOf(exchange);
    return expected === undefined ? [] : [{ exchange, body: bodyText(exchange), expected }];
  });
}

/** The body as it came. */
export function bodyText({ responseText, responseBody }: RecordedExchange): string {
  if (responseText !== undefined) return responseText;
  if (responseBody === null) return "";
  return typeof responseBody === "string" ? responseBody : printJson(responseBody);
}

/**
 * The failure in an answer by status, endpoint and shape; undefined for answers without one, and for notes without a
 * request.
 */
function expectedOf(exchange: RecordedExchange): ExpectedFailure | undefined {
  const { status, path, responseBody: body } = exchange;
  if (typeof status !== "number") return undefined;
  if (status !== 200) return { category: "http", code: `HTTP_${status}`, message: "" };
  if (bodyText(exchange).trim() === "") return { category: "http", code: "EMPTY_ANSWER", message: "" };
  if (Array.isArray(body)) return body.map(ofInfo).find((it) => it !== undefined);
  if (!isJsonObject(body)) return { category: "http", code: "NOT_JSON", message: "" };
  if (typeof body.Error === "string") return ofError(body.Error);
  if (path.includes("/broadcast")) return body.result === true ? undefined : validation(body.code, body.message);
  if (path.includes("/validateaddress"))
    return body.result === false ? validation("ADDRESS_INVALID", body.message) : undefined;
  return ofCall(body) ?? ofInfo(body) ?? ofTransaction(body);
}

function ofError(text: string): ExpectedFailure {
  const [, name = "Error", message = text] = /^class (\S+) : ?([\s\S]*)$/.exec(text) ?? [];
  return { category: "validation", code: name.split(/[.$]/).at(-1) ?? "", message };
}

function ofCall(body: JsonObject): ExpectedFailure | undefined {
  if (!isJsonObject(body.result)) return undefined;
  const message = decoded(body.result.message);
  const { transaction } = body;
  const [ret] = isJsonObject(transaction) && Array.isArray(transaction.ret) ? (transaction.ret as Json[]) : [];
  if (isJsonObject(ret) && ret.ret === "FAILED") {
    return { category: "execution", code: "REVERT", message: message + revertHint(body.constant_result) };
  }
  if (typeof body.result.code !== "string") return undefined;
  const ran = body.result.code === "CONTRACT_EXE_ERROR" || message.includes("vm.program.Program$");
  return { category: ran ? "execution" : "validation", code: body.result.code, message };
}

function ofInfo(body: Json): ExpectedFailure | undefined {
  if (!isJsonObject(body) || !isJsonObject(body.receipt)) return undefined;
  if (body.result === "FAILED") {
    const code = String(body.receipt.result);
    const hint = code === "REVERT" ? revertHint(body.contractResult) : "";
    return { category: "execution", code, message: decoded(body.resMessage) + hint };
  }
  const inner = Array.isArray(body.internal_transactions) ? (body.internal_transactions as JsonObject[]) : [];
  if (!inner.some(({ rejected }) => rejected === true)) return undefined;
  return { category: "execution", code: "SUCCESS", message: "inner call rejected" };
}

/** Returns the selector of revert data and the code of a panic, which determine the entry. */
function revertHint(results: Json | undefined): string {
  const data = Array.isArray(results) ? String(results[0] ?? "") : "";
  if (data === "") return " without data";
  return data.startsWith("4e487b71") ? ` panic x${data.slice(-2)}` : ` with ${data.slice(0, 8)}`;
}

function ofTransaction(body: JsonObject): ExpectedFailure | undefined {
  if (!isJsonObject(body.raw_data) || !Array.isArray(body.ret)) return undefined;
  const [ret] = body.ret as JsonObject[];
  const result = ret?.contractRet;
  if (typeof result !== "string" || result === "SUCCESS") return undefined;
  return { category: "execution", code: result, message: "" };
}

function validation(code: Json | undefined, message: Json | undefined): ExpectedFailure | undefined {
  return code === "SUCCESS" ? undefined : { category: "validation", code: String(code), message: decoded(message) };
}

function decoded(message: Json | undefined): string {
  const text = typeof message === "string" ? message : "";
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, "hex").toString("utf8") : text;
}

/** A failure without what differs from run to run: the row of the table that was made by reading. */
export function failureKey({ expected: { category, code, message } }: RecordedFailure): string {
  const text = message
    .replace(/\b[0-9a-fA-F]{16,}\b/g, "<hex>")
    .replace(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, "<address>")
    .replace(/\b\d+\b/g, "#")
    .slice(0, 120);
  return `${category} | ${code} | ${text}`;
}
