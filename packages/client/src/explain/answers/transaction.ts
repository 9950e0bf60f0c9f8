import { type AbiCandidate, type AbiValue, tryDecode } from "@finality/tron/abi";
import { counted } from "@finality/tron/format";
import { resultNameOf } from "@finality/tron/node-messages";
import { isJsonObject, type JsonObject, stripHexPrefix } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { bytesOf, contractValue, listOf, objectOf, textOf } from "../decode/json.ts";
import type { DecodedField, ExplainContext } from "../result/explanation.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { addressText, argumentList, fieldsOfJson, fieldsOfValues } from "../words/fields.ts";
import { clip, type Finding, field, plainFinding, READINGS } from "../words/finding.ts";
import { explainVmFailure } from "../words/vm-words.ts";

/** Explains a transaction, signed or not, and the result that a look-up adds to it. */
export function explainTransaction(json: JsonObject, context: ExplainContext): Finding | undefined {
  const rawData = json.raw_data;
  if (!isJsonObject(rawData)) return undefined;
  const [ret] = listOf(json.ret);
  const result = clip(resultNameOf(objectOf(ret).contractRet) ?? textOf(objectOf(ret).ret) ?? "", 80);
  const what = describeContract(rawData, context);
  const decoded = [...field("txID", textOf(json.txID), "tx-id"), ...what.fields, ...fieldsOfJson(rawData)];
  if (result !== "" && result !== "SUCCESS" && result !== "DEFAULT") return ofFailure(result, decoded);
  const signatures = listOf(json.signature).length;
  return plainFinding(
    "TRANSACTION",
    {
      title: what.title,
      cause:
        `${signatures === 0 ? t`Not signed.` : t`${counted(signatures, t`signature`, t`signatures`)}.`} ${result === "" ? "" : t`A look-up shows SUCCESS, which may be the trial run of a transaction that is still pending.`}`.trim(),
      fix: t`Follow the txID until it is solidified.`,
    },
    { decoded, sources: [READINGS] },
  );
}

function ofFailure(result: string, decoded: readonly DecodedField[]): Finding {
  const finding = explainVmFailure(result, "", { code: result, decoded: [...field("result", result), ...decoded] });
  return {
    ...finding,
    cause: t`${finding.cause} While the transaction is pending, this is the result of a trial run.`,
    fix: t`Follow the txID until it is solidified: its information tells whether it failed, and contractResult and resMessage why.`,
    retry: verdictOf("trial"),
  };
}

/**
 * Describes the single contract of a transaction in one line, standalone and as the title of a transaction. The call is
 * decoded if its function is known.
 */
export function describeContract(
  rawData: JsonObject,
  context: ExplainContext,
): { readonly title: string; readonly what: string; readonly fields: readonly DecodedField[] } {
  const contract = objectOf(listOf(rawData.contract)[0]);
  const value = contractValue(rawData);
  const type = clip(textOf(contract.type) ?? t`contract of unknown type`, 60);
  const owner = textOf(value.owner_address);
  const what = owner === undefined ? type : `${type}${t` of ${addressText(clip(owner, 60))}`}`;
  return { title: t`Transaction: ${what}`, what, fields: callFields(value, context) };
}

function callFields(value: JsonObject, context: ExplainContext): readonly DecodedField[] {
  const call = callIn(value, context);
  return call === undefined ? [] : callFieldsOf(call);
}

/** A call by the names of an ABI. */
export interface NamedCall {
  readonly candidate: AbiCandidate;
  readonly values: readonly AbiValue[];
  /** In one line. */
  readonly text: string;
}

/** The call and its arguments, by name. */
export function callFieldsOf({ candidate, values, text }: NamedCall): readonly DecodedField[] {
  return [{ name: "call", value: text, kind: "list", children: fieldsOfValues(candidate.parameters, values) }];
}

/** The call in the fields of a contract, by the first names that fit its data. */
export function callIn(value: JsonObject, { abi }: ExplainContext): NamedCall | undefined {
  const data = bytesOf(value.data);
  const selector = stripHexPrefix(textOf(value.data) ?? "")
    .slice(0, 8)
    .toLowerCase();
  if (abi === undefined || data === undefined || selector.length !== 8) return undefined;
  for (const one of abi.lookup(selector, textOf(value.contract_address))) {
    const values = one.kind === "function" ? tryDecode(one.parameters, data.subarray(4)) : undefined;
    if (values === undefined) continue;
    return { candidate: one, values, text: clip(`${one.name}(${argumentList(one.parameters, values)})`, 240) };
  }
  return undefined;
}
