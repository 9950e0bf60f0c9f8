import { failureOf, HTTP_RULES, type HttpFailure, type HttpMeaning, type HttpRule } from "@finality/tron/node-messages";
import { t } from "@vscode/l10n";
import { entryOf } from "../catalogue/catalogue.ts";
import { symptomOfCode } from "../catalogue/network-words.ts";
import { readHttpFailure, type TextFailure } from "../decode/http-text.ts";
import { MESSAGE, matchNodeText } from "../decode/message-text.ts";
import { isVerdictOf, type RetryCase, verdictOf } from "../result/retry-verdict.ts";
import { clip, type Details, type Finding, field, findingOf } from "./finding.ts";

/** Explains a status that is no success. A body is shown; of what it says only a limit and a firewall count. */
export function explainStatus(status: number, body = ""): Finding {
  return explainFailure(failureOf(status, body), body);
}

/**
 * Explains a failure over HTTP, by the table that the gateway client goes by.
 *
 * @param body - for people
 * @param message - the part of the body that says why
 */
export function explainFailure({ meaning, status }: HttpFailure, body: string, message = body): Finding {
  const code = `HTTP_${status}`;
  const { entry, retry } = HTTP_RULES[meaning];
  const found = matchNodeText(message);
  if (found?.entry.category === "http" && found.entry.retry === MORE_TELLING[retry]) {
    return findingOf(found.entry, found.captures, { code, decoded: field(MESSAGE, message) });
  }
  const decoded = [...field(t`status`, status, "number"), ...field(t`body`, clip(body, 2000))];
  const finding = ofSymptom(entry, { code, status: String(status), decoded });
  const isTelling = entry === "http-4xx" && message.length <= MAX_REASON && /^[^<{\n]{8,}$/.test(message);
  return isTelling ? { ...finding, cause: t`${finding.cause} The gateway says: ${clip(message)}` } : finding;
}

const MAX_REASON = 200;

/** Returns whether a finding about the text of a failure says more of the same, and nothing else. */
export function saysMoreOf({ meaning }: HttpFailure, { category, retry }: Finding): boolean {
  return category === "http" && isVerdictOf(retry, MORE_TELLING[HTTP_RULES[meaning].retry]);
}

/** Required repeat rule of an entry whose text says more than the status. */
const MORE_TELLING: { readonly [R in HttpRule["retry"]]: RetryCase } = {
  "rate-limited": "request-later",
  final: "request-elsewhere",
  server: "unknown-outcome",
};

/** The same finding for a broadcast: what may follow is what the tracker allows after such a failure. */
export function ofBroadcast(finding: Finding, meaning: HttpMeaning): Finding {
  return { ...finding, retry: verdictOf(AFTER_BROADCAST[HTTP_RULES[meaning].retry]) };
}

const AFTER_BROADCAST = {
  final: "broadcast-turned-away",
  "rate-limited": "request-later",
  server: "unknown-outcome",
} as const;

/** Explains the name that a network stack gives to a failure, such as ECONNREFUSED; undefined for other words. */
export function explainNetworkCode(code: string, message = ""): Finding | undefined {
  const symptom = Object.hasOwn(symptomOfCode, code) ? symptomOfCode[code] : undefined;
  if (symptom === undefined) return undefined;
  return ofSymptom(symptom, { code, status: code, decoded: field(MESSAGE, message) });
}

/** Explains an answer without a body, with one that is no JSON, or with one that is cut off. */
export function explainBody(symptom: "http-empty" | "http-not-json" | "http-truncated", body: string): Finding {
  const code = { "http-empty": "EMPTY_ANSWER", "http-not-json": "NOT_JSON", "http-truncated": "TRUNCATED_JSON" }[
    symptom
  ];
  return ofSymptom(symptom, { code, status: "200", decoded: field(t`body`, clip(body, 2000)) });
}

/** Explains an HTTP failure in a text: a head of an answer, an error page, or what a client printed. */
export function explainHttpText(text: string): Finding | undefined {
  const failure = readHttpFailure(text);
  return failure && explainHttpFailure(failure, text);
}

function explainHttpFailure(failure: TextFailure, text: string): Finding | undefined {
  switch (failure.kind) {
    case "status":
      return explainStatus(failure.status, text);
    case "network-code":
      return explainNetworkCode(failure.code, clip(text));
    case "phrase":
      return ofPhrase(failure.symptom, failure.code, text);
    case "page":
      return explainBody("http-not-json", text);
  }
}

function ofPhrase(symptom: string, code: string, text: string): Finding {
  return ofSymptom(symptom, { code, status: code.replace("HTTP_", ""), decoded: field(MESSAGE, clip(text)) });
}

function ofSymptom(id: string, { status, ...details }: Details & { code: string; status: string }): Finding {
  return findingOf(entryOf(id), { status, limit: t`the configured` }, details);
}
