import assert from "node:assert/strict";
import { contractsOfFile } from "../../../../src/features/contracts/deployable-file.view.ts";

const LEAF = { name: "Leaf", path: "artifacts/Leaf.json", source: "contracts/Leaf.sol" };
const TWIG = { name: "Twig", path: "artifacts/Twig.json", source: "contracts/Leaf.sol" };
const OAK = { name: "Oak", path: "build/contracts/Oak.json", source: "/home/dev/shop/contracts/Oak.sol" };
const BARE = { name: "Leaf", path: "out/Leaf.json", source: undefined };
const ALL = [LEAF, TWIG, OAK, BARE];

describe("contractsOfFile", () => {
  it("returns the contracts of an artifact", () => {
    assert.deepEqual(contractsOfFile(ALL, "artifacts/Leaf.json"), [LEAF]);
    assert.deepEqual(contractsOfFile(ALL, "package.json"), []);
  });

  it("returns all contracts of a source, also in a folder of the workspace", () => {
    assert.deepEqual(contractsOfFile(ALL, "contracts/Leaf.sol"), [LEAF, TWIG]);
    assert.deepEqual(contractsOfFile(ALL, "shop/contracts/Leaf.sol"), [LEAF, TWIG]);
    assert.deepEqual(contractsOfFile(ALL, "contracts/Oak.sol"), [OAK]);
  });

  it("does not match a source with the same end of its name", () => {
    assert.deepEqual(contractsOfFile([LEAF, TWIG, OAK], "contracts/TeaLeaf.sol"), []);
  });

  it("returns an artifact without a source for the source with its name", () => {
    assert.deepEqual(contractsOfFile([BARE, OAK], "src/Leaf.sol"), [BARE]);
  });
});
