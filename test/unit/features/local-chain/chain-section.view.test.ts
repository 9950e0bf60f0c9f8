import assert from "node:assert/strict";
import { faultTypes } from "../../../../packages/local-chain/src/faults/fault-types.ts";
import {
  activeFaults,
  type ChainStatus,
  parseStatus,
  setFaults,
} from "../../../../src/features/local-chain/chain-control.ts";
import {
  describeChain,
  describeParts,
  faultItems,
  summarizeFaults,
} from "../../../../src/features/local-chain/chain-section.view.ts";
import { faultPresets } from "../../../../src/features/local-chain/fault-presets.ts";
import { ChainBench, payment } from "../../../support/chain/chain-bench.ts";
import { testChain } from "../../../support/chain/test-chain.ts";

const URL = "http://127.0.0.1:9090";
const calm: ChainStatus = {
  height: 1_204,
  solidHeight: 1_186,
  pending: 0,
  blockTimeMs: 3_000,
  faults: [],
  snapshots: [],
  access: { jwt: false, apiKey: false },
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
    const parts = describeParts({
      ...calm,
      pending: 2,
      faults: [latency, over, { ...lost, hits: 0 }],
      snapshots: ["before lunch"],
    });

    assert.deepEqual(
      parts.map(({ spoken }) => spoken),
      [
        "Height, block 1,204",
        "Solidified, block 1,186",
        "In the pool, 2 transactions",
        "Fault latency, on",
        "Fault lost-answer, over: once",
        "Fault Accept, then lose the answer (once), on",
        "before lunch, snapshot",
      ],
    );
    assert.deepEqual(
      parts.map(({ contextValue }) => contextValue.replace("localChain.", "")),
      ["fact", "fact", "fact", "fault", "fault", "fault", "snapshot"],
    );
    assert.equal(parts.at(-1)?.snapshot, "before lunch");
    assert.equal(describeParts({ ...calm, pending: 1 }).at(-1)?.spoken, "In the pool, 1 transaction");
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

const lost = { name: "lost-answer", path: "*/broadcast*", count: 1, rate: 1 };
const LOST = "Accept, then lose the answer (once)";
const itemOf = (label: string, active: Parameters<typeof faultItems>[0]) =>
  faultItems(active).find((it) => it.label === label);

describe("the list of faults", () => {
  it("has no check mark while nothing is on", () => {
    assert.deepEqual([...new Set(faultItems([]).map(({ picked }) => picked))], [false]);
  });

  it("checks what is on, and says how often it has happened", () => {
    const busy = { name: "pool-full", count: 3, rate: 1 };
    assert.equal(itemOf(LOST, [{ ...lost, hits: 0 }])?.picked, true);
    assert.equal(itemOf(LOST, [{ ...lost, hits: 0 }])?.description, "on");
    assert.equal(itemOf("Pool full (three times)", [{ ...busy, hits: 1 }])?.description, "on: once so far");
    assert.equal(itemOf("Pool full (three times)", [{ ...busy, hits: 2 }])?.description, "on: 2 times so far");
  });

  it("does not check what has happened as often as it was to", () => {
    const item = itemOf(LOST, [{ ...lost, hits: 1 }]);
    assert.deepEqual([item?.picked, item?.description], [false, "over: once"]);
  });

  it("keeps what a program has set apart, with its fields, and as it is when it is picked again", () => {
    const other = { name: "lost-answer", count: 5, rate: 0.5, hits: 2 };
    const item = faultItems([other]).at(-1);
    assert.deepEqual(item, {
      label: "lost-answer",
      group: "Set by a program",
      picked: true,
      description: "on: 2 times so far",
      detail: '{"name":"lost-answer","count":5,"rate":0.5}',
      fault: { name: "lost-answer", count: 5, rate: 0.5 },
    });
    assert.equal(itemOf(LOST, [other])?.picked, false);
    assert.equal(faultItems([]).length, faultItems([other]).length - 1);
  });

  it("sums up what is on", () => {
    assert.equal(summarizeFaults([]), "The local chain has no faults");
    assert.equal(summarizeFaults([{ ...lost, hits: 0 }]), "The local chain has 1 fault");
    assert.equal(summarizeFaults([{ ...lost, hits: 1 }]), "The local chain has no faults");
    assert.equal(summarizeFaults([1, 2].map(() => ({ name: "pool-full", hits: 9 }))), "The local chain has 2 faults");
  });

  it("offers every fault that there is, each in a line of its own", () => {
    assert.deepEqual(new Set(faultPresets.map(({ fault }) => fault.name)), new Set(faultTypes.map(({ name }) => name)));
    assert.equal(new Set(faultPresets.map(({ label }) => label)).size, faultPresets.length);
  });
});

describe("the control of faults from the editor", () => {
  let bench: ChainBench;
  beforeEach(async () => {
    bench = await ChainBench.start();
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("sets each preset, and finds it checked again and no other", async () => {
    for (const { label, fault } of faultPresets.filter(({ fault: { name } }) => name !== "connection-refused")) {
      await setFaults(bench.chain.baseUrl, [fault]);
      const items = faultItems((await activeFaults(bench.chain.baseUrl)).faults);
      assert.deepEqual(
        items.filter(({ picked }) => picked).map((it) => it.label),
        [label],
      );
      assert.equal(items.length, faultPresets.length);
    }
  });

  it("loses the answer of one broadcast, then says that it is over", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const report = await setFaults(bench.chain.baseUrl, [lost], "a");
    assert.deepEqual(report, { seed: "a", faults: [{ ...lost, hits: 0 }] });
    const transaction = bench.signed(payment(alice, bob.address), [alice]);
    assert.equal((await bench.outcome(transaction)).kind, "unknown");
    assert.equal((await bench.outcome(transaction)).kind, "already-known");
    const { faults } = await activeFaults(bench.chain.baseUrl);
    assert.equal(itemOf(LOST, faults)?.description, "over: once");
  });

  it("gives the sentence of the chain when it refuses", async () => {
    await assert.rejects(setFaults(bench.chain.baseUrl, [{ name: "sunshine" }]), {
      code: "COMMAND_ARGUMENT_MALFORMED",
      message: /The argument faults cannot be used: There is no fault "sunshine"\. There are: latency/,
    });
    await assert.rejects(setFaults(bench.chain.baseUrl, "x"), /has to be a list of faults/);
  });

  it("says so when nobody answers", async () => {
    const { baseUrl } = bench.chain;
    await setFaults(baseUrl, [{ name: "connection-refused", ms: 60_000 }]);
    await assert.rejects(activeFaults(baseUrl), { code: "GATEWAY_UNREACHABLE" });
  });
});
