import { classifyBroadcastCode } from "../node-messages/node-message.ts";
import { BROADCAST_CODES, type BroadcastCode, isBroadcastCode } from "../node-messages/result-codes.ts";
import type { JsonObject } from "../primitives/json.ts";
import { broadcastCodeWords } from "./catalogue/broadcast-codes.ts";
import { type CodedDetails, clip, type Finding, field, findingOf, plainFinding } from "./finding.ts";
import { type MessageText, matchNodeText, readMessage } from "./message-text.ts";
import { fixOfRefusal } from "./refusal-fix.ts";
import type { Candidate, ExplainContext } from "./result/explanation.ts";
import { caseOfRefusal, verdictOf } from "./result/retry-verdict.ts";

/** Explains the answer to a broadcast, or to a look at the signatures of a transaction. */
export function explainBroadcastAnswer(answer: JsonObject, context: ExplainContext): Finding | undefined {
  const txId = text(answer.txid) ?? text(answer.txID);
  const code = codeOf(answer);
  if (code === undefined || code === "SUCCESS") {
    if (answer.result === true && txId !== undefined) return accepted(txId, code);
    return text(answer.txid) !== undefined && hasNothingElse(answer) ? explainSilence(answer) : undefined;
  }
  if (!isBroadcastCode(code) && !mayBeNewCode(answer, code)) return undefined;
  const refusal = explainRefusal(clip(code, MAX_CODE), text(answer.message) ?? "", context);
  return { ...refusal, decoded: [...field("txID", txId, "tx-id"), ...refusal.decoded] };
}

/** The code by its name: other interfaces of the node give the number of the protocol. */
function codeOf({ code, txid, result }: JsonObject): string | undefined {
  if (typeof code === "string") return code === "" ? undefined : code;
  if (typeof code !== "number" || (text(txid) === undefined && typeof result !== "boolean")) return undefined;
  return Object.entries(BROADCAST_CODES).find(([, number]) => number === code)?.[0] ?? String(code);
}

const ANSWER_NAMES: ReadonlySet<string> = new Set(["txid", "result", "code", "message", "transaction", "visible"]);

function hasNothingElse({ result, ...answer }: JsonObject): boolean {
  return Object.keys(answer).every((name) => ANSWER_NAMES.has(name)) && (result ?? false) === false;
}

/** Programs of all kinds put codes of their own into `code`: one that no document names has to come with what a node sends. */
function mayBeNewCode(answer: JsonObject, code: string): boolean {
  if (text(answer.txid) !== undefined) return true;
  return (
    text(answer.message) !== undefined &&
    hasNothingElse(answer) &&
    /^(?!ERR_)[A-Z]{2,}(?:_[A-Z0-9]+)+$/.test(code.slice(0, MAX_CODE))
  );
}

/** An answer of which it is known that it is one to a broadcast, without a result and without a code. */
export function explainSilence(answer: JsonObject): Finding {
  return plainFinding(
    "EMPTY_OBJECT",
    {
      title: "An answer that says nothing",
      cause: "The node gave neither a result nor a code: the outcome is unknown.",
      fix: fixOfRefusal("Look the txID up.", "unknown-outcome"),
    },
    {
      ...{ category: "http", entry: "empty-broadcast-answer", retry: verdictOf("unknown-outcome") },
      decoded: field("txID", text(answer.txid), "tx-id"),
      sources: ["gateway document, Broadcast response; protocol reference §7.4"],
    },
  );
}

/** Explains a code of a broadcast with its message, which may be missing. */
export function explainRefusal(code: string, message: string, context: ExplainContext): Finding {
  const read = readMessage(message);
  const found = matchNodeText(read.text, VALIDATING.has(code));
  const asked = caseOfRefusal(code, read.text, context);
  const details = {
    category: "validation",
    code,
    retry: verdictOf(asked),
    decoded: [...field("code", code), ...(message === "" ? [] : read.fields)],
    candidates: code === "TRANSACTION_EXPIRATION_ERROR" ? bothExpirations(context) : [],
  } as const;
  const asking = (finding: Finding): Finding => ({ ...finding, fix: fixOfRefusal(finding.fix, asked) });
  if (found !== undefined) return carefully(code, read.text, asking(findingOf(found.entry, found.captures, details)));
  return isBroadcastCode(code) ? asking(ofCode(code, read, details)) : asking(ofUnknownCode(code, read, details));
}

/** Entries speak of refusals; of a code that proves none, nothing new may follow before the transaction was looked up. */
function carefully(code: string, message: string, finding: Finding): Finding {
  if (classifyBroadcastCode(code, message) === "not-pooled" || finding.fix.includes("txID")) return finding;
  return { ...finding, fix: `Look the txID up before anything new is built. ${finding.fix}` };
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
    fix: "Look the txID up.",
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
    {
      code,
      title: "The expiration is over",
      reason: "build and sign again once no earlier attempt can be executed; the usual case",
    },
    { code, title: "The expiration is more than 24 h ahead of the head", reason: "wait, then send the same bytes" },
  ];
}

/** What comes with these codes is a text of the node that validates or executes. */
const VALIDATING: ReadonlySet<string> = new Set(["CONTRACT_VALIDATE_ERROR", "CONTRACT_EXE_ERROR"]);

/** Codes are short; a longer one is a text that somebody put there. */
const MAX_CODE = 80;

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
