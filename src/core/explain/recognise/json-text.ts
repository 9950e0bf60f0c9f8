import { isJsonObject, type Json } from "../../primitives/json.ts";
import { explainJson } from "../answers/answers.ts";
import { explainReport } from "../answers/report.ts";
import { readJsonText } from "../decode/json-text.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { cutField, type Finding, plainFinding } from "../words/finding.ts";
import { explainBody } from "../words/http-words.ts";
import { fieldsOfJson } from "../words/json-fields.ts";
import { explainSilence } from "../words/refusal-words.ts";
import { explainWithin } from "./within-text.ts";

/** In longer data, such as the translations of a program, the words of networks tell of no failure. */
const MAX_REPORT = 2000;

/** Explains a text that is JSON: an answer, or else what stands in it, or else the data that it is. */
export function explainJsonText(text: string, context: ExplainContext): Finding | undefined {
  const read = readJsonText(text);
  if (read === undefined) return undefined;
  const { json, cut } = read;
  const found = explainJson(json, context);
  if (found !== undefined) return cut ? { ...found, decoded: [...found.decoded, ...cutField] } : found;
  if (cut) return explainBody("http-truncated", text);
  if (isJsonObject(json) && Object.keys(json).length === 0) return nothingFound(context);
  const within = explainWithin(text, context);
  const isPhrase = within?.category === "http" && text.length > MAX_REPORT;
  return within !== undefined && within.category !== "none" && !isPhrase ? within : dataOf(json);
}

/** JSON that reports nothing, or nothing that is known: a tree to read. */
function dataOf(json: Json): Finding {
  const reported = isJsonObject(json) ? explainReport(json) : undefined;
  if (reported !== undefined) return reported;
  const words = {
    title: "Data without a failure",
    cause: "Nothing in it says that something failed.",
    fix: "Nothing has to be done.",
  };
  return plainFinding("JSON", words, { decoded: fieldsOfJson(isJsonObject(json) ? json : { list: json }) });
}

/** `{}` is what every look-up answers for what it does not know. */
function nothingFound(context: ExplainContext): Finding {
  if (isBroadcast(context)) return explainSilence();
  return plainFinding(
    "EMPTY_OBJECT",
    {
      title: "Nothing was found",
      cause:
        "The node knows nothing by this id here. For a transaction that does not prove that it was never included.",
      fix: "Ask again later, or the view of the head instead of the solidified one.",
    },
    { entry: "nothing-found", sources: ["gateway document, Endpoints"] },
  );
}

/** Whether the text is known to be the answer to a broadcast. */
export function isBroadcast({ endpoint }: ExplainContext): boolean {
  return endpoint?.includes("broadcast") === true;
}
