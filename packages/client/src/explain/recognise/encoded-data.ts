import { readRevertData } from "@finality/tron/abi";
import { explainJson } from "../answers/answers.ts";
import { readJsonText } from "../decode/json.ts";
import type { ExplainContext } from "../result/explanation.ts";
import type { Finding } from "../words/finding.ts";
import { explainReading } from "../words/revert-words.ts";
import type { Span } from "./objects.ts";

/** Revert data have a selector and one word at least: 48 characters. */
const BASE64 = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{46,20000}={0,2}/g;
const MAX_RUNS = 16;
const BRACE = 0x7b;

/**
 * Revert data in base64, as the node's gRPC interface gives bytes in JSON, or an answer in base64 as logs have it;
 * undefined for other bytes.
 */
export function explainEncodedData(text: string, context: ExplainContext): Finding | undefined {
  for (const { start, end } of encodedDataIn(text)) {
    const data = Buffer.from(text.slice(start, end), "base64");
    const answer =
      data[0] === BRACE ? explainJson(readJsonText(data.toString("utf8"))?.json ?? null, context) : undefined;
    if (answer !== undefined && answer.category !== "none") return answer;
    const reading = readRevertData(data, context.abi);
    if (reading.kind === "error-string" || reading.kind === "panic" || reading.kind === "custom")
      return explainReading(reading, data);
  }
  return undefined;
}

/** Returns the ranges of base64 data in a text whose bytes have the length of revert data, or begin as JSON does. */
export function* encodedDataIn(text: string): Generator<Span> {
  let looked = 0;
  for (const { index, 0: run } of text.matchAll(BASE64)) {
    if (looked++ >= MAX_RUNS) return;
    const bytes = Math.floor((run.replace(/=+$/, "").length * 3) / 4);
    const mayTell = bytes % 32 === 4 || run.startsWith("eyJ");
    if (mayTell && /[A-Z]/.test(run) && /[a-z]/.test(run)) yield { start: index, end: index + run.length };
  }
}
