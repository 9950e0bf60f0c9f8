import { callSitesInCallFile } from "@finality/client/call-sites";
import { type DecodedField, type Explanation, explain, forPrograms, rangesInText } from "@finality/client/explain";
import { parseSignature } from "@finality/tron/abi";
import { type Json, type JsonObject, toBase58 } from "@finality/tron/primitives";
import { ReadError } from "@finality/tron/read";
import { transactionFileIn } from "@finality/tron/transaction";
import { addressField, integerField, listField, textField } from "../fields.ts";
import { intentJson } from "../intent-json.ts";
import { type AgentTool, defineTool } from "../tool.ts";
import { untrusted } from "../untrusted.ts";

const LONGEST_TEXT = 100_000;
const MOST_FINDINGS = 20;
const MOST_FIELDS = 200;
const LONGEST_VALUE = 400;

function meaningOf(explanation: Explanation): JsonObject {
  const { category, code, title, cause, fix, retry, sources } = forPrograms(explanation);
  const meaning = { category, code: untrusted(code), title: untrusted(title), cause: untrusted(cause) };
  const when = retry.when === undefined ? {} : { when: untrusted(retry.when) };
  const named = sources.slice(0, 10).map((it) => untrusted(it, LONGEST_VALUE));
  return { ...meaning, fix: untrusted(fix), sameBytes: retry.sameBytes, ...when, sources: named };
}

/** Returns decoded fields for a model, at most `MOST_FIELDS` of them. */
function fieldsJson(fields: readonly DecodedField[]): readonly Json[] {
  let left = MOST_FIELDS;
  const json = (list: readonly DecodedField[]): readonly Json[] =>
    list.slice(0, Math.max(0, left)).map(({ name, value, type, children }): JsonObject => {
      left--;
      return {
        name: untrusted(name, LONGEST_VALUE),
        value: untrusted(value, LONGEST_VALUE),
        ...(type !== undefined && { type: untrusted(type, LONGEST_VALUE) }),
        ...(children !== undefined && { children: json(children) }),
      };
    });
  return json(fields);
}

/** Returns the text of a call file with one call. */
function callFile({
  network,
  ...call
}: {
  readonly network: string | undefined;
  readonly [key: string]: Json | undefined;
}) {
  const defined = Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));
  const file: JsonObject = { ...(network !== undefined && { network }), calls: [defined] };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

export const textTools: readonly AgentTool[] = [
  defineTool({
    name: "finality_explain_text",
    title: "Explain Text",
    description:
      "Explains an error, a log or an answer of a node: cause, fix, and if the same signed bytes may be sent again. Sends no request.",
    effect: "reads",
    required: { text: textField("text to explain", LONGEST_TEXT) },
    optional: {},
    run: async ({ text }, ports) => {
      const abi = await ports.names();
      const parts = rangesInText(text, (it, options) => explain(it, { ...options, abi }));
      return {
        whole: meaningOf(explain(text, { abi })),
        parts: parts.slice(0, MOST_FINDINGS).map(({ start, end, explanation }) => ({
          text: untrusted(text.slice(start, end), LONGEST_VALUE),
          ...meaningOf(explanation),
        })),
        morePartsLeftOut: Math.max(0, parts.length - MOST_FINDINGS),
      };
    },
  }),
  defineTool({
    name: "finality_decode",
    title: "Decode",
    description:
      "Decodes a transaction, call data, an event, revert data or an answer of a node: JSON or hex. Sends no request.",
    effect: "reads",
    required: { text: textField("JSON or hex to decode", LONGEST_TEXT) },
    optional: {},
    run: async ({ text }, ports) => {
      const abi = await ports.names();
      const transaction = transactionFileIn(text.trim());
      if (transaction === undefined) {
        const { code, title, decoded, candidates } = explain(text.trim(), { abi });
        const others = candidates.slice(0, 10).map((it) => untrusted(`${it.title}: ${it.reason}`, LONGEST_VALUE));
        return { code: untrusted(code), title: untrusted(title), decoded: fieldsJson(decoded), otherMeanings: others };
      }
      const { txId, intent, signers, expiration } = transaction;
      const call = "data" in intent && typeof intent.data === "string" ? explain(intent.data, { abi }).decoded : [];
      return { txId, intent: intentJson(intent), expiration, signers: signers.map(toBase58), call: fieldsJson(call) };
    },
  }),
  defineTool({
    name: "finality_draft_call_file",
    title: "Draft Call File",
    description:
      "Returns the text of a call file (*.finality.jsonc) with one contract call. Write it into the workspace: the user can read, estimate and send it there.",
    effect: "reads",
    required: {
      contract: textField("name of an artifact of the workspace, or an address", 100),
      function: textField("name or signature, such as transfer(address,uint256)", 500),
      arguments: listField("arguments as text; structs and lists as JSON", textField("", 2_000), 50),
    },
    optional: {
      network: textField("name of the network; the active one if absent", 60),
      label: textField("label of the call", 100),
      caller: addressField("account that calls"),
      feeLimit: integerField("fee limit in sun"),
      callValue: integerField("coins to send with the call, in sun"),
    },
    run: async ({ caller, feeLimit, callValue, contract, function: named, network, label, ...rest }) => {
      if (named.includes("(")) parseSignature(named);
      const amounts = { feeLimit: feeLimit?.toString(), callValue: callValue?.toString() };
      const from = caller === undefined ? undefined : toBase58(caller);
      const call = { label, contract, function: named, arguments: rest.arguments, caller: from, ...amounts };
      const text = callFile({ network, ...call });
      const [site] = callSitesInCallFile(text);
      if (site?.method === undefined) throw new ReadError("a call that a call file can hold", ".function");
      return { fileName: "proposed.finality.jsonc", content: untrusted(text, 20_000) };
    },
  }),
];
