import type { ContractRun } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { isJsonObject, type JsonObject, parseJson, printJson, type TxId } from "@finality/tron/primitives";
import { flag, type Read, tryRead } from "@finality/tron/read";
import { type CoverageRecord, readCoverage, readTrace, type Trace, type TraceOptions } from "@finality/tron/traces";
import { t } from "@vscode/l10n";

/** Run to trace: an executed transaction, or a call that is not sent. */
export type TracedRun =
  | { readonly kind: "transaction"; readonly txId: TxId }
  | { readonly kind: "call"; readonly run: ContractRun };

/** Longest run of a trace, ms. */
const TIMEOUT_MS = 120_000;

/**
 * Requests a trace from the local chain at a URL, which runs the transaction or call again.
 *
 * @throws {ChainError} `GATEWAY_UNREACHABLE` no answer; `TRACE_UNAVAILABLE` with the reason of the chain
 */
export async function requestTrace(
  baseUrl: string,
  traced: TracedRun,
  options: TraceOptions,
  signal?: AbortSignal,
): Promise<Trace> {
  return await requestRecord(readTrace, baseUrl, requestOf(traced, options), signal);
}

/**
 * Makes the local chain at a URL count the instructions that it executes, from zero.
 *
 * @throws {ChainError} as `requestTrace`
 */
export async function startCoverage(baseUrl: string): Promise<void> {
  await requestRecord(flag, baseUrl, { method: "finality_startCoverage", params: [] });
}

/** Ends the counting, and returns the counts since `startCoverage`. @throws {ChainError} as `requestTrace` */
export async function endCoverage(baseUrl: string): Promise<CoverageRecord> {
  return await requestRecord(readCoverage, baseUrl, { method: "finality_endCoverage", params: [] });
}

async function requestRecord<Value>(
  read: Read<Value>,
  baseUrl: string,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<Value> {
  const { result, error } = await ask(baseUrl, request, signal);
  if (isJsonObject(error) && typeof error.message === "string")
    throw new ChainError("TRACE_UNAVAILABLE", { reason: error.message.replace(/\.$/, "") });
  const value = tryRead(read, result);
  if (value === undefined) throw new ChainError("TRACE_UNAVAILABLE", { reason: t`its record has another version` });
  return value;
}

function requestOf(traced: TracedRun, options: TraceOptions): JsonObject {
  const last = { ...options };
  if (traced.kind === "transaction") return { method: "finality_traceTransaction", params: [traced.txId, last] };
  const { owner, contract, data, callValue, tokenId, tokenValue } = traced.run;
  const call = {
    from: owner,
    ...(contract !== undefined && { to: contract }),
    data,
    value: String(callValue),
    ...(tokenId !== undefined && { tokenId: String(tokenId) }),
    ...(tokenValue !== undefined && { tokenValue: String(tokenValue) }),
  };
  return { method: "finality_traceCall", params: [call, last] };
}

async function ask(baseUrl: string, request: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(`${baseUrl}/tre`, {
      method: "POST",
      body: printJson({ jsonrpc: "2.0", id: 1, ...request }),
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    const json = parseJson(await answer.text());
    if (isJsonObject(json)) return json;
  } catch (error) {
    signal?.throwIfAborted();
    throw unreachable(baseUrl, error instanceof Error ? error.message : String(error));
  }
  throw unreachable(baseUrl, t`its answer is not an object`);
}

function unreachable(endpoint: string, reason: string): ChainError {
  return new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason });
}
