import assert from "node:assert/strict";
import type { BindingContext } from "../../../../packages/client/src/call-sites/bind-call.ts";
import type { TrackedTransaction } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { summarise } from "../../../../packages/tron/src/abi/artifacts/artifact.ts";
import { ArtifactIndex, type WorkspaceContract } from "../../../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { readArtifact } from "../../../../packages/tron/src/abi/artifacts/read-artifact.ts";
import { type Address, parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { deployedContractAddress } from "../../../../packages/tron/src/transaction/contract-types.ts";
import { CALLER_KEY, workspaceContext } from "../../../../src/features/energy-hints/workspace-context.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";
import { sample } from "../../../support/samples/samples.ts";
import { ALICE, BOB, blockReference, signedPart, tracked, txId } from "../../../support/tracking/tracked.ts";

const NEVER = () => ({ dispose: () => undefined });
const HERE = profileAt("http://here.test", { name: "Local chain" });
const THERE = profileAt("http://there.test", { name: "Nile" });
const [FIRST, SECOND] = [1, 2].map((digit) => parseAddress(`41${`${digit}`.repeat(40)}`)) as [Address, Address];

function record(network: string, address: Address, contract = "Leaf"): string {
  return JSON.stringify({ network, contracts: { [contract]: { address: toBase58(address), artifact: "Leaf.json" } } });
}

interface WorkspaceState {
  readonly files?: Readonly<Record<string, string>>;
  readonly answers?: Readonly<Record<string, string>>;
  readonly sent?: readonly TrackedTransaction[];
  readonly bytecode?: string;
  readonly network?: typeof HERE;
}

function contextOf({
  files = {},
  answers = {},
  sent = [],
  bytecode,
  network = HERE,
}: WorkspaceState = {}): BindingContext {
  const index = new ArtifactIndex();
  const artifact = JSON.stringify({ contractName: "Leaf", abi: sample("Leaf").abi, bytecode: "0x6000" });
  for (const [path, text] of Object.entries({ "build/contracts/Leaf.json": artifact, ...files })) {
    const reading = readArtifact(text, path);
    assert.ok(reading.kind === "artifact", path);
    index.put(summarise(path, reading.contents, new Map()));
  }
  const accounts = [
    { label: "Alice", address: ALICE, watchOnly: false },
    { label: "Bob", address: BOB, watchOnly: false },
  ];
  const [leaf] = index.contractsNamed("Leaf");
  const bytecodes = new Map<WorkspaceContract, string>(leaf && bytecode !== undefined ? [[leaf, bytecode]] : []);
  return workspaceContext({
    index,
    bytecodes,
    network,
    answer: (key) => answers[key],
    networks: {
      find: (name) => [HERE, THERE].find((one) => one.name === name),
      list: () => [HERE, THERE],
      active: HERE,
      isLocalStopped: false,
      get: () => HERE,
      onDidChange: NEVER,
    },
    chains: { known: () => undefined },
    keys: { listOn: () => accounts },
    transactions: { list: () => sent },
  });
}

function deployment(digit: string, createdAt: number, network = "Local chain", owner = ALICE): TrackedTransaction {
  const intent = {
    kind: "contract-creation",
    owner,
    name: "Leaf",
    bytecode: "6000",
    abi: "",
    callValue: 0n,
    feeLimit: 1n,
    userPercent: 100n,
    originEnergyLimit: 1n,
  } as Parameters<typeof signedPart>[0];
  const state = { kind: "included", block: blockReference(5), outcome: { kind: "success" } };
  return tracked({ txId: txId(digit), network, createdAt, signed: signedPart(intent), state: state as never });
}

const leafOf = (context: BindingContext) => context.contractsNamed("Leaf")[0];

describe("workspaceContext", () => {
  it("prefers the newest deployment from here over files", () => {
    const files = { "deployments/local.json": record("Local chain", FIRST) };
    const leaf = leafOf(contextOf({ files, sent: [deployment("a1", 1), deployment("b2", 2)] }));

    assert.equal(leaf?.address, deployedContractAddress(txId("b2"), ALICE));
    assert.equal(leaf?.addressSource, "it was deployed from here");
  });

  it("ignores deployments by accounts of an earlier local chain", () => {
    const local = { ...HERE, local: true };
    const foreign = deployment("c3", 3, "Local chain", parseAddress(`41${"9".repeat(40)}`));

    assert.equal(leafOf(contextOf({ network: local, sent: [foreign] }))?.address, undefined);
    assert.notEqual(leafOf(contextOf({ network: local, sent: [deployment("b2", 2), foreign] }))?.address, undefined);
  });

  it("uses the address of a deployment file for this network", () => {
    const files = {
      "deployments/else.json": record("somewhere", SECOND),
      "deployments/local.json": record("local chain", FIRST),
    };
    const leaf = leafOf(contextOf({ files }));

    assert.deepEqual([leaf?.address, leaf?.addressSource], [FIRST, "according to deployments/local.json"]);
  });

  it("accepts a record of an unknown network, but not of another known one", () => {
    assert.equal(leafOf(contextOf({ files: { "deployments/a.json": record("dev-7", FIRST) } }))?.address, FIRST);
    assert.equal(leafOf(contextOf({ files: { "deployments/a.json": record("Nile", FIRST) } }))?.address, undefined);
    const elsewhere = contextOf({ sent: [deployment("a1", 1, "Nile")] });
    assert.equal(leafOf(elsewhere)?.address, undefined);
  });

  it("finds addresses by account, contract or any address form", () => {
    const context = contextOf({ files: { "deployments/a.json": record("Local chain", FIRST) } });

    assert.equal(context.addressOf("Bob"), BOB);
    assert.equal(context.addressOf("Leaf"), FIRST);
    for (const form of [toBase58(SECOND), SECOND, ` ${toBase58(SECOND)} `])
      assert.equal(context.addressOf(form), SECOND);
    assert.equal(context.addressOf("Unknown"), undefined);
    assert.deepEqual(
      context.contractsAt(FIRST).map(({ name }) => name),
      ["Leaf"],
    );
    assert.deepEqual(
      context.contractsWith("transfer").map(({ name }) => name),
      ["Leaf"],
    );
  });

  it("uses the chosen caller, or the first account", () => {
    assert.equal(contextOf().caller?.name, "Alice");
    assert.equal(contextOf({ answers: { [CALLER_KEY]: "Bob" } }).caller?.address, BOB);
    assert.equal(contextOf({ answers: { [CALLER_KEY]: BOB } }).caller?.name, "Bob");
    assert.equal(
      contextOf({ answers: { [CALLER_KEY]: "Gone" } }).caller?.name,
      "Alice",
      "a removed account cannot call",
    );
  });

  it("has the bytecode once it was read, and the ABI", () => {
    assert.equal(leafOf(contextOf())?.bytecode, undefined);
    const leaf = leafOf(contextOf({ bytecode: "6000" }));

    assert.equal(leaf?.bytecode, "6000");
    assert.deepEqual(leaf?.abi, sample("Leaf").abi);
    assert.deepEqual(leaf?.creation?.parameters[0]?.name, foreignText("supply"));
  });
});
