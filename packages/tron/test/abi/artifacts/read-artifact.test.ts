import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readArtifact } from "../../../src/abi/artifacts/read-artifact.ts";

const samples = join(import.meta.dirname, "../../../../../samples");
const abi = [{ type: "error", name: "NotAllowed", inputs: [{ name: "who", type: "address" }] }];
const HEX_20 = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const ADDRESS = `41${HEX_20}`;
const BASE58 = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const TX_ID = "ab".repeat(32);

function contentsOf(json: unknown, path = "build/contracts/Leaf.json") {
  const result = readArtifact(JSON.stringify(json), path);
  assert.equal(result.kind, "artifact", JSON.stringify(result));
  return result.kind === "artifact" ? result.contents : { contracts: [], deployments: [] };
}

describe("readArtifact", () => {
  it("reads contracts and networks of TronBox and Truffle", () => {
    const networks = { "2": { events: {}, links: {}, address: ADDRESS, transactionHash: `0x${TX_ID}` } };

    const read = contentsOf({
      contractName: "Leaf",
      abi,
      bytecode: "0x6001",
      sourcePath: "contracts/Leaf.sol",
      networks,
    });

    assert.deepEqual(read.contracts, [{ name: "Leaf", abi, bytecode: "6001", source: "contracts/Leaf.sol" }]);
    assert.deepEqual(read.deployments, [{ contract: "Leaf", address: ADDRESS, network: "2", txId: TX_ID }]);
  });

  it("adds the members of enums from the syntax tree, also in structs and lists", () => {
    const state = (type: string, internalType: string) => ({ name: "state", type, internalType });
    const input = { name: "order", type: "tuple", components: [state("uint8[]", "enum Shop.State[]")] };
    const abi = [{ type: "function", name: "f", inputs: [state("uint8", "enum Shop.State"), input] }];
    const members = ["Open", "Paid"].map((name) => ({ nodeType: "EnumValue", name }));
    const definition = { nodeType: "EnumDefinition", canonicalName: "Shop.State", members };
    const ast = { nodeType: "SourceUnit", nodes: [{ nodeType: "ContractDefinition", nodes: [definition] }] };

    const [contract] = contentsOf({ contractName: "Shop", abi, ast }).contracts;
    const [own, inside] = contract?.abi[0]?.inputs ?? [];
    assert.deepEqual(own?.members, ["Open", "Paid"]);
    assert.deepEqual(inside?.components?.[0]?.members, ["Open", "Paid"]);
    assert.deepEqual(contentsOf({ contractName: "Shop", abi }).contracts[0]?.abi, abi, "without a syntax tree");
    for (const nodes of [5, [null], [{ ...definition, members: [{ name: 5 }] }], [{ ...definition, members: 7 }]])
      assert.ok(contentsOf({ contractName: "Shop", abi, ast: { nodes } }).contracts[0]?.abi);
  });

  it("reads the artifacts of the samples", () => {
    const text = readFileSync(join(samples, "build/contracts/TeaHouse.json"), "utf8");

    const result = readArtifact(text, "build/contracts/TeaHouse.json");

    assert.equal(result.kind === "artifact" && result.contents.contracts[0]?.name, "TeaHouse");
    assert.ok(result.kind === "artifact" && (result.contents.contracts[0]?.bytecode?.length ?? 0) > 100);
  });

  for (const _format of ["hh-sol-artifact-1", "hh3-artifact-1"]) {
    it(`reads contracts of Hardhat (${_format})`, () => {
      const json = {
        _format,
        contractName: "Leaf",
        sourceName: "contracts/Leaf.sol",
        abi,
        bytecode: "0x",
        linkReferences: {},
      };

      const read = contentsOf(json, "artifacts/contracts/Leaf.sol/Leaf.json");

      assert.deepEqual(read, { contracts: [{ name: "Leaf", abi, source: "contracts/Leaf.sol" }], deployments: [] });
    });
  }

  it("finds nothing in Hardhat's debug files", () => {
    assert.deepEqual(contentsOf({ _format: "hh-sol-dbg-1", buildInfo: "../x.json" }), {
      contracts: [],
      deployments: [],
    });
  });

  it("reads contracts of Foundry, named by their metadata or by the file", () => {
    const metadata = { settings: { compilationTarget: { "src/Leaf.sol": "Leaf" } } };
    const bytecode = { object: "0x6002", linkReferences: {} };

    assert.deepEqual(contentsOf({ abi, bytecode, metadata }, "out/Leaf.sol/Leaf.0.8.20.json").contracts, [
      { name: "Leaf", abi, bytecode: "6002", source: "src/Leaf.sol" },
    ]);
    assert.equal(contentsOf({ abi, bytecode }, "out/Leaf.sol/Leaf.json").contracts[0]?.name, "Leaf");
  });

  it("reads all contracts of solc's standard output, and of a build record around it", () => {
    const output = { contracts: { "a.sol": { A: { abi, evm: { bytecode: { object: "6003" } } }, B: { abi: [] } } } };

    const names = (json: unknown) => contentsOf(json).contracts.map(({ name, bytecode }) => [name, bytecode]);

    assert.deepEqual(names(output), [
      ["A", "6003"],
      ["B", undefined],
    ]);
    assert.deepEqual(names({ id: "1", input: {}, output }), [
      ["A", "6003"],
      ["B", undefined],
    ]);
  });

  it("reads deployments of hardhat-deploy, with the network of their folder", () => {
    const read = contentsOf(
      { address: `0x${HEX_20}`, abi, transactionHash: TX_ID, bytecode: "0x6004" },
      "deployments/nile/Leaf.json",
    );

    assert.deepEqual(read.deployments, [{ contract: "Leaf", address: ADDRESS, network: "nile", txId: TX_ID }]);
    assert.deepEqual(read.contracts, [{ name: "Leaf", abi, bytecode: "6004" }]);
  });

  it("reads creations of a Foundry broadcast, but no calls", () => {
    const transactions = [
      { hash: `0x${TX_ID}`, transactionType: "CREATE", contractName: "Leaf", contractAddress: `0x${HEX_20}` },
      { hash: `0x${TX_ID}`, transactionType: "CALL", contractName: "Leaf", contractAddress: `0x${HEX_20}` },
    ];

    const read = contentsOf(
      { transactions, receipts: [], chain: 31337 },
      "broadcast/Deploy.s.sol/31337/run-latest.json",
    );

    assert.deepEqual(read.deployments, [{ contract: "Leaf", address: ADDRESS, network: "31337", txId: TX_ID }]);
  });

  it("reads deployment records of the samples", () => {
    const record = {
      network: "Local chain",
      contracts: { Leaf: { address: BASE58, transaction: TX_ID }, Other: BASE58 },
    };

    assert.deepEqual(contentsOf(record, "deployments/local.json").deployments, [
      { contract: "Leaf", address: ADDRESS, network: "Local chain", txId: TX_ID },
      { contract: "Other", address: ADDRESS, network: "Local chain" },
    ]);
  });

  it("reads the chain ID of a deployment record before its network's name", () => {
    const record = { network: "Nile", chainId: 3448148188, contracts: { Leaf: BASE58 } };

    const [deployment] = contentsOf(record, "deployments/Nile.json").deployments;
    assert.equal(deployment?.network, "3448148188");
  });

  it("reads the addresses of Hardhat Ignition, named by the last part of their future", () => {
    const addresses = { "LeafModule#Leaf": `0x${HEX_20}`, "LeafModule#none": "later" };

    assert.deepEqual(contentsOf(addresses, "ignition/deployments/chain-31337/deployed_addresses.json").deployments, [
      { contract: "Leaf", address: ADDRESS, network: "31337" },
    ]);
  });

  it("names an ABI by its file", () => {
    assert.deepEqual(contentsOf(abi, "abi/Leaf.json").contracts, [{ name: "Leaf", abi }]);
  });

  it("F2: reads an ABI in an object, with the bytecode where Waffle, Remix and solc put it", () => {
    const code = (json: object) => contentsOf({ abi, ...json }, "build/Leaf.json").contracts;
    const leaf = { name: "Leaf", abi };

    assert.deepEqual(code({}), [leaf]);
    const waffle = {
      interface: ["error NotAllowed(address)"],
      evm: { bytecode: { object: "6005" } },
      bytecode: "6005",
    };
    assert.deepEqual(code(waffle), [{ ...leaf, bytecode: "6005" }]);
    assert.deepEqual(code({ evm: { bytecode: { object: "6006" } } }), [{ ...leaf, bytecode: "6006" }]);
    const remix = {
      deploy: { VM: {} },
      data: { bytecode: { object: "6007", linkReferences: {} }, gasEstimates: null },
    };
    assert.deepEqual(code(remix), [{ ...leaf, bytecode: "6007" }]);
    assert.deepEqual(code({ abi: JSON.stringify(abi) }), [leaf], "the ABI as text");
    const combined = { contracts: { "a.sol:Leaf": { abi, bin: "6008" }, "a.sol:Bud": { abi: "[]", bin: "" } } };
    assert.deepEqual(contentsOf(combined).contracts, [
      { name: "Leaf", abi, source: "a.sol", bytecode: "6008" },
      { name: "Bud", abi: [], source: "a.sol" },
    ]);
  });

  it("F3: reads ABIs in the chain's own form, with entrys and capitals", () => {
    const entrys = [
      { name: "set", inputs: [{ name: "n", type: "uint256" }], type: "Function", stateMutability: "Nonpayable" },
      { name: "Done", inputs: [{ indexed: true, name: "n", type: "uint256" }], type: "Event" },
    ];
    const expected = [
      { outputs: [], ...entrys[0], type: "function", stateMutability: "nonpayable" },
      { outputs: [], ...entrys[1], type: "event" },
    ];
    const stored = { contract_address: ADDRESS, origin_address: ADDRESS, name: "Stored", bytecode: "6009" };

    for (const json of [{ entrys }, { abi: { entrys } }, entrys])
      assert.deepEqual(contentsOf(json, "abi/Leaf.json").contracts, [{ name: "Leaf", abi: expected }]);
    assert.deepEqual(contentsOf({ ...stored, abi: { entrys } }, "x.json").contracts, [
      { name: "Stored", abi: expected },
    ]);
    assert.deepEqual(contentsOf({ contractName: "Leaf", abi: { entrys }, bytecode: "0x6001" }).contracts, [
      { name: "Leaf", abi: expected, bytecode: "6001" },
    ]);
  });

  it("F4: returns unlinked code separately, with the names of its libraries", () => {
    const hashed = `__$${"a".repeat(34)}$__`;
    const linkReferences = { "contracts/Lib.sol": { Lib: [{ start: 2, length: 20 }] } };
    const old = "__contracts/ConvertLib.sol:ConvertLib".padEnd(40, "_");
    const byName = "__ConvertLib".padEnd(40, "_");
    const unlinked = (bytecode: unknown, more: object = {}) => {
      const [contract] = contentsOf({ contractName: "Leaf", abi, bytecode, ...more }).contracts;
      assert.equal(contract?.bytecode, undefined);
      return contract?.unlinked;
    };

    assert.deepEqual(unlinked(`0x6080${hashed}6080${hashed}`), {
      code: `6080${hashed}6080${hashed}`,
      libraries: [{ placeholder: hashed }],
    });
    assert.deepEqual(unlinked(`0x6080${old}6080`)?.libraries, [
      { placeholder: old, name: "ConvertLib", source: "contracts/ConvertLib.sol" },
    ]);
    assert.deepEqual(unlinked(`0x6080${byName}`)?.libraries, [{ placeholder: byName, name: "ConvertLib" }]);
    assert.equal(unlinked("0x6080__short"), undefined);
    assert.equal(unlinked("0xxyz"), undefined);
    const named = [{ placeholder: hashed, name: "Lib", source: "contracts/Lib.sol" }];
    const hardhat = { _format: "hh-sol-artifact-1", contractName: "Leaf", abi, linkReferences };
    assert.deepEqual(contentsOf({ ...hardhat, bytecode: `0x6080${hashed}` }).contracts[0]?.unlinked?.libraries, named);
    const foundry = { abi, bytecode: { object: `0x6080${hashed}`, linkReferences } };
    assert.deepEqual(contentsOf(foundry, "out/Leaf.sol/Leaf.json").contracts[0]?.unlinked?.libraries, named);
    const solc = { contracts: { "a.sol": { A: { abi, evm: { bytecode: foundry.bytecode } } } } };
    assert.deepEqual(contentsOf(solc).contracts[0]?.unlinked?.libraries, named);
  });

  it("ignores other JSON", () => {
    const foreign = ["{}", "[]", "[1]", "null", '"a"', '{"name":"package","version":"1"}', '{"contracts":{}}'];

    assert.deepEqual(
      foreign.filter((text) => readArtifact(text, "artifacts/x.json").kind !== "foreign"),
      [],
    );
  });

  it("names the reason for a broken file", () => {
    const reasonOf = (text: string) => {
      const result = readArtifact(text, "x.json");
      return result.kind === "broken" ? result.reason : result.kind;
    };

    assert.match(reasonOf('{"contractName":"Leaf","abi":['), /^it is not JSON/);
    assert.match(reasonOf(""), /^it is not JSON/);
    assert.match(reasonOf('{"contractName":"Leaf","abi":[{"inputs":[{"type":7}]}]}'), /^its abi is not a list/);
    assert.match(reasonOf('{"contractName":"Leaf","abi":"none"}'), /^its abi is not a list/);
  });

  it("ignores deployments with an invalid address", () => {
    const networks = { "2": { address: "0x12" }, "3": {}, "4": null, "5": { address: "T123" } };

    assert.deepEqual(contentsOf({ contractName: "Leaf", abi, networks }).deployments, []);
  });
});
