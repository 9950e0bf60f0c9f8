import { type BroadcastCode, isBroadcastCode } from "../errors/result-codes.ts";
import type { JsonObject } from "../primitives/json.ts";
import { broadcastCodeWords } from "./catalogue/broadcast-codes.ts";
import type { Candidate, ExplainContext } from "./explanation.ts";
import { type CodedDetails, clip, type Finding, field, findingOf, plainFinding } from "./finding.ts";
import { type MessageText, matchNodeText, readMessage } from "./message-text.ts";
import { verdictOf, verdictOfRefusal } from "./retry-verdict.ts";

/** Explains the answer to a broadcast, or to a look at the signatures of a transaction. */
export function explainBroadcastAnswer(answer: JsonObject, context: ExplainContext): Finding | undefined {
  const { code, message, result } = answer;
  const txId = text(answer.txid) ?? text(answer.txID);
  if (code === undefined || code === "SUCCESS") {
    return result === true && txId !== undefined ? accepted(txId, code) : undefined;
  }
  if (typeof code !== "string" || code === "") return undefined;
  const refusal = explainRefusal(clip(code, MAX_CODE), text(message) ?? "", context);
  return { ...refusal, decoded: [...field("txID", txId, "tx-id"), ...refusal.decoded] };
}

/** Explains a code of a broadcast with its message, which may be missing. */
export function explainRefusal(code: string, message: string, context: ExplainContext): Finding {
  const read = readMessage(message);
  const found = matchNodeText(read.text, VALIDATING.has(code));
  const retry = verdictOfRefusal(code, read.text, context);
  const details = {
    category: "validation",
    code,
    retry,
    decoded: [...field("code", code), ...(message === "" ? [] : read.fields)],
    candidates: code === "TRANSACTION_EXPIRATION_ERROR" ? bothExpirations(context) : [],
  } as const;
  if (found !== undefined) return findingOf(found.entry, found.captures, details);
  return isBroadcastCode(code) ? ofCode(code, read, details) : ofUnknownCode(code, read, details);
}

function ofCode(code: BroadcastCode, { readable }: MessageText, details: CodedDetails): Finding {
  const words = broadcastCodeWords[code];
  const cause = readable === "" ? words.cause : `${words.cause} The node says: ${clip(readable)}`;
  const entry = readable === "" ? `code-${code}` : `generic-${code}`;
  const sources = ["gateway document, Errors 2; protocol reference §7.3"];
  return plainFinding(code, { ...words, cause }, { ...details, sources, entry });
}

function ofUnknownCode(code: string, { readable }: MessageText, details: CodedDetails): Finding {
  const near = code === "BANDWIDTH_ERROR" ? " The node spells its own code BANDWITH_ERROR; this is another one." : "";
  const said = readable === "" ? "" : ` The message: ${clip(readable)}`;
  const words = {
    title: "A code that no document names",
    cause: `${clip(code, 80)} is not documented, so it does not tell whether the node kept the transaction.${near}${said}`,
    fix: "Look the txID up. Send the same bytes again, and nothing new.",
  };
  return plainFinding(code, words, { ...details, entry: "generic-unknown-code", retry: verdictOf("unknown-outcome") });
}

function accepted(txId: string, code: string | undefined): Finding {
  return plainFinding("SUCCESS", broadcastCodeWords.SUCCESS, {
    decoded: [...field("txID", txId, "tx-id"), ...field("code", code)],
    sources: ["gateway document, Broadcast response"],
  });
}

/** One code for two opposite cases: without the times nobody can tell which one it is. */
function bothExpirations({ expiration, headTime }: ExplainContext): readonly Candidate[] {
  if (expiration !== undefined && headTime !== undefined) return [];
  const code = "TRANSACTION_EXPIRATION_ERROR";
  return [
    { code, title: "The expiration is over", reason: "build and sign again; the usual case" },
    { code, title: "The expiration is more than 24 h ahead of the head", reason: "wait, then send the same bytes" },
  ];
}

/** What comes with these codes is a text of the node that validates or executes. */
const VALIDATING: ReadonlySet<string> = new Set(["CONTRACT_VALIDATE_ERROR", "CONTRACT_EXE_ERROR"]);

/** Codes are short; a longer one is a text that somebody put there. */
const MAX_CODE = 80;

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
