import { isBroadcastCode } from "@finality/tron/node-messages";
import type { JsonObject } from "@finality/tron/primitives";
import type { Span } from "./objects.ts";

/** An answer to a broadcast whose fields stand as pairs. */
export interface FoundPairs extends Span {
  readonly json: JsonObject;
}

const CODE = /\b(?:code|result|status|error)["']?\s?[:=]\s?["']?([A-Z][A-Z_]{4,40})\b["']?/g;
const MESSAGE =
  /\b(?:message|resMessage|errorMessage)["']?\s?[:=]\s?(?:(?:<ByteString\b[^>"\n]{0,80}\bcontents=)?"([^"\n]{1,4000})"|'([^'\n]{1,4000})'|([^\s"'][^\n,;&]{0,4000}))/g;
/** Fields of one answer stand near each other. */
const NEAR = 400;
const MAX_CODES = 64;

/**
 * The answers to broadcasts in a text whose fields are no JSON: lines of YAML, pairs of logfmt, the text form of
 * protobuf. A code of a broadcast with a message beside it, in order.
 */
export function* pairsIn(text: string): Generator<FoundPairs> {
  let read = 0;
  let looked = 0;
  for (const code of text.matchAll(CODE)) {
    const [, name = ""] = code;
    if (code.index < read || !isBroadcastCode(name)) continue;
    if (looked++ >= MAX_CODES) return;
    const message = messageNear(text, code.index, read);
    if (message === undefined) continue;
    const start = Math.min(code.index, message.start);
    const end = Math.max(code.index + code[0].length, message.end);
    read = end;
    yield { start, end, json: { code: name, message: message.text } };
  }
}

/** The message after the code, or else the last one before it. */
function messageNear(text: string, at: number, from: number): (Span & { readonly text: string }) | undefined {
  const begin = Math.max(from, at - NEAR);
  const near = [...text.slice(begin, at + NEAR + 4_000).matchAll(MESSAGE)].map(({ index, ...match }) => {
    const [whole, double, single, bare] = [match[0], match[1], match[2], match[3]];
    const said = double ?? single ?? withoutPairsAfter(bare ?? "");
    const length = bare === undefined ? whole.length : whole.length - bare.length + said.length;
    return { start: begin + index, end: begin + index + length, text: said };
  });
  return near.find(({ start }) => start > at && start - at < NEAR) ?? near.findLast(({ start }) => start < at);
}

/** A value without quotes ends where the next pair begins. */
function withoutPairsAfter(value: string): string {
  return value.replace(/\s[\w.]{1,40}[:=](?=\S)[\s\S]*$/, "").trimEnd();
}
