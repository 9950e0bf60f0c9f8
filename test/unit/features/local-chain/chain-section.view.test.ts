import assert from "node:assert/strict";
import { type ChainStatus, parseStatus } from "../../../../src/features/local-chain/chain-control.ts";
import { describeChain, describeParts } from "../../../../src/features/local-chain/chain-section.view.ts";
import { testChain } from "../../../support/chain/test-chain.ts";

const URL = "http://127.0.0.1:9090";
const calm: ChainStatus = {
  height: 1_204,
  solidHeight: 1_186,
  pending: 0,
  blockTimeMs: 3_000,
  faults: [],
  snapshots: [],
};
const latency = { name: "latency", ms: 5, rate: 1, hits: 0 };
const over = { name: "lost-answer", count: 1, rate: 1, hits: 1 };

describe("the row of the local chain", () => {
  it("says how high the chain is and how much of it is solidified", () => {
    const { label, description, tooltip, contextValue } = describeChain(calm, URL);

    assert.deepEqual([label, description], ["Local chain", "block 1,204 · solidified 1,186"]);
    assert.equal(tooltip, "http://127.0.0.1:9090, a block every 3 s");
    assert.equal(contextValue, "localChain");
  });

  it("counts the faults that still happen", () => {
    const one = describeChain({ ...calm, faults: [latency, over] }, URL);
    const two = describeChain({ ...calm, faults: [latency, { ...latency, ms: 6 }] }, URL);

    assert.match(one.description, / · 1 fault$/);
    assert.match(two.description, / · 2 faults$/);
    assert.equal(one.icon, "zap");
    assert.equal(describeChain({ ...calm, faults: [over] }, URL).description, describeChain(calm, URL).description);
  });

  it("shows no figures of a chain that does not answer, or has not yet", () => {
    assert.equal(describeChain("silent", URL).spoken, "Local chain, does not answer");
    assert.equal(describeChain(undefined, URL).description, "");
  });

  it("opens to heights, pool, faults and snapshots, each with words of its own for screen readers", () => {
    const parts = describeParts({ ...calm, pending: 2, faults: [latency, over], snapshots: ["before lunch"] });

    assert.deepEqual(
      parts.map(({ spoken }) => spoken),
      [
        "Height, block 1,204",
        "Solidified, block 1,186",
        "Waiting, 2 transactions",
        "Fault latency, on",
        "Fault lost-answer, over: once",
        "before lunch, snapshot",
      ],
    );
    assert.deepEqual(
      parts.map(({ contextValue }) => contextValue.replace("localChain.", "")),
      ["fact", "fact", "fact", "fault", "fault", "snapshot"],
    );
    assert.equal(parts.at(-1)?.snapshot, "before lunch");
    assert.equal(describeParts({ ...calm, pending: 1 }).at(-1)?.spoken, "Waiting, 1 transaction");
  });

  it("is made of what a chain says, without its keys and without the snapshot of its beginning", async () => {
    const chain = await testChain();
    await chain.ask("/local/snapshot", { id: "mine" });
    await chain.ask("/local/faults", [{ name: "estimate-off" }] as never);
    await chain.send(chain.transfer());
    const { height, solidHeight } = { height: chain.simulation.chain.head.header.number, solidHeight: 1 };
    const { answer } = await import("../../../support/fakes/chain-answer.ts");
    const input = await answer(new Request("http://chain/local/status"), "/local/status", chain.simulation);
    assert.ok(input.kind === "answer");

    const status = parseStatus(JSON.parse(await input.response.text()));

    assert.deepEqual([status.height, status.pending, status.blockTimeMs], [height, 1, 0]);
    assert.ok(status.solidHeight >= solidHeight && status.solidHeight < height);
    assert.deepEqual(status.snapshots, ["mine"]);
    assert.deepEqual(
      status.faults.map(({ name, hits }) => [name, hits]),
      [["estimate-off", 0]],
    );
    assert.equal(JSON.stringify(status).includes(chain.accounts[0]?.privateKey ?? "?"), false);
  });
});
