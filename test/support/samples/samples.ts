import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CodeIntent } from "../../../packages/client/src/estimates/call-estimate.ts";
import {
  type AbiIndex,
  candidateFromJson,
  createAbiIndex,
  type JsonAbiEntry,
} from "../../../packages/tron/src/abi/abi-index.ts";
import {
  type ContractFunction,
  constructorOf,
  functionDataOf,
  functionsOf,
} from "../../../packages/tron/src/abi/contract-functions.ts";
import { encodeAbi, type InputValue } from "../../../packages/tron/src/abi/encode-abi.ts";
import { typedValues } from "../../../packages/tron/src/abi/typed-value.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { type Hex, hex } from "../../../packages/tron/src/primitives/bytes.ts";
import { rawText } from "../../../packages/tron/src/primitives/plain-text.ts";
import { serialisedAbi } from "../../../packages/tron/src/transaction/intent-contract.ts";

/** A contract of samples/, ready to be deployed and called. */
interface Sample {
  readonly name: string;
  readonly abi: readonly JsonAbiEntry[];
  readonly index: AbiIndex;
  readonly bytecode: Hex;
  fn(name: string): ContractFunction;
  creation(owner: Address, values: readonly InputValue[], change?: Partial<CodeIntent>): CodeIntent;
  call(call: SampleCall, change?: Partial<CodeIntent>): CodeIntent;
}

interface SampleCall {
  readonly owner: Address;
  readonly contract: Address;
  readonly name: string;
  readonly values?: readonly InputValue[];
}

export const FEE_LIMIT = sun(1_000_000_000n);

export function sample(name: "Leaf" | "TeaHouse"): Sample {
  const file = join(import.meta.dirname, "..", "..", "..", "samples", "build", "contracts", `${name}.json`);
  const { abi, bytecode } = JSON.parse(readFileSync(file, "utf8")) as { abi: JsonAbiEntry[]; bytecode: string };
  const code = hex(bytecode.replace(/^0x/, ""));
  const fn = (functionName: string): ContractFunction => {
    const found = functionsOf(abi).find((it) => rawText(it.name) === functionName);
    if (found === undefined) throw new RangeError(`${name} has no ${functionName}.`);
    return found;
  };
  return {
    name,
    abi,
    fn,
    bytecode: code,
    index: createAbiIndex(abi.flatMap((entry) => candidateFromJson(entry, name) ?? [])),
    creation: (owner, values, change = {}) => {
      const encoded = encodeAbi(constructorOf(abi).parameters, fitted(constructorOf(abi), values));
      const plain = {
        kind: "contract-creation",
        owner,
        name,
        bytecode: hex(code + encoded),
        abi: serialisedAbi(abi),
        callValue: sun(0n),
        feeLimit: FEE_LIMIT,
        userPercent: 100n,
        originEnergyLimit: 10_000_000n,
      };
      return { ...plain, ...change } as CodeIntent;
    },
    call: ({ owner, contract, name: functionName, values = [] }, change = {}) => {
      const data = functionDataOf(fn(functionName), fitted(fn(functionName), values));
      const plain = { kind: "contract-call", owner, contract, data, callValue: sun(0n), feeLimit: FEE_LIMIT };
      return { ...plain, ...change } as CodeIntent;
    },
  };
}

function fitted({ parameters }: Pick<ContractFunction, "parameters">, values: readonly InputValue[]) {
  const typed = typedValues(parameters, values, () => undefined);
  if (!typed.ok) throw new RangeError(typed.misfits.map(({ path, reason }) => `${path} ${reason}`).join("; "));
  return typed.value;
}
