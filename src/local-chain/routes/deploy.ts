import { create } from "@bufbuild/protobuf";
import { hexToBytes } from "../../core/primitives/bytes.ts";
import type { JsonObject } from "../../core/primitives/json.ts";
import { type ABI, ABISchema, CreateSmartContractSchema } from "../../core/transaction/gen/transaction_pb.js";
import { base58Payload } from "../http/base58-text.ts";
import { parseBody } from "../http/fastjson.ts";
import { validateException } from "../http/java-error.ts";
import { mergeJson } from "../http/json-format.ts";
import { compact, type Reply } from "../http/message.ts";
import { fieldsOf, messageOf } from "../http/message-fields.ts";
import { unsignedTransaction } from "./builders.ts";
import { longValue, looseHex, printTransaction, textValue } from "./print.ts";
import { bodyText, isVisible, type Route, type ServletRequest, type View } from "./route.ts";

const WHOLE = 100n;
const ABI_FIELDS = fieldsOf(ABISchema);

export const deployRoutes: readonly Route[] = [
  {
    name: "deploycontract",
    servlet: "DeployContractServlet",
    solidity: false,
    get: "empty",
    post: deployContract,
  },
];

function deployContract(request: ServletRequest, view: View): Reply {
  const json = parseBody(bodyText(request)) ?? {};
  const visible = isVisible(json.visible);
  const ownerAddress = ownerOf(json, visible);
  const percent = longValue(json, "consume_user_resource_percent");
  const abi = abiOf(json, visible);
  const newContract = {
    originAddress: ownerAddress,
    bytecode: bytecodeOf(json),
    name: textValue(json, "name") ?? "",
    abi,
    callValue: longValue(json, "call_value"),
    consumeUserResourcePercent: percent,
    originEnergyLimit: longValue(json, "origin_energy_limit"),
  };
  if (percent < 0n || percent > WHOLE) throw validateException("percent must be >= 0 and <= 100");
  const message = create(CreateSmartContractSchema, {
    ownerAddress,
    newContract,
    callTokenValue: longValue(json, "call_token_value"),
    tokenId: longValue(json, "token_id"),
  });
  const transaction = unsignedTransaction(view, {
    type: "CreateSmartContract",
    message,
    feeLimit: longValue(json, "fee_limit"),
    permissionId: Number(longValue(json, "Permission_id")),
  });
  return compact({ visible, ...printTransaction(transaction, visible) });
}

/** A text that is no address leaves the owner empty, and broadcast refuses it. */
function ownerOf(json: JsonObject, visible: boolean): Uint8Array {
  const text = textValue(json, "owner_address") ?? "";
  if (!visible) return looseHex(text);
  const payload = base58Payload(text);
  return payload.kind === "payload" ? hexToBytes(payload.hex) : new Uint8Array();
}

/** The ABI may be JSON, or a text of JSON: it is read as the field of a message. */
function abiOf(json: JsonObject, visible: boolean): ABI {
  const text = textValue(json, "abi");
  if (text === undefined && !("abi" in json)) return create(ABISchema);
  return messageOf(ABISchema, mergeJson(`{"entrys":${text ?? "null"}}`, ABI_FIELDS, visible)) as ABI;
}

/** Arguments follow the code; without any code there is none. */
function bytecodeOf(json: JsonObject): Uint8Array {
  const code = textValue(json, "bytecode");
  const parameter = "parameter" in json ? (textValue(json, "parameter") ?? "null") : undefined;
  if (code === undefined && parameter === undefined) return new Uint8Array();
  return looseHex(`${code ?? "null"}${parameter ?? ""}`);
}
