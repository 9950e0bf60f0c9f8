import assert from "node:assert/strict";
import { parseChainId } from "../../../../packages/client/src/gateway/network.ts";
import { readArtifact } from "../../../../packages/tron/src/abi/artifacts/read-artifact.ts";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { deploymentsFileName, deploymentsText } from "../../../../src/features/contracts/deployments-file.view.ts";
import { ALICE } from "../../../support/tracking/tracked.ts";

const CHAIN =
  parseChainId("0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc") ?? assert.fail("no chain ID");

describe("deploymentsText", () => {
  it("returns a deployment record of the chain, which is read again as such", () => {
    const text = deploymentsText("Nile", CHAIN, { Leaf: { address: toBase58(ALICE) } });
    const read = readArtifact(text, "deployments/Nile.json");

    assert.deepEqual(JSON.parse(text), {
      network: "Nile",
      chain: CHAIN,
      chainId: 3448148188,
      contracts: { Leaf: { address: toBase58(ALICE) } },
    });
    assert.ok(read.kind === "artifact");
    assert.deepEqual(read.contents.deployments, [{ contract: "Leaf", address: ALICE, network: "3448148188" }]);
  });
});

describe("deploymentsFileName", () => {
  it("returns a file name in the folder for every name of a network", () => {
    assert.deepEqual(["Nile", "Local chain", "../../secrets", "测试 网", ".."].map(deploymentsFileName), [
      "Nile.json",
      "Local-chain.json",
      "secrets.json",
      "测试-网.json",
      "network.json",
    ]);
  });
});
