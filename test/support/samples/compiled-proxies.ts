import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { JsonAbiEntry } from "../../../packages/tron/src/abi/abi-index.ts";
import { constructorOf } from "../../../packages/tron/src/abi/contract-functions.ts";
import { encodeAbi } from "../../../packages/tron/src/abi/encode-abi.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../../packages/tron/src/primitives/bytes.ts";
import type { IntentOf } from "../../../packages/tron/src/transaction/intent.ts";
import { serialisedAbi } from "../../../packages/tron/src/transaction/intent-contract.ts";
import { FEE_LIMIT } from "./samples.ts";

/** Contract of `proxies.sol`. */
export interface CompiledContract {
  readonly name: string;
  readonly abi: readonly JsonAbiEntry[];
  /** Hex without 0x. */
  readonly bytecode: string;
  creation(owner: Address, ...values: readonly Address[]): IntentOf<"contract-creation">;
}

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: {
    readonly [file: string]: {
      readonly [name: string]: {
        readonly abi: readonly JsonAbiEntry[];
        readonly evm: { readonly bytecode: { readonly object: string } };
      };
    };
  };
}

const FILE = "proxies.sol";

/** Compiles `proxies.sol`, and returns its contracts by name. */
export function compileProxies(): ReadonlyMap<string, CompiledContract> {
  const { compile } = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const content = readFileSync(join(import.meta.dirname, FILE), "utf8");
  const settings = {
    evmVersion: "shanghai",
    optimizer: { enabled: true },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  };
  const input = { language: "Solidity", sources: { [FILE]: { content } }, settings };
  const { errors = [], contracts } = JSON.parse(compile(JSON.stringify(input))) as SolcOutput;
  const [failed] = errors.filter(({ severity }) => severity === "error");
  if (failed !== undefined) throw new Error(failed.formattedMessage);
  return new Map(
    Object.entries(contracts[FILE] ?? {}).map(([name, { abi, evm }]) => {
      const bytecode = evm.bytecode.object;
      const creation = (owner: Address, ...values: readonly Address[]): IntentOf<"contract-creation"> => ({
        kind: "contract-creation",
        owner,
        name,
        abi: serialisedAbi(abi),
        bytecode: hex(bytecode + encodeAbi(constructorOf(abi).parameters, values)),
        callValue: sun(0n),
        feeLimit: FEE_LIMIT,
        userPercent: 100n,
        originEnergyLimit: 10_000_000n,
      });
      return [name, { name, abi, bytecode, creation }];
    }),
  );
}
