import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, type Hex, hexToBytes } from "../../core/primitives/bytes.ts";
import type { JsonObject } from "../../core/primitives/json.ts";
import { type Entry, SmartContractSchema } from "../../core/transaction/gen/transaction_pb.js";
import { messageToJson } from "../../core/transaction/transaction-json.ts";
import type { ContractRecord } from "../chain/contract.ts";
import { validAddress } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { base58Payload } from "../http/json-format.ts";
import { compact, type Reply } from "../http/message.ts";
import { caughtUp, cycleAt } from "../vm/energy-schedule.ts";
import { looseHex, textValue, unlessZero } from "./print.ts";
import { bodyText, isVisible, queryVisible, type Route, type ServletRequest, type View } from "./route.ts";

export const contractRoutes: readonly Route[] = [
  lookUp("getcontract", "GetContractServlet", (contract, _view, visible) => definitionJson(contract, visible)),
  lookUp("getcontractinfo", "GetContractInfoServlet", infoJson),
];

type Printer = (contract: ContractRecord, view: View, visible: boolean) => JsonObject;

function lookUp(name: string, servlet: string, print: Printer): Route {
  const answer = (view: View, address: string, visible: boolean): Reply => {
    const known = validAddress(addressBytes(address, visible));
    const contract = known && view.state.contract(known);
    return compact(contract === undefined ? {} : print(contract, view, visible));
  };
  return {
    name,
    servlet,
    solidity: false,
    post: (request, view) => answer(view, ...posted(request)),
    get: (request, view) => answer(view, request.query.get("value") ?? "", queryVisible(request)),
  };
}

function posted(request: ServletRequest): [address: string, visible: boolean] {
  const json = parseBody(bodyText(request)) ?? {};
  return [textValue(json, "value") ?? "", isVisible(json.visible)];
}

function addressBytes(text: string, visible: boolean): Uint8Array {
  if (!visible) return looseHex(text);
  const payload = base58Payload(text);
  return payload.kind === "payload" ? hexToBytes(payload.hex) : new Uint8Array();
}

function definitionJson({ definition }: ContractRecord, visible: boolean): JsonObject {
  const json = messageToJson(SmartContractSchema, definition, visible);
  return { ...json, abi: json.abi ?? {} };
}

function infoJson(contract: ContractRecord, view: View, visible: boolean): JsonObject {
  const { parameters } = view.chain;
  const cycle = cycleAt(view.newest.header.timestamp, parameters);
  const use = caughtUp(view.state.use(contract.address), cycle, parameters);
  return {
    ...(contract.code.length > 0 && { runtimecode: bytesToHex(contract.code) }),
    smart_contract: definitionJson(contract, visible),
    contract_state: {
      energy_usage: unlessZero(use.energyUsage),
      energy_factor: unlessZero(use.energyFactor),
      update_cycle: unlessZero(use.updateCycle),
    },
  };
}

const FUNCTION = 2;
const PURE = 1;
const VIEW = 2;

/** Whether the ABI on the chain says of a selector that its function only reads. */
export function isConstantFunction(entries: readonly Entry[], selector: Hex): boolean {
  const entry = entries.find((it) => it.type === FUNCTION && selectorOf(it) === selector);
  return entry !== undefined && (entry.constant || entry.stateMutability === VIEW || entry.stateMutability === PURE);
}

function selectorOf({ name, inputs }: Entry): Hex {
  const signature = `${name}(${inputs.map(({ type }) => type).join(",")})`;
  return bytesToHex(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4));
}
