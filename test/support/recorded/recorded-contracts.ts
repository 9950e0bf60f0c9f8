import { keccak_256 } from "@noble/hashes/sha3.js";
import { newContractAccount } from "../../../packages/local-chain/src/chain/account.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, addressToBytes, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../../packages/tron/src/primitives/json.ts";
import { type SmartContract, SmartContractSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { messageFromJson } from "../../../packages/tron/src/transaction/transaction-json.ts";
import { loadExchanges, loadRecordedKeys } from "./exchanges.ts";

/** A contract that was on the recorded chain before a file begins. */
export interface RecordedContract {
  readonly address: string;
  /** Runtime code, in hex; by default the token-like contract T of the recordings. */
  readonly code?: string;
  readonly consumeUserResourcePercent?: number;
  /** Rows that it had already. */
  readonly storage?: readonly (readonly [slot: bigint, value: bigint])[];
}

const OWNER = "alice";
const ORIGIN_ENERGY_LIMIT = 10_000_000;

/** Puts a contract where it was, as it was, as if it had been there for a long time. */
export function putRecordedContract(simulation: Simulation, contract: RecordedContract): void {
  const address = parseAddress(contract.address);
  const code = hexToBytes(contract.code ?? recordedT().runtimeCode);
  const ledger = simulation.chain.solidState;
  ledger.putContract({ address, definition: definitionOf(contract), code, codeHash: keccakText(code) });
  ledger.put(newContractAccount(address, contract.code === undefined ? "T" : ""));
  for (const [slot, value] of contract.storage ?? []) ledger.putRow(address, slot, value);
}

function definitionOf({ address, code, consumeUserResourcePercent = 100 }: RecordedContract): SmartContract {
  const json: JsonObject = {
    origin_address: loadRecordedKeys()[OWNER]?.hex ?? "",
    contract_address: address,
    abi: code === undefined ? recordedT().abi : {},
    consume_user_resource_percent: consumeUserResourcePercent,
    origin_energy_limit: ORIGIN_ENERGY_LIMIT,
    ...(code === undefined && { name: "T" }),
  };
  return messageFromJson(SmartContractSchema, json, false, "smart_contract") as SmartContract;
}

function keccakText(code: Uint8Array): Hex {
  return bytesToHex(keccak_256(code));
}

/** The contract behind most cases: ABI as a node tells it, code that runs, and what deploys it. */
export function recordedT(): {
  readonly abi: JsonObject;
  readonly runtimeCode: string;
  readonly source: { readonly abi: readonly JsonObject[]; readonly bytecode: string };
} {
  const exchanges = loadExchanges("contracts");
  const info = exchanges.find((it) => it.case === "getcontractinfo")?.responseBody;
  const deploy = exchanges.find((it) => it.case === "deploy-ok")?.requestBody;
  if (!isJsonObject(info) || !isJsonObject(deploy)) throw new TypeError("The recordings have no contract T.");
  const { smart_contract: contract, runtimecode } = info;
  if (!isJsonObject(contract) || !isJsonObject(contract.abi)) throw new TypeError("The recordings have no ABI of T.");
  const abi = parseJson(String(deploy.abi)) as readonly JsonObject[];
  return { abi: contract.abi, runtimeCode: String(runtimecode), source: { abi, bytecode: String(deploy.bytecode) } };
}

/** Slots in the storage of T, by what they hold: `m[account]` of its mapping in slot 1. */
export function slotOfM(account: Address): bigint {
  const key = Buffer.concat([Buffer.alloc(12), addressToBytes(account).slice(1), Buffer.alloc(31), Buffer.from([1])]);
  return BigInt(`0x${Buffer.from(keccak_256(key)).toString("hex")}`);
}
