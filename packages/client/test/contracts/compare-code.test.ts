import assert from "node:assert/strict";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import {
  type CompiledContract,
  type CompilerResult,
  compareCode,
  compareWithSource,
  currentInput,
  readArtifactCode,
  readRecordedBuild,
  standardJson,
} from "../../src/contracts.ts";

const metadata = (hash: string, version = "000818"): string =>
  `a264697066735822${"1220"}${hash.repeat(32)}64736f6c6343${version}0033`;
const word = (byte: string): string => byte.repeat(32);
const TARGET = { path: "contracts/Leaf.sol", name: "Leaf" };

/** Code with an immutable variable at byte 2 and a library at byte 36. */
function compiledLeaf({
  hash = "aa",
  body = "6001",
  version,
}: {
  hash?: string;
  body?: string;
  version?: string;
} = {}): CompiledContract {
  const object = `5b7f${word("00")}5b73__$0123456789abcdef0123456789abcdef01$__${body}${metadata(hash, version)}`;
  const libraries = { "contracts/Rates.sol": { Rates: [{ start: 36, length: 20 }] } };
  const runtime = { object, linkReferences: libraries, immutableReferences: { 7: [{ start: 2, length: 32 }] } };
  const creation = {
    object: `6080${object}`,
    linkReferences: { "contracts/Rates.sol": { Rates: [{ start: 38, length: 20 }] } },
  };
  const abi = [{ type: "constructor", inputs: [{ name: "count", type: "uint256" }] }];
  const found = readArtifactCode({ abi, bytecode: creation, deployedBytecode: runtime }, TARGET);
  if (found === undefined) throw new Error("no code");
  return found;
}

function deployed({ hash = "aa", body = "6001", version = "000818", count = word("00"), tail = word("07") } = {}) {
  const code = (immutable: string): string => `5b7f${immutable}5b73${"ab".repeat(20)}${body}${metadata(hash, version)}`;
  return { created: `6080${code(word("00"))}${tail}`, runtimeCode: code(count) };
}

describe("comparison of code", () => {
  it("finds code equal that differs in immutable values, libraries and arguments", () => {
    const match = compareCode(deployed({ count: word("05") }), compiledLeaf());
    assert.equal(match.kind, "equal");
    assert.deepEqual(match.immutables, [word("05")]);
    assert.deepEqual(match.libraries, [{ name: "Rates", address: "ab".repeat(20) }]);
    assert.equal(match.arguments, word("07"));
  });

  it("finds the instructions equal if only the hash of the metadata differs", () => {
    const match = compareCode(deployed({ hash: "bb" }), compiledLeaf());
    assert.deepEqual([match.kind, match.cause, match.first?.of], ["same-instructions", "metadata", "runtime"]);
  });

  it("names the first byte that differs", () => {
    const match = compareCode(deployed({ body: "6002" }), compiledLeaf());
    assert.equal(match.kind, "different");
    const first = { of: "runtime", at: 57, chain: "02a2646970667358", compiled: "01a2646970667358" };
    assert.deepEqual(match.first, first);
  });

  it("reads the version of the compiler from the metadata of different code", () => {
    const match = compareCode(deployed({ body: "6002", version: "000814" }), compiledLeaf());
    assert.equal(match.cause, "compiler-version");
  });

  it("finds arguments that the constructor does not expect", () => {
    for (const tail of ["", word("07").slice(2), word("07") + word("00")]) {
      const match = compareCode(deployed({ tail }), compiledLeaf());
      assert.deepEqual([match.kind, match.cause, match.first?.of], ["different", "constructor-arguments", "arguments"]);
    }
  });

  it("finds immutable values if the artifact does not tell their places", () => {
    const compiled = compiledLeaf();
    const blind = { ...compiled, runtime: compiled.runtime && { ...compiled.runtime, immutables: undefined } };
    const match = compareCode(deployed({ count: word("05") }), blind);
    assert.deepEqual([match.kind, match.cause], ["different", "immutables"]);
  });

  it("compares runtime code alone if another contract created it", () => {
    const { runtimeCode } = deployed();
    assert.equal(compareCode({ created: "", runtimeCode }, compiledLeaf()).kind, "equal");
  });
});

