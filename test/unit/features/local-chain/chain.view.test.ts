import assert from "node:assert/strict";
import type { TrackingState } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { faultTypes } from "../../../../packages/local-chain/src/faults/fault-types.ts";
import type { BlockReference } from "../../../../packages/tron/src/primitives/block.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import {
  accessItems,
  accessText,
  complaint,
  describeChain,
  describeParts,
  describeStopped,
  faultItems,
  faultPresets,
  forgotten,
  heightsText,
  lossOf,
  parseAccessMode,
  parseBlocks,
  parseSpan,
  summarizeFaults,
} from "../../../../src/features/local-chain/chain.view.ts";
import {
  activeFaults,
  type ChainStatus,
  parseStatus,
  setFaults,
} from "../../../../src/features/local-chain/chain-control.ts";
import { ChainBench, payment } from "../../../support/chain/chain-bench.ts";
import { testChain } from "../../../support/chain/test-chain.ts";

const URL = "http://127.0.0.1:9090";
const status: ChainStatus = {
  height: 1_204,
  solidHeight: 1_186,
  pending: 0,
  blockTimeMs: 3_000,
  faults: [],
  snapshots: [],
  access: { jwt: false, apiKey: false },
};
const latency = { name: "latency", ms: 5, rate: 1, hits: 0 };
const endedFault = { name: "lost-answer", count: 1, rate: 1, hits: 1 };

describe("describeChain", () => {
  it("U26: shows the height in a text that a narrow side bar does not cut", () => {
    const { label, description, spoken, tooltip, contextValue } = describeChain(status, URL);

    assert.deepEqual([label, description], ["Local chain", "block 1,204"]);
    assert.equal(spoken, "Local chain, block 1,204, solidified 1,186");
    assert.equal(tooltip, "http://127.0.0.1:9090, a block every 3 s\nsolidified 1,186");
    assert.equal(contextValue, "localChain");
  });

  it("counts the active faults", () => {
    assert.match(describeChain({ ...status, forkedFrom: "https://a.test" }, URL).tooltip, /fork of https:\/\/a\.test$/);
    const one = describeChain({ ...status, faults: [latency, endedFault] }, URL);
    const two = describeChain({ ...status, faults: [latency, { ...latency, ms: 6 }] }, URL);

    assert.match(one.description, /^1 fault · block /);
    assert.match(two.description, /^2 faults · block /);
    assert.equal(one.icon, "zap");
    assert.equal(
      describeChain({ ...status, faults: [endedFault] }, URL).description,
      describeChain(status, URL).description,
    );
    assert.equal(describeChain("silent", URL).spoken, "Local chain, does not answer");
    assert.equal(describeChain(undefined, URL).description, "");
  });

  it("describeStopped reports that the chosen chain does not run", () => {
    const { spoken, contextValue, tooltip } = describeStopped(false);

    assert.equal(spoken, "Local chain, not running");
    assert.equal(contextValue, "localChain.stopped");
    assert.match(tooltip, /are stored/);
  });

  it("describeStopped reports that the window is disconnected from a running chain", () => {
    const { spoken, description, tooltip } = describeStopped(true);

    assert.deepEqual([spoken, description], ["Local chain, disconnected", "disconnected"]);
    assert.match(tooltip, /still running/);
  });

  it("describeParts lists heights, pool, faults and snapshots with screen-reader labels", () => {
    const parts = describeParts({
      ...status,
      pending: 2,
      faults: [latency, endedFault, { ...lost, hits: 0 }],
      snapshots: ["before lunch"],
    });

    assert.deepEqual(
      parts.map(({ spoken }) => spoken),
      [
        "Height, block 1,204",
        "Solidified, block 1,186",
        "In the pool, 2 transactions",
        "Fault latency, on",
        "Fault lost-answer, ended: once",
        "Fault Accept, then lose the answer (once), on",
        "before lunch, snapshot",
      ],
    );
    assert.deepEqual(
      parts.map(({ contextValue }) => contextValue.replace("localChain.", "")),
      ["fact", "fact", "fact", "fault", "fault", "fault", "snapshot"],
    );
    assert.equal(parts.at(-1)?.snapshot, "before lunch");
    assert.equal(describeParts({ ...status, pending: 1 }).at(-1)?.spoken, "In the pool, 1 transaction");
  });

  it("parseStatus reads the chain's status without keys and the initial snapshot", async () => {
    const chain = await testChain();
    await chain.ask("/local/snapshot", { id: "mine" });
    await chain.ask("/local/faults", [{ name: "estimate-off" }] as never);
    await chain.send(chain.transfer());
    const { height, solidHeight } = { height: chain.simulation.chain.head.header.number, solidHeight: 1 };
    const { answer } = await import("../../../support/fakes/chain-answer.ts");
    const input = await answer(new Request("http://chain/local/status"), "/local/status", chain.simulation);
    assert.ok(input.kind === "answer");

    const parsed = parseStatus(JSON.parse(await input.response.text()));

    assert.deepEqual([parsed.height, parsed.pending, parsed.blockTimeMs], [height, 1, 0]);
    assert.ok(parsed.solidHeight >= solidHeight && parsed.solidHeight < height);
    assert.deepEqual(parsed.snapshots, ["mine"]);
    assert.deepEqual(
      parsed.faults.map(({ name, hits }) => [name, hits]),
      [["estimate-off", 0]],
    );
    assert.equal(JSON.stringify(parsed).includes(chain.accounts[0]?.privateKey ?? "?"), false);
  });
});

