import type { ChainParameters } from "../chain/parameters.ts";
import { chainPrecompiles } from "./chain-precompiles.ts";
import { curvePrecompiles, hashPrecompiles, modularPower } from "./ethereum-precompiles.ts";
import type { Precompile, Precompiles } from "./precompile.ts";
import { signaturePrecompiles } from "./signature-precompiles.ts";

const all: Precompiles = new Map([
  ...hashPrecompiles,
  ...signaturePrecompiles,
  ...curvePrecompiles,
  ...chainPrecompiles,
  [0x05n, modularPower],
]);

export function precompileAt(word: bigint, parameters: ChainParameters): Precompile | undefined {
  const precompile = all.get(word);
  return precompile === undefined || precompile.when?.(parameters) === false ? undefined : precompile;
}
