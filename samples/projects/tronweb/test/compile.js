import { readFileSync } from "node:fs";
import solc from "solc";

/** Returns ABI and bytecode of a contract in `contracts/`, which has the name of its file. */
export function compile(name) {
  const content = readFileSync(new URL(`../contracts/${name}.sol`, import.meta.url), "utf8");
  const settings = { evmVersion: "shanghai", outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } };
  const input = { language: "Solidity", sources: { [name]: { content } }, settings };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const { abi, evm } = contracts[name][name];
  return { abi, bytecode: evm.bytecode.object };
}
