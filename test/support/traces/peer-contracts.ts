import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { JsonFragment } from "ethers";

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, "../../..");
const SOURCE = "Peers.sol";

/** Contracts by name. */
export interface CompiledContracts {
  readonly [name: string]: { readonly abi: readonly JsonFragment[]; readonly bytecode: string };
}

interface Solc {
  compile(input: string, callbacks: { import(path: string): { readonly contents: string } }): string;
}

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: {
    readonly [file: string]: {
      readonly [name: string]: {
        readonly abi: readonly JsonFragment[];
        readonly evm: { readonly bytecode: { readonly object: string } };
      };
    };
  };
}

/** Compiles the contracts of the comparison with the contracts of OpenZeppelin. */
export function compileContracts(): CompiledContracts {
  const solc = require("solc") as Solc;
  const settings = {
    evmVersion: "cancun",
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  };
  const content = readFileSync(join(import.meta.dirname, SOURCE), "utf8");
  const input = { language: "Solidity", sources: { [SOURCE]: { content } }, settings };
  const read = (path: string): { readonly contents: string } => ({
    contents: readFileSync(join(root, "node_modules", path), "utf8"),
  });
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input), { import: read })) as SolcOutput;
  const fatal = errors.filter(({ severity }) => severity === "error");
  if (fatal.length > 0) throw new Error(fatal.map((it) => it.formattedMessage).join("\n"));
  return Object.fromEntries(
    Object.values(contracts).flatMap((file) =>
      Object.entries(file).map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
    ),
  );
}
