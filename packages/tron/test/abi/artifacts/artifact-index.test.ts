import assert from "node:assert/strict";
import type { JsonAbiEntry } from "../../../src/abi/abi-index.ts";
import { selectorOf, topicOf } from "../../../src/abi/abi-signature.ts";
import { inParts, summarise } from "../../../src/abi/artifacts/artifact.ts";
import { ArtifactIndex, isCreatedFrom } from "../../../src/abi/artifacts/artifact-index.ts";
import { parseAddress } from "../../../src/primitives/address.ts";

const address = parseAddress("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
const notAllowed: JsonAbiEntry = { type: "error", name: "NotAllowed", inputs: [{ name: "who", type: "address" }] };
const transfer: JsonAbiEntry = {
  type: "function",
  name: "transfer",
  inputs: [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
  ],
};
const moved = (indexed: boolean): JsonAbiEntry => ({
  type: "event",
  name: "Moved",
  inputs: [{ name: "to", type: "address", indexed }],
});

function indexOf(...files: readonly [path: string, name: string, abi: readonly JsonAbiEntry[], at?: typeof address][]) {
  const index = new ArtifactIndex();
  for (const [path, name, abi, place] of files) {
    const deployments = place === undefined ? [] : [{ contract: name, address: place, network: "1" }];
    index.put(summarise(path, { contracts: [{ name, abi }], deployments }, new Map()));
  }
  return index;
}

const origins = (index: ArtifactIndex, key: string, contract?: string) =>
  index.lookup(key, contract).map(({ signature, origin }) => `${signature} ${origin}`);

describe("ArtifactIndex", () => {
  it("finds errors and functions by selector and events by topic, with their origin", () => {
    const index = indexOf(["a/Leaf.json", "Leaf", [notAllowed, transfer, moved(true)]]);

    assert.deepEqual(origins(index, selectorOf("NotAllowed(address)")), ["NotAllowed(address) Leaf (a/Leaf.json)"]);
    assert.deepEqual(origins(index, "a9059cbb"), ["transfer(address,uint256) Leaf (a/Leaf.json)"]);
    assert.deepEqual(index.lookup(topicOf("Moved(address)"))[0]?.indexed, [true]);
    assert.deepEqual(index.lookup("00000000"), []);
  });

  it("merges equal declarations of several contracts, and counts them", () => {
    const index = indexOf(["a.json", "A", [transfer]], ["b.json", "B", [transfer]], ["c.json", "C", [transfer]]);

    assert.deepEqual(origins(index, "a9059cbb"), ["transfer(address,uint256) A (a.json), and 2 more"]);
  });

  it("keeps different declarations with the same key apart", () => {
    const index = indexOf(["a.json", "A", [moved(true)]], ["b.json", "B", [moved(false)]]);

    assert.deepEqual(
      index.lookup(topicOf("Moved(address)")).map(({ indexed }) => indexed),
      [[true], [false]],
    );
  });

  it("returns all candidates of a selector collision", () => {
    const other: JsonAbiEntry = {
      type: "function",
      name: "many_msg_babbage",
      inputs: [{ name: "", type: "bytes1" }],
    };
    const index = indexOf(["a.json", "A", [transfer]], ["b.json", "B", [other]]);

    assert.equal(selectorOf("many_msg_babbage(bytes1)"), "a9059cbb");
    assert.deepEqual(
      index.lookup("a9059cbb").map(({ name }) => name),
      ["transfer", "many_msg_babbage"],
    );
  });

  it("returns the contract of an address first", () => {
    const index = indexOf(["a.json", "A", [moved(true)]], ["b.json", "B", [moved(false)], address]);

    assert.deepEqual(origins(index, topicOf("Moved(address)"), address)[0], "Moved(address) B (b.json)");
    assert.deepEqual(
      index.contractsAt(address).map(({ name }) => name),
      ["B"],
    );
    assert.deepEqual(
      index.deploymentsOf("B").map(({ network, path }) => [network, path]),
      [["1", "b.json"]],
    );
  });

  it("replaces and removes the entries of a file", () => {
    const index = indexOf(["a.json", "A", [transfer], address], ["b.json", "B", [notAllowed]]);

    index.put(summarise("a.json", { contracts: [{ name: "A2", abi: [notAllowed] }], deployments: [] }, new Map()));
    assert.deepEqual(index.lookup("a9059cbb"), []);
    assert.deepEqual(index.deployments, []);
    assert.deepEqual(index.contracts.map(({ name }) => name).sort(), ["A2", "B"]);

    index.remove("b.json");
    index.remove("never there");
    assert.equal(index.fileCount, 1);
    assert.deepEqual(origins(index, selectorOf("NotAllowed(address)")), ["NotAllowed(address) A2 (a.json)"]);
  });

  it("finds contracts by name, and functions by name and number of arguments", () => {
    const index = indexOf(["a.json", "Leaf", [transfer, notAllowed]]);

    assert.deepEqual(index.contractsNamed("Leaf")[0]?.abi(), [transfer, notAllowed]);
    assert.deepEqual(index.contractsNamed("toString"), []);
    assert.deepEqual(
      index.functionsNamed("transfer", 2).map(({ contract }) => contract.name),
      ["Leaf"],
    );
    assert.deepEqual(index.functionsNamed("transfer", 1), []);
    assert.deepEqual(index.functionsNamed("NotAllowed"), []);
  });

  it("omits entries of unknown types, and keeps the others", () => {
    const strange: JsonAbiEntry = { type: "error", name: "Strange", inputs: [{ name: "", type: "fixed128x18" }] };
    const index = indexOf(["a.json", "A", [strange, notAllowed]]);

    assert.equal(index.contracts[0]?.abi().length, 2);
    assert.equal(index.lookup(selectorOf("NotAllowed(address)")).length, 1);
  });

  it("splits a large file into parts that together contain everything once", () => {
    const abi = Array.from({ length: 40 }, (_, at) => ({ ...transfer, name: `transfer${at}` }));
    const contracts = Array.from({ length: 200 }, (_, at) => ({ name: `C${at}`, abi }));
    const deployments = [{ contract: "C1", address, network: "1" }];

    const parts = [...inParts(summarise("all.json", { contracts, deployments }, new Map()))];
    const index = new ArtifactIndex();
    for (const part of parts) index.extend(part);

    assert.ok(parts.length > 5, `${parts.length} parts`);
    assert.ok(parts.every((part) => part.contracts.length <= 26));
    assert.equal(index.contracts.length, 200);
    assert.equal(index.fileCount, 1);
    assert.equal(index.deployments.length, 1);
  });
});

const CODE = "6080604052348015600e575f80fd5b50603e80601a5f395ff3fe60806040525f80fdfe";
const metadata = (sources: string): string => {
  const map = `a2646970667358221220${sources.repeat(64)}64736f6c63430008180033`.slice(0, -4);
  return `${map}${(map.length / 2).toString(16).padStart(4, "0")}`;
};
const ARTIFACT = CODE + metadata("a");
const ARGUMENT = `${"0".repeat(62)}2a`;

describe("isCreatedFrom", () => {
  it("accepts chain code that begins with the artifact's, followed by arguments", () => {
    assert.equal(isCreatedFrom(ARTIFACT + ARGUMENT, ARTIFACT), true);
    assert.equal(isCreatedFrom(ARTIFACT.toUpperCase(), ARTIFACT), true);
  });

  it("accepts other metadata of the compiler", () => {
    assert.equal(isCreatedFrom(CODE + metadata("b") + ARGUMENT, ARTIFACT), true);
  });

  it("refuses code with one different byte", () => {
    assert.equal(isCreatedFrom(ARTIFACT.replace("603e", "603f"), ARTIFACT), false);
  });

  it("refuses shorter or empty code", () => {
    assert.equal(isCreatedFrom(CODE.slice(0, 20), ARTIFACT), false);
    assert.equal(isCreatedFrom("", ARTIFACT), false);
  });

  it("compares code without metadata to the last byte", () => {
    assert.equal(isCreatedFrom(CODE, CODE), true);
    assert.equal(isCreatedFrom(`${CODE.slice(0, -2)}00`, CODE), false);
    assert.equal(isCreatedFrom("60016002", "60016003"), false);
  });
});
