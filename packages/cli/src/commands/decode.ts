import { type DecodedField, explain, loadDictionary } from "@finality/client/explain";
import { type AbiIndex, joinAbiIndexes } from "@finality/tron/abi";
import { type Json, type JsonObject, toBase58, visibleLine } from "@finality/tron/primitives";
import { type Intent, type SharedTransaction, transactionFileIn } from "@finality/tron/transaction";
import type { CommandResult, RunCommand } from "../command.ts";
import { inputText, readAbi } from "../input.ts";

export const runDecode: RunCommand = async (invocation, { terminal }) => {
  const text = (await inputText(invocation, terminal)).trim();
  const abi = await readAbi(invocation, terminal);
  const dictionary = await loadDictionary();
  const names = abi === undefined ? dictionary : joinAbiIndexes(abi, dictionary);
  const transaction = transactionFileIn(text);
  return transaction === undefined ? decodedText(text, names) : decodedTransaction(transaction, names);
};

function decodedTransaction(transaction: SharedTransaction, abi: AbiIndex): CommandResult {
  const { txId, fields, signers, signatures, expiration, intent } = transaction;
  const call = "data" in intent && typeof intent.data === "string" ? explain(intent.data, { abi }).decoded : [];
  const result = {
    kind: "transaction",
    txId,
    intent: jsonOf(intent),
    expiration,
    signatures: signatures.length,
    signers: signers.map(toBase58),
    fields: fields.map(({ path, value }) => ({ path, value })),
    call: call.map(fieldJson),
  };
  const lines = [
    `transaction ${txId}`,
    ...fields.map(({ path, value }) => `  ${path}  ${visibleLine(value, LONGEST)}`),
    ...(call.length === 0 ? [] : ["call", ...call.flatMap((it) => fieldLines(it, 1))]),
    signers.length === 0 ? "not signed" : `signed by ${signers.map(toBase58).join(", ")}`,
  ];
  return { result, text: `${lines.join("\n")}\n` };
}

function decodedText(text: string, abi: AbiIndex): CommandResult {
  const { code, title, category, decoded, candidates } = explain(text, { abi });
  const result = {
    kind: "text",
    code,
    category,
    title,
    decoded: decoded.map(fieldJson),
    candidates: candidates.map((it) => ({ ...it })),
  };
  const others = candidates.map((it) => `  or ${visibleLine(it.title)}: ${visibleLine(it.reason)}`);
  const lines = [`${code}  ${visibleLine(title)}`, ...decoded.flatMap((it) => fieldLines(it, 1)), ...others];
  return { result, text: `${lines.join("\n")}\n` };
}

const LONGEST = 4_000;

/** Returns the intent as the journal stores it: amounts are decimal texts. */
function jsonOf(intent: Intent): Json {
  return JSON.parse(JSON.stringify(intent, (_key, value) => (typeof value === "bigint" ? String(value) : value)));
}

function fieldJson({ name, value, kind, type, children }: DecodedField): JsonObject {
  const nested: readonly Json[] | undefined = children?.map(fieldJson);
  return { name, value, kind, ...(type !== undefined && { type }), ...(nested && { children: nested }) };
}

function fieldLines({ name, value, type, children = [] }: DecodedField, depth: number): readonly string[] {
  const label = type === undefined ? visibleLine(name) : `${visibleLine(name)} (${type})`;
  return [
    `${"  ".repeat(depth)}${label}  ${visibleLine(value, LONGEST)}`,
    ...children.flatMap((it) => fieldLines(it, depth + 1)),
  ];
}
