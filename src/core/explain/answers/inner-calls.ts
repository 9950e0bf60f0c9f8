import type { JsonObject } from "../../primitives/json.ts";
import { listOf, objectOf, textOf } from "../decode/json-values.ts";
import { readMessage } from "../decode/message-text.ts";
import type { DecodedField } from "../result/explanation.ts";
import { addressText } from "../words/json-fields.ts";

const MAX_SHOWN = 50;

/** The internal transactions that were rejected, one field each; empty when all went well or the node does not keep them. */
export function rejectedInnerCalls(answer: JsonObject): readonly DecodedField[] {
  return listOf(answer.internal_transactions)
    .map(objectOf)
    .filter(({ rejected }) => rejected === true)
    .slice(0, MAX_SHOWN)
    .map((call, index) => ({
      name: `rejected inner call ${index + 1}`,
      value: `${readMessage(textOf(call.note) ?? "").readable || "call"} ${addressOf(call, "caller_address")} → ${addressOf(call, "transferTo_address")}`,
      kind: "text",
    }));
}

const addressOf = (call: JsonObject, name: string): string => addressText(textOf(call[name]) ?? "?");

/** Words for a success with failures inside. */
export const innerRejection = {
  title: "Succeeded, but an inner call was rejected",
  cause:
    "The contract caught the failure of a call that it made, and went on. What that call should have done did not happen.",
  fix: "Look at the inner call: a token or another contract refused it, and the caller did not insist.",
} as const;
