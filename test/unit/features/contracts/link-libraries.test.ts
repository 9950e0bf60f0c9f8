import assert from "node:assert/strict";
import { summarise } from "../../../../packages/tron/src/abi/artifacts/artifact.ts";
import { ArtifactIndex, type WorkspaceContract } from "../../../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { deployedContractAddress } from "../../../../packages/tron/src/transaction/contract-types.ts";
import type { ContractContext } from "../../../../src/features/contracts/services.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { ALICE, blockReference, signedPart, tracked, txId } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/contracts/link-libraries.ts");

const ABI = [{ type: "function", name: "f", inputs: [] }];
const PLACEHOLDER = "__contracts/Lib.sol:Lib".padEnd(40, "_");
const LIBRARIES = [{ placeholder: PLACEHOLDER, name: "Lib", source: "contracts/Lib.sol" }];

/** Creates a context on Shasta with deployments, given by name, network and digits of the txID. */
function contextWith(deployments: readonly (readonly [name: string, network: string, digits: string])[]) {
  const index = new ArtifactIndex();
  const unlinked = { code: `6080${PLACEHOLDER}`, libraries: LIBRARIES };
  const contracts = [
    { name: "Leaf", abi: ABI, unlinked },
    { name: "Lib", abi: ABI, bytecode: "6000", source: "contracts/Lib.sol" },
  ];
  index.put(summarise("build/all.json", { contracts, deployments: [] }, new Map()));
  const list = () =>
    deployments.map(([name, network, digits], at) => {
      const intent = { kind: "contract-creation", owner: ALICE, name, bytecode: hex("6000") } as Parameters<
        typeof signedPart
      >[0];
      const state = { kind: "included", block: blockReference(5), outcome: { kind: "success" } } as never;
      return tracked({ txId: txId(digits), network, createdAt: at, signed: signedPart(intent), state });
    });
  const services = {
    chains: { known: () => undefined },
    artifacts: { get: async () => ({ ready: async () => index }) },
    transactions: { list },
    keys: { listOn: () => [] },
  };
  const place = { services, network: { name: "Shasta", local: false } } as unknown as ContractContext;
  return { place, leaf: index.contractsNamed("Leaf")[0] as WorkspaceContract, index };
}

describe("deployedLibraries", () => {
  let parts: TestedModule;

  before(async () => {
    parts = await loadWithEditor<TestedModule>("src/features/contracts/link-libraries.ts");
  });

  it("F4: links the newest deployment on the network", async () => {
    const { place, leaf } = contextWith([
      ["Lib", "Shasta", "a1"],
      ["Lib", "Shasta", "b2"],
      ["Other", "Shasta", "c3"],
    ]);

    assert.equal(leaf.hasBytecode, false);
    assert.deepEqual(await parts.deployedLibraries(place, leaf), [
      { placeholder: PLACEHOLDER, name: "Lib", address: deployedContractAddress(txId("b2"), ALICE) },
    ]);
  });

  it("F4: names libraries that are not deployed on the network", async () => {
    for (const deployments of [[], [["Lib", "Nile", "a1"]] as const]) {
      const { place, leaf } = contextWith(deployments);

      const error = await parts.deployedLibraries(place, leaf).catch((it: unknown) => it);

      assert.ok(isChainError(error) && error.code === "CONTRACT_UNKNOWN");
      assert.match(error.message, /needs libraries .* on Shasta: Lib \(contracts\/Lib\.sol\)\. Deploy them first/);
    }
  });

  it("is empty for a contract without libraries", async () => {
    const { place, index } = contextWith([]);
    const [library] = index.contractsNamed("Lib");

    assert.ok(library !== undefined);
    assert.deepEqual(await parts.deployedLibraries(place, library), []);
  });
});
