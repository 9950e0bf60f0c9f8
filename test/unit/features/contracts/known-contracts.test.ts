import assert from "node:assert/strict";
import type { DeployedContract } from "../../../../packages/client/src/gateway/gateway.ts";
import { keyOf } from "../../../../packages/tron/src/abi/abi-index.ts";
import { summarise } from "../../../../packages/tron/src/abi/artifacts/artifact.ts";
import { ArtifactIndex } from "../../../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import type { ContractContext } from "../../../../src/features/contracts/services.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const ABI = [{ type: "function", name: "steep", inputs: [], outputs: [], stateMutability: "nonpayable" }];
const CODE = "6080604052348015600e575f80fd5b50603e80601a5f395ff3fe60806040525f80fdfe";
const PATH = "build/contracts/Leaf.json";

/** Returns a network with a contract that calls itself Leaf, beside a workspace with an artifact of this name. */
function contextWith({ created, bytecode }: { created: string; bytecode: string | undefined }): ContractContext {
  const deployed: DeployedContract = {
    address: BOB,
    owner: ALICE,
    name: "Leaf",
    callerPercent: 100n,
    ownerEnergyLimit: 1n,
    abi: ABI,
    created: hex(created),
  };
  const index = new ArtifactIndex();
  const contents = { contracts: [{ name: "Leaf", abi: ABI, bytecode: CODE }], deployments: [] };
  index.put(summarise(PATH, contents, new Map()));
  const error = { type: "error", name: "NotAllowed", inputs: [{ name: "needed", type: "uint256" }] };
  const others = { contracts: [{ name: "Token", abi: [error] }], deployments: [] };
  index.put(summarise("build/contracts/Token.json", others, new Map()));
  const artifacts = { get: async () => ({ ready: async () => index, bytecodeOf: async () => bytecode }) };
  const services = {
    chains: { known: () => undefined },
    contractBook: async () => ({ isEmpty: true }),
    artifacts,
    names: async () => ({ keep: async () => undefined }),
    transactions: { list: () => [] },
    keys: { listOn: () => [] },
  };
  const gateway = { deployedContract: async () => deployed, storageAt: async () => undefined };
  return { services, gateway, network: { name: "Shasta", local: false } } as unknown as ContractContext;
}

type TestedModule = typeof import("../../../../src/features/contracts/known-contracts.ts");

describe("contractAt", () => {
  let parts: TestedModule;
  const doubt = async (context: ContractContext): Promise<string | undefined> =>
    (await parts.contractAt(context, BOB)).codeWarning();

  before(async () => {
    parts = await loadWithEditor<TestedModule>("src/features/contracts/known-contracts.ts");
  });

  it("has no doubt when code and constructor arguments match the artifact", async () => {
    assert.equal(await doubt(contextWith({ created: `${CODE}${"00".repeat(32)}`, bytecode: CODE })), undefined);
  });

  it("warns when the code differs from the artifact", async () => {
    const sentence = await doubt(contextWith({ created: CODE.replace("603e", "603f"), bytecode: CODE }));

    assert.match(
      sentence ?? "",
      /^According to this gateway, the code at this address is not that of build\/contracts\/Leaf\.json/,
    );
  });

  it("names errors of other contracts of the workspace, because a call may fail there", async () => {
    const contract = await parts.contractAt(contextWith({ created: CODE, bytecode: CODE }), BOB);
    const selector = keyOf({ kind: "error", signature: "NotAllowed(uint256)" });

    assert.deepEqual(
      contract.abi.lookup(selector).map(({ origin }) => origin),
      ["Token (build/contracts/Token.json)"],
    );
  });

  it("has no doubt when there is no code to compare", async () => {
    assert.equal(await doubt(contextWith({ created: "", bytecode: CODE })), undefined);
    assert.equal(await doubt(contextWith({ created: CODE, bytecode: undefined })), undefined);
  });
});
