import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import { CompiledContracts, TraceSources } from "../../src/traces.ts";

const SOURCES: Readonly<Record<string, string>> = {
  "contracts/Checks.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
// Prüft Werte.
library Checks {
    function check(uint256 a) internal pure {
        require(a != 7, "seven");
    }
}
`,
  "contracts/Vault.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {Checks} from "./Checks.sol";
contract Vault {
    uint256 private immutable limit;
    constructor(uint256 a) { limit = a; }
    function run(uint256 a) external view returns (uint256) {
        Checks.check(a);
        return limit;
    }
}
`,
};
const VAULT = "contracts/Vault.sol";
const CHECKS = "contracts/Checks.sol";

type Output = {
  contracts: Record<string, Record<string, Artifact>>;
  sources: Record<string, { id: number; ast: object }>;
};
type Code = { object: string; sourceMap: string; immutableReferences: object; generatedSources: object };
type Artifact = { abi: object; metadata: string; evm: { bytecode: Code; deployedBytecode: Code } };

describe("CompiledContracts", () => {
  let output: Output;
  let vault: Artifact;
  let input: object;

  before(function compileSources() {
    this.timeout(300_000);
    const { compile } = createRequire(import.meta.url)("solc") as { compile(input: string): string };
    const sources = Object.fromEntries(Object.entries(SOURCES).map(([path, content]) => [path, { content }]));
    const outputSelection = { "*": { "*": ["abi", "metadata", "evm.bytecode", "evm.deployedBytecode"], "": ["ast"] } };
    input = { language: "Solidity", sources, settings: { evmVersion: "shanghai", outputSelection } };
    output = JSON.parse(compile(JSON.stringify(input)));
    vault = output.contracts[VAULT]?.Vault ?? assert.fail();
  });

  /** Code as it is on a chain: with a value in place of the immutable one. */
  function deployed(): ReturnType<typeof hex> {
    const { object } = vault.evm.deployedBytecode;
    return hex(object.replace("0".repeat(64), "ab".repeat(32)));
  }

  const json = JSON.stringify;
  const files: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    "build information of Hardhat 2": () => ({ "build-info/a.json": json({ id: "a", input, output }) }),
    "build information of Hardhat 3": () => ({
      "build-info/b.json": json({ _format: "hh3-sol-build-info-1", id: "b", input }),
      "build-info/b.output.json": json({ _format: "hh3-sol-build-info-output-1", id: "b", output }),
    }),
    "standard JSON output with sources on disk": () => ({ "out.json": json(output) }),
    "combined.json": () => ({
      "combined.json": json({
        sourceList: Object.entries(output.sources)
          .sort(([, one], [, other]) => one.id - other.id)
          .map(([path]) => path),
        contracts: {
          [`${VAULT}:Vault`]: {
            abi: vault.abi,
            bin: vault.evm.bytecode.object,
            srcmap: vault.evm.bytecode.sourceMap,
            // combined.json does not name the bytes of immutable values.
            "bin-runtime": deployed(),
            "srcmap-runtime": vault.evm.deployedBytecode.sourceMap,
          },
        },
      }),
    }),
    "artifacts of Foundry": () =>
      Object.fromEntries(
        Object.entries(output.contracts).flatMap(([path, named]) =>
          Object.entries(named).map(([name, { abi, metadata, evm }]) => [
            `out/${name}.json`,
            json({
              abi,
              bytecode: evm.bytecode,
              deployedBytecode: evm.deployedBytecode,
              metadata: JSON.parse(metadata),
              id: output.sources[path]?.id,
            }),
          ]),
        ),
      ),
    "artifacts of Truffle and TronBox": () =>
      Object.fromEntries(
        Object.entries(output.contracts).flatMap(([path, named]) =>
          Object.entries(named).map(([contractName, { abi, metadata, evm }]) => [
            `build/contracts/${contractName}.json`,
            json({
              contractName,
              abi,
              metadata,
              bytecode: `0x${evm.bytecode.object}`,
              deployedBytecode: `0x${evm.deployedBytecode.object}`,
              sourceMap: evm.bytecode.sourceMap,
              deployedSourceMap: evm.deployedBytecode.sourceMap,
              immutableReferences: evm.deployedBytecode.immutableReferences,
              source: SOURCES[path],
              sourcePath: path,
              ast: output.sources[path]?.ast,
            }),
          ]),
        ),
      ),
  };

  /** Returns the functions and lines of all instructions. */
  function linesOf(named: Readonly<Record<string, string>>, read = (path: string) => SOURCES[path]): readonly string[] {
    const contracts = new CompiledContracts();
    for (const [path, text] of Object.entries(named)) assert.ok(contracts.put(path, text), path);
    const code = new TraceSources(contracts, read).find(deployed(), "runtime");
    const counters = [...(code?.instructions.counters ?? [])];
    const lines = counters.flatMap((pc) => code?.locationAt(pc) ?? []);
    return [...new Set(lines.map((it) => `${it.function ?? ""} ${it.path}:${it.start.line + 1}`))];
  }

  for (const [title, make] of Object.entries(files))
    it(`reads ${title}`, () => {
      const lines = linesOf(make());
      assert.ok(lines.includes(`Checks.check ${CHECKS}:6`), lines.join("\n"));
      assert.ok(lines.includes(`Vault.run ${VAULT}:8`), lines.join("\n"));
    });

  it("matches creation code with arguments behind it", () => {
    const contracts = new CompiledContracts();
    contracts.put("a.json", json({ id: "a", input, output }));
    const { object } = vault.evm.bytecode;
    assert.equal(contracts.find(object + "00".repeat(32), "creation")?.compiled.contract, "Vault");
    assert.equal(contracts.find(object.replace("60", "61"), "creation"), undefined);
  });

  it("has no lines of a source that changed after it was compiled", () => {
    const lines = linesOf(files["artifacts of Foundry"]?.() ?? {}, (path) => `\n${SOURCES[path]}`);
    assert.deepEqual(lines, []);
  });

  it("has no lines of a source whose number is not certain", () => {
    const artifacts = { ...files["artifacts of Foundry"]?.() };
    const other = JSON.parse(artifacts["out/Checks.json"] ?? "");
    other.metadata.settings.compilationTarget = { "contracts/Other.sol": "Other" };
    const lines = linesOf({ ...artifacts, "out/Other.json": json(other) });
    assert.ok(lines.includes(`Vault.run ${VAULT}:8`));
    assert.ok(!lines.some((line) => line.includes("Checks.sol") || line.includes("Other.sol")), lines.join("\n"));
  });

  it("reads the ranges of an ETHDebug program", () => {
    const contracts = new CompiledContracts();
    const range = { offset: 0, length: 2 };
    const program = { instructions: [{ offset: 0, context: { code: { source: { id: 0 }, range } } }, { offset: 2 }] };
    const evm = { deployedBytecode: { object: "600100", ethdebug: program } };
    contracts.put("a.json", json({ contracts: { "A.sol": { A: { abi: [], evm } } }, sources: { "A.sol": { id: 0 } } }));
    assert.equal(contracts.find("600100", "runtime")?.compiled.sourceMap, "0:2:0:-;0:0:-1:-");
  });

  it("ignores files without source maps", () => {
    const contracts = new CompiledContracts();
    for (const text of ["", "[]", "{}", '{"abi":[]}', "nonsense", '{"contracts":{"a":5}}'])
      assert.equal(contracts.put("a.json", text), false, text);
  });
});
