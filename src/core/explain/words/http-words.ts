import { t } from "@vscode/l10n";
import { entryOf } from "../catalogue/catalogue.ts";
import { symptomOfStatus } from "../catalogue/http-symptoms.ts";
import { symptomOfCode } from "../catalogue/network-words.ts";
import { type HttpFailure, readHttpFailure } from "../decode/http-text.ts";
import { MESSAGE } from "../decode/message-text.ts";
import { clip, type Details, type Finding, field, findingOf } from "./finding.ts";

/** Explains a status that is no success. A body is shown, never trusted. */
export function explainStatus(status: number, body = ""): Finding {
  const decoded = [...field(t`status`, status, "number"), ...field(t`body`, clip(body, 2000))];
  return ofSymptom(symptomOfStatus(status), { code: `HTTP_${status}`, status: String(status), decoded });
}

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

function explainHttpFailure(failure: HttpFailure, text: string): Finding | undefined {
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
