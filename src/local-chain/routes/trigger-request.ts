import { keccak_256 } from "@noble/hashes/sha3.js";
import type { JsonObject } from "../../core/primitives/json.ts";
import { type TriggerSmartContract, TriggerSmartContractSchema } from "../../core/transaction/gen/transaction_pb.js";
import { parseBody } from "../http/fastjson.ts";
import { JavaError, nullPointerException } from "../http/java-error.ts";
import { mergeJson } from "../http/json-format.ts";
import { fieldsOf, messageOf } from "../http/message-fields.ts";
import { looseHex, textValue } from "./json-values.ts";
import { checkBodySize, isVisible, type ServletRequest } from "./route.ts";

const SELECTOR_BYTES = 4;
const FIELDS = fieldsOf(TriggerSmartContractSchema);

/** A call as the servlets for calls, constant calls and estimates read it. */
export interface TriggerRequest {
  readonly json: JsonObject;
  readonly message: TriggerSmartContract;
  readonly visible: boolean;
}

/** What has to be there before anything else is read. */
export type RequiredFields = (json: JsonObject) => void;

/**
 * Reads a call. A selector wins over data.
 *
 * @param seen - told of `visible` as soon as it is known, for the answer to what cannot be read
 * @throws {JavaError}
 */
export function readTrigger(
  { body }: ServletRequest,
  check: RequiredFields,
  seen: (visible: boolean) => void,
): TriggerRequest {
  checkBodySize(body);
  const json = parseBody(body);
  if (json === undefined) {
    const call = "com.alibaba.fastjson.JSONObject.getString(String)";
    throw nullPointerException(`Cannot invoke "${call}" because "<local1>" is null`);
  }
  const visible = isVisible(json.visible);
  seen(visible);
  check(json);
  const message = messageOf(TriggerSmartContractSchema, mergeJson(body, FIELDS, visible)) as TriggerSmartContract;
  const selector = textValue(json, "function_selector");
  if (selector !== undefined && selector !== "") message.data = callData(selector, textValue(json, "parameter") ?? "");
  return { json, message, visible };
}

/** Constant calls and estimates may be of code that is not on the chain. */
export function requireCallOrCode(json: JsonObject): void {
  requireOwner(json);
  const [address, data] = [textValue(json, "contract_address") ?? "", textValue(json, "data") ?? ""];
  if (address !== "") return;
  if (data === "") throw invalidParameter("At least one of contract_address and data must be set.");
  if ((textValue(json, "function_selector") ?? "") !== "") {
    throw invalidParameter("While trying to deploy, function_selector and data can not be both set.");
  }
}

export function requireContract(json: JsonObject): void {
  requireOwner(json);
  if ((textValue(json, "contract_address") ?? "") === "") throw invalidParameter("contract_address isn't set.");
}

function requireOwner(json: JsonObject): void {
  if ((textValue(json, "owner_address") ?? "") === "") throw invalidParameter("owner_address isn't set.");
}

function invalidParameter(message: string): JavaError {
  return new JavaError("java.security.InvalidParameterException", message);
}

/** Four bytes of the signature's hash, and the arguments as they were given. */
function callData(signature: string, parameter: string): Uint8Array {
  const selector = keccak_256(new TextEncoder().encode(signature)).subarray(0, SELECTOR_BYTES);
  return looseHex(Buffer.from(selector).toString("hex") + parameter);
}
