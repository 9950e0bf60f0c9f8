import { isBrokenNode, parseNodeFault } from "@finality/tron/node-messages";
import { t } from "@vscode/l10n";
import { entryOf, type MessageMatch, matchForm, matchMessage } from "../catalogue/catalogue.ts";
import { MESSAGE, matchNodeText, stripPrefix } from "../decode/message-text.ts";
import { verdictOf, verdictOfRequest } from "../result/retry-verdict.ts";
import { type CodedDetails, clip, type Finding, field, findingOf, plainFinding, retryOfRequest } from "./finding.ts";
import { fixOfRefusal } from "./refusal-words.ts";
import { explainVmFailure, resultInMessage } from "./vm-words.ts";

/**
 * Explains the text of a refusal. The class decides where the words are those of the Java version.
 *
 * @param text - with its class or without it
 */
export function explainFault(text: string): Finding {
  const fault = parseNodeFault(text);
  const [code, message] = [clip(fault.code, 80) || "Error", fault.message];
  const found = matchNodeText(text) ?? matchMessage(message, weakClasses.has(code)) ?? formOf(code, message);
  const details = {
    code,
    decoded: [...field("class", code === "Error" ? undefined : code), ...field(MESSAGE, message)],
  };
  if (found !== undefined) {
    const finding = findingOf(found.entry, found.captures, details);
    const retry = retryOfRequest(found.entry, message);
    const expired = found.entry.id === "transaction-expired";
    return { ...finding, retry, fix: expired ? fixOfRefusal(finding.fix, "expired-or-far-ahead") : finding.fix };
  }
  const vm = resultInMessage(text);
  return vm === undefined ? ofClass(code, message, details) : explainVmFailure(vm, message, details);
}

/**
 * The classes with which the node refuses what it has read. Others have words of their own, or are not meant for
 * people.
 */
function formOf(code: string, message: string): MessageMatch | undefined {
  return REFUSING.test(code) ? matchForm(stripPrefix(message)) : undefined;
}

const REFUSING =
  /^(?:Contract(?:Validate|Exe)|BadItem|IllegalArgument|InvalidParameter|ItemNotFound|Permission|NonUniqueObject|Header|Zksnark)Exception$/;

/** Classes whose texts consist mostly of what varies. */
const weakClasses: ReadonlySet<string> = new Set(["ParseException", "NullPointerException", "JSONException"]);

const entryOfClass: { readonly [name: string]: string } = {
  NullPointerException: "null-field",
  JSONException: "json-syntax",
  ParseException: "field-unreadable",
  DecoderException: "hex-undecodable",
  InvalidProtocolBufferException: "protobuf-malformed",
  NumberFormatException: "number-malformed",
  ArithmeticException: "number-overflow",
  ClassCastException: "value-unusable",
  StringIndexOutOfBoundsException: "value-unusable",
  ArrayIndexOutOfBoundsException: "value-unusable",
};

function titleOf(code: string): string {
  if (code === "ContractValidateException") return t`The contract was refused`;
  return isBrokenNode(code) ? t`The node failed while it worked on this` : t`The node refused the request`;
}

function ofClass(code: string, message: string, details: CodedDetails): Finding {
  const entry = Object.hasOwn(entryOfClass, code) ? entryOfClass[code] : undefined;
  if (entry !== undefined) return findingOf(entryOf(entry), { rest: message, call: "this", variable: "it" }, details);
  const words = {
    title: titleOf(code),
    cause: t`The node says: ${clip(message)}`,
    fix: isBrokenNode(code)
      ? t`Ask again later, or another node. Of a write, look the txID up and send the same bytes only.`
      : t`Read the message, correct the request or the state of the account, and ask again.`,
  };
  return plainFinding(code, words, {
    ...details,
    category: "validation",
    entry: `generic-${code}`,
    retry: isBrokenNode(code) ? verdictOf("unknown-outcome") : verdictOfRequest(message),
    sources: ["protocol reference §2.2"],
  });
}
