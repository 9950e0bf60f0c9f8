import { type BroadcastCode, classifyBroadcastCode, codeMeant, isBroadcastCode } from "@finality/tron/node-messages";
import { t } from "@vscode/l10n";
import { RETRIES, ruleNamed } from "../../retry/retry-policy.ts";
import { broadcastCodeWords } from "../catalogue/broadcast-codes.ts";
import { type MessageText, matchNodeText, readMessage } from "../decode/message-text.ts";
import type { Candidate, ExplainContext } from "../result/explanation.ts";
import { caseOfRefusal, isRetry, type RetryCase, verdictOf } from "../result/retry-verdict.ts";
import { type CodedDetails, clip, type Finding, field, findingOf, plainFinding } from "./finding.ts";

/** Explains an answer to a broadcast with neither `result: true` nor a code: absent or false is a failure. */
export function explainNoSuccess(message = ""): Finding {
  const read = readMessage(message);
  const said = message === "" ? t`It gives no cause.` : t`The message says: ${clip(read.readable)}`;
  return plainFinding(
    "NO_CODE",
    {
      title: t`The broadcast reports no success`,
      cause: t`The answer has neither a result of true nor a code, which does not tell whether the node kept the transaction. ${said}`,
      fix: fixOfRefusal(t`Look the txID up.`, "unknown-outcome"),
    },
    {
      category: "validation",
      entry: "broadcast-no-success",
      retry: verdictOf("unknown-outcome"),
      decoded: message === "" ? [] : read.fields,
      candidates: read.candidates,
      sources: ["gateway document, Broadcast response; protocol reference §7.4"],
    },
  );
}

/** Explains an answer to a broadcast that says true and names a code of failure. */
export function explainContradiction(code: string, message: string): Finding {
  const read = readMessage(message);
  return plainFinding(
    code,
    {
      title: t`The answer contradicts itself`,
      cause: t`It says true and gives the code ${code}, which does not tell whether the node kept the transaction.`,
      fix: fixOfRefusal(t`Look the txID up.`, "unknown-outcome"),
    },
    {
      category: "validation",
      entry: "broadcast-contradiction",
      retry: verdictOf("unknown-outcome"),
      decoded: [...field("code", code), ...(message === "" ? [] : read.fields)],
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
    candidates: [
      ...(codeMeant(code, read.text) === "TRANSACTION_EXPIRATION_ERROR" ? bothExpirations(context) : []),
      ...read.candidates,
    ],
  } as const;
  const asking = (finding: Finding): Finding => ({ ...finding, fix: fixOfRefusal(finding.fix, asked) });
  if (found !== undefined) return carefully(code, read.text, asking(findingOf(found.entry, found.captures, details)));
  return isBroadcastCode(code) ? asking(ofCode(code, read, details)) : asking(ofUnknownCode(code, read, details));
}

/**
 * Entries speak of refusals; of a code that proves none, nothing new may follow before the transaction was looked up.
 */
function carefully(code: string, message: string, finding: Finding): Finding {
  if (classifyBroadcastCode(code, message) === "not-pooled" || finding.fix.includes(t`txID`)) return finding;
  return { ...finding, fix: t`Look the txID up before anything new is built. ${finding.fix}` };
}

function ofCode(code: BroadcastCode, { readable }: MessageText, details: CodedDetails): Finding {
  const words = broadcastCodeWords[code];
  const cause = readable === "" ? words.cause : t`${words.cause} The node says: ${clip(readable)}`;
  const entry = readable === "" ? `code-${code}` : `generic-${code}`;
  const sources = ["gateway document, Errors 2; protocol reference §7.3"];
  return plainFinding(code, { ...words, cause }, { ...details, sources, entry });
}

function ofUnknownCode(code: string, { readable }: MessageText, details: CodedDetails): Finding {
  const near = code === "BANDWIDTH_ERROR" ? t` The node spells its own code BANDWITH_ERROR; this is another one.` : "";
  const said = readable === "" ? "" : t` The message: ${clip(readable)}`;
  const words = {
    title: t`A code that no document names`,
    cause: t`${clip(code, 80)} is not documented, so it does not tell whether the node kept the transaction.${near}${said}`,
    fix: t`Look the txID up.`,
  };
  return plainFinding(code, words, { ...details, entry: "generic-unknown-code", retry: verdictOf("unknown-outcome") });
}

/**
 * Returns both candidates of one code that stands for two opposite cases. Without the times the cases cannot be
 * distinguished.
 */
function bothExpirations({ expiration, headTime }: ExplainContext): readonly Candidate[] {
  if (expiration !== undefined && headTime !== undefined) return [];
  const code = "TRANSACTION_EXPIRATION_ERROR";
  return [
    {
      code,
      title: t`The expiration is over`,
      reason: t`build and sign again once no earlier attempt can be executed; the usual case`,
    },
    { code, title: t`The expiration is more than 24 h ahead of the head`, reason: t`wait, then send the same bytes` },
  ];
}

/** Codes whose message is a text of the node that validates or executes. */
const VALIDATING: ReadonlySet<string> = new Set(["CONTRACT_VALIDATE_ERROR", "CONTRACT_EXE_ERROR"]);

/**
 * The fix of a refusal: how its cause is mended, then what the one table of retries asks for. Of what has to be
 * corrected, the mending says enough.
 *
 * @param mending - sentences about the cause, which say nothing of bytes and new transactions
 */
export function fixOfRefusal(mending: string, asked: RetryCase): string {
  const sentence = sentenceFor(asked);
  return sentence === undefined ? mending : `${mending} ${sentence}`;
}

/**
 * Returns the correction of the cause without the advice of the retry policy table. For a tracked transaction, its
 * whole history determines that advice.
 */
export function mendingIn(fix: string): string {
  const sentence = SENTENCES.find((it) => fix.endsWith(it));
  return sentence === undefined ? fix : fix.slice(0, -sentence.length).trimEnd();
}

function sentenceFor(asked: RetryCase): string | undefined {
  if (asked === "unknown-outcome") return ruleNamed("unknown").advice;
  if (asked === "expired-or-far-ahead") return EXPIRED_OR_FAR_AHEAD;
  if (asked === "same-bytes-when-head-advances") return FAR_AHEAD;
  if (asked === "fix-request" || !isRetry(asked)) return undefined;
  const { sameBytes, alone } = ruleNamed(asked);
  if (alone === undefined) return undefined;
  return sameBytes === "no"
    ? t`${alone.slice(0, 1).toUpperCase() + alone.slice(1)}.`
    : t`Send the same signed bytes again ${alone}.`;
}

const EXPIRED_OR_FAR_AHEAD = t`If it is over, ${String(ruleNamed("rebuild").alone)}. If it is too far ahead, send the same signed bytes again ${String(ruleNamed("same-bytes-when-head-advances").alone)}, or rebuild with an expiration in range and never send these bytes.`;
/** Gateway document, Errors 2, rule 2. The refused bytes could be executed later, so only one of both is sent. */
const FAR_AHEAD = t`Send the same signed bytes again ${String(ruleNamed("same-bytes-when-head-advances").alone)}, or rebuild with an expiration in range and never send these bytes.`;

const ASKED: readonly RetryCase[] = ["unknown-outcome", "expired-or-far-ahead"];
const SENTENCES = [...ASKED, ...RETRIES].flatMap((it) => sentenceFor(it) ?? []);
