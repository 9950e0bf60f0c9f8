import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { rawDataFor } from "../../../../test/support/random/random-chains.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { BLOCK_INTERVAL_MS } from "../../../tron/src/primitives/block.ts";
import { type Hex, type TxId, transactionId } from "../../../tron/src/primitives/bytes.ts";
import { generatePrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";
import { noProofText } from "../../src/labels/proofs.ts";
import { type AbsenceScan, beginScan, scanForAbsence } from "../../src/proof/absence-scan.ts";
import { type Confirmed, confirmAbsence, GATEWAY_ONLY, type ProofSources } from "../../src/proof/confirm-absence.ts";
import { inclusionInterval } from "../../src/proof/inclusion-interval.ts";

const signal = new AbortController().signal;

interface Stage {
  readonly gateway: FakeGateway;
  readonly txId: TxId;
  readonly scan: AbsenceScan;
}

/** Returns a finished scan of a chain without the transaction. */
async function scanned(): Promise<Stage> {
  const gateway = new FakeGateway("https://first.test");
  const { txId, interval } = prepare(gateway);
  gateway.mineEmpty(15);
  gateway.solidify();
  let scan = beginScan([[txId, interval]]);
  for await (const step of scanForAbsence(gateway, scan, signal)) if (step.kind === "read") scan = step.scan;
  assert.equal(scan.ended.size, 1);
  return { gateway, txId, scan };
}

function prepare(gateway: FakeGateway) {
  gateway.mineEmpty(5);
  const { id, timestamp, number: solidHeight } = gateway.head;
  const expiration = timestamp + 10 * BLOCK_INTERVAL_MS;
  const rawDataHex = rawDataFor(id, expiration, 1);
  const txId = transactionId(Buffer.from(rawDataHex, "hex"));
  return { txId, interval: inclusionInterval({ rawDataHex, expiration, solidHeight }) };
}

async function confirm({ gateway, scan }: Stage, sources: Partial<ProofSources> = {}, now = Date.UTC(2030, 0, 1)) {
  const all = { others: [], inRealTime: true, ...sources };
  return await confirmAbsence(scan, { gateway, sources: all, clock: new FakeClock(now), signal });
}

/** Returns the scan with two more known witnesses that built on no block. */
function withTwoMore({ scan }: Stage): AbsenceScan {
  const [[, seal] = []] = scan.opening;
  assert.ok(seal);
  const others = ["41".padEnd(42, "a"), "41".padEnd(42, "b")].map((it) => [it, seal] as never);
  return { ...scan, opening: new Map([...scan.opening, ...others]) };
}

function reasonOf(confirmed: Confirmed): string {
  return confirmed.kind === "stopped" ? noProofText(confirmed.reason) : "confirmed";
}

describe("confirmAbsence", () => {
  it("H2: sends one request and returns the witnesses that built on the last block", async () => {
    const stage = await scanned();
    stage.gateway.requests.length = 0;

    assert.deepEqual(await confirm(stage), {
      kind: "confirmed",
      checks: { witnesses: { known: 1, built: 1, own: 1 }, others: [] },
    });
    assert.equal(stage.gateway.requests.length, 1);
  });

  it("H2: rejects a block of the future, except on a chain whose time can be set", async () => {
    const stage = await scanned();
    const anHourAgo = stage.gateway.head.timestamp - 3_600_000;

    assert.match(reasonOf(await confirm(stage, {}, anHourAgo)), /minutes in the future/);
    assert.equal((await confirm(stage, { inRealTime: false }, anHourAgo)).kind, "confirmed");
  });

  it("H2: rejects a solidified block that the full node does not have", async () => {
    const behind = await scanned();
    behind.gateway.headBlocks = async () => [];
    const other = await scanned();
    const fork = new FakeGateway();
    fork.mineEmpty(5);
    fork.reorganise(3);
    fork.mineEmpty(40);
    other.gateway.headBlocks = fork.headBlocks.bind(fork);

    for (const stage of [behind, other]) {
      assert.match(reasonOf(await confirm(stage)), /full node does not have the solidified block 15/);
    }
  });

  it("H2: rejects blocks that are not signed by the known witnesses", async () => {
    const stage = await scanned();
    const stranger = generatePrivateKey();
    const blocks = await stage.gateway.headBlocks(15, 20);
    const forged = blocks.map(({ seal, ...block }) => {
      const hash = seal?.hash ?? ("" as Hex);
      return { ...block, seal: { hash, signature: signTransactionId(hash as Hex as TxId, stranger) } };
    });
    stage.gateway.headBlocks = async () => forged;
    assert.match(reasonOf(await confirm(stage)), /not signed like the earlier blocks of its witness/);

    stage.gateway.headBlocks = async () => [...blocks.slice(0, 1), ...forged.slice(1)];
    assert.equal(reasonOf(await confirm(stage)), "confirmed", "one block has enough witnesses");

    stage.gateway.headBlocks = async () => blocks.map(({ seal: _seal, ...block }) => block);
    assert.match(reasonOf(await confirm(stage)), /not signed like the earlier blocks of its witness/);
  });

  it("H2: accepts a witness whose blocks were signed by another key before the reference block too", async () => {
    const stage = await scanned();
    const key = generatePrivateKey();
    const signedWith = <S extends { readonly hash: Hex }>(seal: S) => {
      return { ...seal, signature: signTransactionId(seal.hash as Hex as TxId, key) };
    };
    const opening = new Map([...stage.scan.opening].map(([witness, seal]) => [witness, signedWith(seal)]));
    const blocks = await stage.gateway.headBlocks(15, 20);
    stage.gateway.headBlocks = async () =>
      blocks.map((it) => ({ ...it, ...(it.seal && { seal: signedWith(it.seal) }) }));

    assert.deepEqual(await confirm({ ...stage, scan: { ...stage.scan, opening } }), {
      kind: "confirmed",
      checks: { witnesses: { known: 1, built: 1, own: 0 }, others: [] },
    });
  });

  it("H2: rejects a proof with fewer than 70 % of the known witnesses", async () => {
    const stage = await scanned();
    const scan = withTwoMore(stage);

    assert.match(reasonOf(await confirm({ ...stage, scan })), /Only 1 of the 3 witnesses/);
  });

  it("pauses between signature checks so that the thread stays responsive", async () => {
    const stage = await scanned();
    const scan = withTwoMore(stage);
    let [time, pauses] = [Date.UTC(2030, 0, 1), 0];
    const clock = { now: () => (time += 3), sleep: async () => void pauses++ };

    await confirmAbsence(scan, { gateway: stage.gateway, clock, signal, sources: GATEWAY_ONLY });

    assert.ok(pauses >= 1, String(pauses));
  });

  it("H2: rejects a proof when another URL has another block or the transaction", async () => {
    const stage = await scanned();
    const honest = new FakeGateway("https://second.test");
    prepare(honest);
    honest.mine([stage.txId]);
    const behind = new FakeGateway("https://third.test");
    prepare(behind);
    behind.mine([stage.txId]);
    behind.solidify();
    honest.reorganise(1);
    honest.mineEmpty(20);
    honest.solidify();

    assert.match(reasonOf(await confirm(stage, { others: [honest] })), /second.test has another block 15/);
    assert.match(reasonOf(await confirm(stage, { others: [behind] })), /third.test has the transaction/);
    behind.headTransactionInfo = async () => undefined;
    assert.match(reasonOf(await confirm(stage, { others: [behind] })), /third.test has the transaction/);
  });

  it("H2: reports other URLs that agree, are behind or do not answer, with one request", async () => {
    const stage = await scanned();
    const [same, behind, silent] = ["a", "b", "c"].map((it) => new FakeGateway(`https://${it}.test`));
    assert.ok(same && behind && silent);
    for (const it of [same, behind]) prepare(it);
    same.mineEmpty(15);
    same.solidify();
    silent.fail(
      "solidBlocks",
      new ChainError("GATEWAY_UNREACHABLE", { endpoint: "https://c.test", attempts: 1, reason: "no answer" }),
    );

    const confirmed = await confirm(stage, { others: [same, behind, silent] });

    assert.deepEqual(confirmed.kind === "confirmed" && confirmed.checks.others, [
      { endpoint: "https://a.test", answer: "agrees" },
      { endpoint: "https://b.test", answer: "behind" },
      { endpoint: "https://c.test", answer: "silent" },
    ]);
    assert.equal(same.requests.length, 1);
  });
});
