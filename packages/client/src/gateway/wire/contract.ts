import { compilerSpelling } from "@finality/tron/abi";
import { isJsonObject, type Json, type JsonObject, jsonInteger } from "@finality/tron/primitives";
import { USUAL_OWNER_ENERGY_LIMIT } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { ContractRun, DeployedContract, SimulatedRun } from "../gateway.ts";
import * as read from "./answer.ts";
import { isAbsent } from "./transaction.ts";

/** The body of a run: the same for both ways to estimate. */
export function runBody({ owner, contract, data, callValue, tokenId, tokenValue }: ContractRun): JsonObject {
  return {
    owner_address: owner,
    ...(contract === undefined ? {} : { contract_address: contract }),
    data,
    call_value: jsonInteger(callValue),
    ...(tokenId === undefined ? {} : { token_id: jsonInteger(tokenId) }),
    ...(tokenValue === undefined ? {} : { call_token_value: jsonInteger(tokenValue) }),
    visible: false,
  };
}

/** `result.result` is true even when the run reverted: the message and `ret` tell (node behaviour 27). */
export function parseSimulatedRun(json: Json): SimulatedRun {
  const object = read.asObject(json, t`the simulated run`);
  const result = read.objectField(object, "result");
  if (result.result !== true) throw read.fault("result.result", t`is not true`);
  const [returned] = read.listField(object, "constant_result");
  const [ret] = read.listField(read.objectField(object, "transaction"), "ret");
  const failed = isJsonObject(ret) && read.textField(ret, "ret") === "FAILED";
  return {
    reverted: failed || read.textField(result, "message") !== "",
    energyUsed: read.integerField(object, "energy_used"),
    energyPenalty: read.integerField(object, "energy_penalty"),
    returned: read.hexField({ returned }, "returned"),
  };
}

/** The answer of `estimateenergy`: energy. @throws {FieldFault} it is missing or malformed */
export function parseRequiredEnergy(json: Json): bigint {
  const object = read.asObject(json, t`the estimate`);
  if (object.energy_required === undefined) throw read.fault("energy_required", t`is missing`);
  return read.integerField(object, "energy_required");
}

/** `{}` is an address without a contract. Both `getcontractinfo` and the older `getcontract` are read. */
export function parseDeployedContract(json: Json): DeployedContract | undefined {
  const whole = read.asObject(json, t`the contract`);
  if (isAbsent(whole)) return undefined;
  const contract = whole.smart_contract === undefined ? whole : read.objectField(whole, "smart_contract");
  const limit = read.integerField(contract, "origin_energy_limit");
  return {
    address: read.addressField(contract, "contract_address"),
    owner: read.addressField(contract, "origin_address"),
    name: read.textField(contract, "name"),
    callerPercent: read.integerField(contract, "consume_user_resource_percent"),
    ownerEnergyLimit: limit === 0n ? USUAL_OWNER_ENERGY_LIMIT : limit,
    created: read.hexField(contract, "bytecode"),
    ...(whole.runtimecode === undefined ? {} : { runtimeCode: read.hexField(whole, "runtimecode") }),
    abi: read.listField(read.objectField(contract, "abi"), "entrys").filter(isJsonObject).map(abiEntry),
  };
}

/** Deeper types come from nobody's compiler. */
const MAX_DEPTH = 32;

/** What stands there is a deployer's, and came through a gateway: each parameter has to have a type. */
function abiEntry(entry: JsonObject): JsonObject {
  read.textField(entry, "name");
  for (const list of ["inputs", "outputs"]) checkParameters(entry, list, 0);
  return compilerSpelling(entry);
}

function checkParameters(parent: JsonObject, list: string, depth: number): void {
  if (depth > MAX_DEPTH) throw read.fault("abi", t`is nested too deeply`);
  for (const it of read.listField(parent, list)) {
    const parameter = read.asObject(it, t`a parameter of ${list} in the abi`);
    read.textField(parameter, "name");
    if (read.textField(parameter, "type") === "") throw read.fault("abi", t`has a parameter without a type`);
    checkParameters(parameter, "components", depth + 1);
  }
}