describe("search for the cause", () => {
  /** Compiler whose code has the number of runs. */
  const compile = async (input: JsonObject): Promise<CompilerResult> => {
    const { optimizer } = input.settings as { optimizer?: { enabled?: boolean; runs: number } };
    const body = optimizer?.enabled === true ? `61${optimizer.runs.toString(16).padStart(8, "0")}` : "6001";
    return { kind: "compiled", contract: compiledLeaf({ body }) };
  };
  const input = { language: "Solidity", sources: { "contracts/Leaf.sol": { content: "" } }, settings: {} };

  it("compiles with other settings until the code is equal", async () => {
    const chain = deployed({ body: `61${(1000).toString(16).padStart(8, "0")}` });
    const result = await compareWithSource({ chain, target: TARGET, input, compiler: undefined }, compile);
    assert.equal(result.kind, "report");
    if (result.kind !== "report") return;
    assert.deepEqual(result.report.cause, { kind: "optimizer", enabled: true, runs: 1000 });
    assert.equal(result.report.isProven, true);
  });

  it("compiles nothing else if only one code has a function", async () => {
    const chain = deployed({ body: "63a9059cbb14" });
    const result = await compareWithSource({ chain, target: TARGET, input, compiler: undefined }, compile);
    if (result.kind !== "report" || result.report.cause?.kind !== "source") throw new Error("no source");
    assert.deepEqual(result.report.cause.functions.onlyThere, ["a9059cbb"]);
    assert.equal(result.report.compilations, 1);
  });
});

describe("input of the compiler", () => {
  const settings = { optimizer: { enabled: true, runs: 7 }, outputSelection: {} };
  const sources = { "contracts/Leaf.sol": { content: "contract Leaf {}" }, "contracts/Other.sol": { content: "" } };

  it("comes from build information, with the sources of the workspace", async () => {
    const text = JSON.stringify({
      solcLongVersion: "0.8.24+commit.e11b9ed9",
      input: { language: "Solidity", sources, settings },
    });
    const build = readRecordedBuild(text, "Leaf", "contracts/Leaf.sol");
    assert.equal(build?.compiler, "0.8.24+commit.e11b9ed9");
    if (build === undefined) return;
    const current = await currentInput(build, async (path) =>
      path.endsWith("Leaf.sol") ? "contract Leaf { }" : undefined,
    );
    assert.deepEqual([current.changed, current.missing], [["contracts/Leaf.sol"], []]);
  });

  it("comes from the metadata of an artifact", async () => {
    const own = { compilationTarget: { "contracts/Leaf.sol": "Leaf" }, optimizer: { runs: 7 }, evmVersion: "paris" };
    const metadata = {
      compiler: { version: "0.8.24" },
      language: "Solidity",
      settings: own,
      sources: { "contracts/Leaf.sol": { keccak256: "0x00" } },
    };
    const build = readRecordedBuild(JSON.stringify({ abi: [], metadata: JSON.stringify(metadata) }), "Leaf", undefined);
    assert.deepEqual(build?.input.settings, { optimizer: { runs: 7 }, evmVersion: "paris" });
    if (build === undefined) return;
    assert.deepEqual((await currentInput(build, async () => undefined)).missing, ["contracts/Leaf.sol"]);
    assert.deepEqual((await currentInput(build, async () => "contract Leaf {}")).changed, ["contracts/Leaf.sol"]);
  });

  it("has the sources that the contract needs, for explorers", () => {
    const json = standardJson({ language: "Solidity", sources, settings }, { sources: { "contracts/Leaf.sol": {} } });
    assert.deepEqual(Object.keys(json.sources as object), ["contracts/Leaf.sol"]);
    assert.deepEqual((json.settings as JsonObject).optimizer, { enabled: true, runs: 7 });
  });
});