const lost = { name: "lost-answer", path: "*/broadcast*", count: 1, rate: 1 };
const LOST = "Accept, then lose the answer (once)";
const itemOf = (label: string, active: Parameters<typeof faultItems>[0]) =>
  faultItems(active).find((it) => it.label === label);

describe("faultItems", () => {
  it("selects active faults, and shows how often each happened", () => {
    assert.deepEqual([...new Set(faultItems([]).map(({ picked }) => picked))], [false]);
    const busy = { name: "pool-full", count: 3, rate: 1 };
    assert.equal(itemOf(LOST, [{ ...lost, hits: 0 }])?.picked, true);
    assert.equal(itemOf(LOST, [{ ...lost, hits: 0 }])?.description, "on");
    assert.equal(itemOf("Pool full (three times)", [{ ...busy, hits: 1 }])?.description, "on: once so far");
    assert.equal(itemOf("Pool full (three times)", [{ ...busy, hits: 2 }])?.description, "on: 2 times so far");
    const item = itemOf(LOST, [{ ...lost, hits: 1 }]);
    assert.deepEqual([item?.picked, item?.description], [false, "ended: once"]);
  });

  it("keeps a fault that a program set with other fields", () => {
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

  it("summarizeFaults counts active faults, and every fault type has a label", () => {
    assert.equal(summarizeFaults([]), "The local chain has no faults");
    assert.equal(summarizeFaults([{ ...lost, hits: 0 }]), "The local chain has 1 fault");
    assert.equal(summarizeFaults([{ ...lost, hits: 1 }]), "The local chain has no faults");
    assert.equal(summarizeFaults([1, 2].map(() => ({ name: "pool-full", hits: 9 }))), "The local chain has 2 faults");
    assert.deepEqual(new Set(faultPresets.map(({ fault }) => fault.name)), new Set(faultTypes.map(({ name }) => name)));
    assert.equal(new Set(faultPresets.map(({ label }) => label)).size, faultPresets.length);
  });
});

describe("setFaults and activeFaults", () => {
  let bench: ChainBench;
  beforeEach(async () => {
    bench = await ChainBench.start();
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("set each preset, which is then the only selected item", async () => {
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

  it("report a lost answer as ended after one broadcast", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const report = await setFaults(bench.chain.baseUrl, [lost], "a");
    assert.deepEqual(report, { seed: "a", faults: [{ ...lost, hits: 0 }] });
    const transaction = bench.signed(payment(alice, bob.address), [alice]);
    assert.equal((await bench.outcome(transaction)).kind, "unknown");
    assert.equal((await bench.outcome(transaction)).kind, "already-known");
    const { faults } = await activeFaults(bench.chain.baseUrl);
    assert.equal(itemOf(LOST, faults)?.description, "ended: once");
  });

  it("report the chain's reason when it refuses a fault", async () => {
    await assert.rejects(setFaults(bench.chain.baseUrl, [{ name: "sunshine" }]), {
      code: "COMMAND_ARGUMENT_MALFORMED",
      message: /The argument faults cannot be used: There is no fault "sunshine"\. There are: latency/,
    });
    await assert.rejects(setFaults(bench.chain.baseUrl, "x"), /has to be a list of faults/);
  });

  it("report a chain that does not answer", async () => {
    const { baseUrl } = bench.chain;
    await setFaults(baseUrl, [{ name: "connection-refused", ms: 60_000 }]);
    await assert.rejects(activeFaults(baseUrl), { code: "GATEWAY_UNREACHABLE" });
  });
});

describe("local chain inputs and texts", () => {
  it("parseBlocks accepts positive integers", () => {
    assert.deepEqual([parseBlocks("1"), parseBlocks(" 100000 ")], [1, 100_000]);
    for (const text of ["", "0", "-1", "1.5", "1e3", "many", "9".repeat(16)]) {
      assert.throws(() => parseBlocks(text), /whole number, 1 or more/, text);
    }
  });

  it("parseSpan accepts milliseconds or a unit, and complaint explains invalid input", () => {
    assert.deepEqual(
      ["3000", "90 s", "10min", "5 m", "2 H", "1.5 d"].map(parseSpan),
      [3_000, 90_000, 600_000, 300_000, 7_200_000, 129_600_000],
    );
    for (const text of ["", "0", "-5 s", "1 week", "h", "1e300 d", "9".repeat(20)]) {
      assert.throws(() => parseSpan(text), /milliseconds/, text);
    }
    assert.equal(complaint(parseBlocks)("x"), "It must be a whole number, 1 or more.");
    assert.equal(complaint(parseBlocks)("7"), undefined);
  });

  it("lossOf describes a restore, and heightsText the heights", () => {
    assert.match(lossOf(undefined, 0, 0), /^The chain returns to its first blocks: .* as they were\.$/);
    assert.match(lossOf("here", 0, 1), /snapshot "here".*The list has 1 transaction of it\. Transactions/);
    assert.match(lossOf("here", 1, 3), /The list has 3 transactions of it\. 1 of them is not final yet\./);
    assert.match(lossOf("here", 2, 3), /2 of them are not final yet\. .* the journal keeps them\.$/);
    assert.equal(heightsText({ head: { number: 1_204 }, solid: { number: 7 } }), "Block 1,204 · solidified 7");
  });
});

const txId = "ab".repeat(32) as TxId;
const block = { number: 7, timestamp: 1, id: "07" } as unknown as BlockReference;
const FINAL: TrackingState = { kind: "solidified", block, outcome: { kind: "success" } };
const INCLUDED: TrackingState = { kind: "included", block };
const UNKNOWN: TrackingState = { kind: "unknown", reason: "reset" };
const REJECTED: TrackingState = { kind: "rejected", code: "SIGERROR", message: "", retry: "sign-again" };
const ABSENT: TrackingState = { kind: "proven-absent", from: 1, to: 9 };

const leaves = (state: TrackingState, fate: string): boolean =>
  forgotten([{ txId, state, attempts: [] }], { [txId]: fate }).length === 1;

describe("forgotten", () => {
  it("selects transactions that the restored chain lost or cannot verify", () => {
    assert.deepEqual(
      [FINAL, INCLUDED, UNKNOWN, REJECTED].map((it) => leaves(it, "lost")),
      [true, true, true, true],
    );
    assert.deepEqual(
      ["solid", "block", "pool"].map((fate) => leaves(FINAL, fate)),
      [false, true, true],
    );
    assert.equal(leaves(FINAL, "unknown"), false);
    assert.deepEqual(
      ["solid", "block", "pool"].map((fate) => leaves(INCLUDED, fate)),
      [false, false, false],
    );
    assert.equal(leaves(UNKNOWN, "unknown"), true);
    assert.deepEqual(
      [REJECTED, ABSENT].map((it) => leaves(it, "unknown")),
      [false, false],
    );
  });
});

describe("local chain access", () => {
  it("parseAccessMode accepts four values", () => {
    for (const word of ["none", "jwt", "api-key", "jwt-and-api-key"]) assert.equal(parseAccessMode(` ${word} `), word);
    for (const word of ["JWT", "", "toString", "jwt,api-key"]) {
      assert.throws(() => parseAccessMode(word), {
        code: "COMMAND_ARGUMENT_MALFORMED",
        message: /none, jwt, api-key, jwt-and-api-key/,
      });
    }
  });

  it("accessItems and accessText show the current access", () => {
    const marked = (jwt: boolean, apiKey: boolean) =>
      accessItems({ jwt, apiKey }).flatMap(({ word, description }) => (description === "now" ? [word] : []));
    assert.deepEqual(marked(false, false), ["none"]);
    assert.deepEqual(marked(true, true), ["jwt-and-api-key"]);
    assert.deepEqual(marked(false, true), ["api-key"]);
    assert.equal(accessText({ jwt: false, apiKey: false }), undefined);
    assert.equal(accessText({ jwt: true, apiKey: false }), "JWT");
    assert.equal(accessText({ jwt: true, apiKey: true }), "JWT and API key");
  });
});
