import assert from "node:assert/strict";
import fc from "fast-check";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { rawDataFor } from "../../../../test/support/random/random-chains.ts";
import { proof } from "../../../../test/support/tracking/proven.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../tron/src/primitives/block.ts";
import { type Hex, transactionId } from "../../../tron/src/primitives/bytes.ts";
import { type ChainId, parseChainId } from "../../src/gateway/network.ts";
import { beginScan, scanForAbsence } from "../../src/proof/absence-scan.ts";
import { digestOf, LISTED_IDS } from "../../src/proof/evidence.ts";
import { inclusionInterval } from "../../src/proof/inclusion-interval.ts";
import {
  type DocumentFault,
  type ProofDocument,
  proofDocument,
  proofToJson,
  readProof,
  recheckOnChain,
  recheckProof,
} from "../../src/proof/proof-document.ts";

function faultsOf(changes: Partial<ProofDocument>): readonly DocumentFault[] {
  const recheck = recheckProof(proofToJson(proof(changes)));
  return recheck.kind === "refused" ? recheck.faults : [];
}

describe("recheckProof", () => {
  it("accepts an exported proof", () => {
    assert.deepEqual(recheckProof(proofToJson(proof())), { kind: "ok" });
  });

  it("refuses a first block far after the reference block, and ignores the reported height", () => {
    assert.deepEqual(faultsOf({ solidHeight: 50 }), []);
    const rawDataHex = rawDataFor(`${"0".repeat(15)}1${"d".repeat(48)}` as BlockId, proof().expiration, 1);
    assert.match(faultsOf({ solidHeight: 50, rawDataHex }).join(" "), /begins-late/);
  });

  const ids = proof().blockIds ?? [];
  const listed = (blockIds: readonly BlockId[]) => ({ blockIds, digest: digestOf(blockIds) });
  const wrong: readonly (readonly [string, Partial<ProofDocument>, RegExp])[] = [
    ["another txID", { txId: "ab".repeat(32) as ProofDocument["txId"] }, /tx-id-differs/],
    ["bytes that are not hex", { rawDataHex: "xyz" as Hex }, /bytes-not-hex/],
    ["another expiration", { expiration: proof().expiration - 1 }, /expiration-differs/],
    ["a last block before the expiration", { last: { ...proof().last, timestamp: 1 } }, /ends-early/],
    ["a count that is short by one", { count: 20 }, /^count-wrong ids-have-gap$/],
    ["a first block that was skipped", { first: { ...proof().first, number: 102, id: ids[1] as BlockId } }, /gap|late/],
    ["a block left out", { blockIds: ids.filter((_, index) => index !== 5) }, /gap/],
    ["a block of another chain", { blockIds: ids.with(5, ids[5]?.replace(/c$/, "d") as BlockId) }, /digest/],
    ["ids that are left out", { blockIds: undefined as never }, /ids-missing/],
    ["another first id in the list", listed(ids.with(0, `${ids[0]?.slice(0, -1)}d` as BlockId)), /^ids-have-gap$/],
    ["another last id in the list", listed(ids.with(-1, `${ids.at(-1)?.slice(0, -1)}d` as BlockId)), /^ids-have-gap$/],
    ["a list that ends early", listed(ids.slice(0, -1)), /^ids-have-gap$/],
    ["a first height that is not in its id", { first: { ...proof().first, number: 100 } }, /height-wrong/],
    ["a parent that is two blocks earlier", { parentId: ids[3] as BlockId }, /parent-height-wrong/],
    [
      "a first block as late as the last one",
      { first: { ...proof().first, timestamp: proof().last.timestamp } },
      /^times-wrong$/,
    ],
    ["no block", { count: 0, last: { ...proof().last, number: 100 } }, /count-wrong/],
    [
      "bytes that cannot be read",
      { rawDataHex: "0a" as Hex, txId: transactionId(Buffer.from("0a", "hex")) },
      /bytes-unreadable/,
    ],
    [
      "bytes that cannot be read, and blocks far from the reported height",
      { rawDataHex: "0a" as Hex, txId: transactionId(Buffer.from("0a", "hex")), solidHeight: 50 },
      /^bytes-unreadable begins-late$/,
    ],
  ];
  for (const [name, changes, reason] of wrong) {
    it(`refuses ${name}`, () => {
      assert.match(faultsOf(changes).join(" "), reason);
    });
  }

  it("accepts a proof of one block", () => {
    const { last } = proof();
    const parentId = `${(120).toString(16).padStart(16, "0")}${"c".repeat(48)}` as BlockId;
    const rawDataHex = rawDataFor(parentId, proof().expiration, 1);
    const txId = transactionId(Buffer.from(rawDataHex, "hex"));

    assert.deepEqual(faultsOf({ ...listed([last.id]), first: last, count: 1, parentId, rawDataHex, txId }), []);
  });

  it("refuses any other text and does not throw", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.equal(recheckProof(text).kind, "refused");
      }),
    );
    const damaged = proofToJson(proof()).replace('"count": 21', '"count": "21"');
    assert.deepEqual(recheckProof(damaged), { kind: "refused", faults: ["no-proof"] });
    assert.ok(LISTED_IDS >= ids.length);
  });
});

describe("readProof", () => {
  const checks = { witnesses: { known: 27, built: 19, own: 19 }, others: [] };
  const { format: _format, ...fields } = proof();

  it("H2: begins at the reference block of the bytes, not at the height in the file", () => {
    const elsewhere = rawDataFor(`${"0".repeat(15)}1${"d".repeat(48)}` as BlockId, proof().expiration, 1);
    const txId = transactionId(Buffer.from(elsewhere, "hex"));
    const recheck = recheckProof(proofToJson(proofDocument({ ...fields, rawDataHex: elsewhere, txId, checks })));

    assert.match(recheck.kind === "refused" ? recheck.faults.join() : "", /begins-late/);
    assert.deepEqual(recheckProof(proofToJson(proofDocument({ ...fields, checks }))), { kind: "ok" });
  });

  it("H3: returns the chain of the transaction when it was known", () => {
    const chain = parseChainId("c".padStart(64, "0"));
    assert.ok(chain);
    const known = proofDocument({ ...fields, checks, chain });

    assert.equal(readProof(proofToJson(known))?.chain, chain);
    const unknown = readProof(proofToJson(proofDocument({ ...fields, checks })));
    assert.ok(unknown !== undefined && !("chain" in unknown));
    assert.equal(readProof(proofToJson(known).replaceAll(chain, "Main")), undefined);
  });
});

const CHECKS = { witnesses: { known: 1, built: 1, own: 1 }, others: [] };
const signal = new AbortController().signal;
const clock = new FakeClock();

/** Returns a chain, and the proof that none of its blocks contains a transaction with a lifetime of so many slots. */
async function prove(slots: number): Promise<{ gateway: FakeGateway; document: ProofDocument; text: string }> {
  const gateway = new FakeGateway();
  gateway.mineEmpty(5);
  gateway.solidify();
  const { id, timestamp, number: solidHeight } = gateway.solid;
  const expiration = timestamp + slots * BLOCK_INTERVAL_MS;
  const rawDataHex = rawDataFor(id, expiration, 1);
  const txId = transactionId(Buffer.from(rawDataHex, "hex"));
  gateway.mineEmpty(slots + 3);
  gateway.solidify();
  const searched = [[txId, inclusionInterval({ rawDataHex, expiration, solidHeight })] as const];
  for await (const step of scanForAbsence(gateway, beginScan(searched), signal)) {
    const [absent] = step.kind === "read" ? step.absent : [];
    if (absent === undefined) continue;
    const facts = { network: "Main", endpoint: gateway.endpoint, expiration, solidHeight, rawDataHex, provenAt: 1 };
    const text = proofToJson(proofDocument({ ...facts, ...absent, checks: CHECKS }));
    const document = readProof(text);
    assert.ok(document);
    gateway.requests.length = 0;
    return { gateway, document, text };
  }
  assert.fail("nothing was proven");
}

describe("recheckOnChain", () => {
  it("confirms a proof with the blocks of a node, and reports the progress", async () => {
    const { gateway, document } = await prove(21);
    const progress: number[] = [];

    const found = await recheckOnChain(gateway, document, { signal, clock, read: (blocks) => progress.push(blocks) });

    assert.deepEqual(found, { kind: "confirmed", blocks: document.count, checks: CHECKS });
    assert.ok((progress.at(-1) ?? 0) >= document.count);
    assert.ok(gateway.requests.length <= Math.ceil(document.count / 100) + 3, gateway.requests.join());
  });

  it("confirms a proof without listed IDs, 100 blocks per request", async () => {
    const { gateway, document, text } = await prove(LISTED_IDS + 200);

    assert.equal(document.blockIds, undefined);
    assert.deepEqual(recheckProof(text), { kind: "unlisted" });
    assert.deepEqual(await recheckOnChain(gateway, document, { signal, clock }), {
      kind: "confirmed",
      blocks: document.count,
      checks: CHECKS,
    });
    // From the block before the first one on, and those before it whose witnesses are known.
    assert.ok(gateway.requests.length <= 3 + Math.ceil((document.last.number + 1) / 100), gateway.requests.join());
  });

  it("refuses when a block contains the transaction", async () => {
    const { gateway, document } = await prove(21);
    gateway.replaceBlock(document.first.number + 3, {
      transactions: [{ txId: document.txId, contractType: "TransferContract" }],
    });

    const found = await recheckOnChain(gateway, document, { signal, clock });

    assert.deepEqual(found, { kind: "refused", fault: { kind: "held" } });
  });

  it("H3: queries the txID first, and begins at the reference block of the bytes", async () => {
    const { gateway, document } = await prove(21);
    const held = document.first.number + 3;
    const transactions = [{ txId: document.txId, contractType: "TransferContract" }];
    gateway.replaceBlock(held, { transactions });
    // A file that begins after the block with the transaction; its other fields are correct.
    const blocks = await gateway.solidBlocks(held + 1, document.last.number + 1);
    const [first] = blocks;
    assert.ok(first);
    const blockIds = blocks.map(({ id }) => id);
    const digest = digestOf(blockIds);
    const forged = { ...document, first, parentId: first.parentId, count: blocks.length, blockIds, digest };
    gateway.requests.length = 0;

    const found = await recheckOnChain(gateway, forged, { signal, clock });

    assert.deepEqual(found, { kind: "refused", fault: { kind: "held" } });
    assert.deepEqual(gateway.requests, [`solidTransaction ${document.txId}`]);
    gateway.solidTransaction = async () => undefined;
    assert.deepEqual(await recheckOnChain(gateway, forged, { signal, clock }), {
      kind: "refused",
      fault: { kind: "held-in-block", height: held },
    });
  });

  it("H3: refuses a file whose first block is far from the reference block", async () => {
    const { gateway, document } = await prove(21);
    const moved = { ...document.first, number: document.first.number + 5 };
    const [first] = await gateway.solidBlocks(moved.number, moved.number + 1);
    assert.ok(first);
    const recheck = (change: Partial<ProofDocument>) =>
      recheckOnChain(gateway, { ...document, ...change }, { signal, clock });

    assert.equal((await recheck({ first: moved })).kind, "refused");
    assert.deepEqual(await recheck({ first }), {
      kind: "refused",
      fault: { kind: "begins-elsewhere", height: first.number },
    });
  });

  it("refuses a file with another last block, or with bytes that cannot be read", async () => {
    const { gateway, document } = await prove(21);
    const { first, last } = document;
    const [earlier] = await gateway.solidBlocks(last.number - 1, last.number);
    assert.ok(earlier);

    for (const [change, kind] of [
      [{ last: { ...last, id: "ab".repeat(32) as BlockId } }, "last-block-differs"],
      [{ last: { ...last, number: first.number - 1 } }, "last-block-differs"],
      [{ last: earlier }, "ends-elsewhere"],
      [{ rawDataHex: "0a" as Hex }, "bytes-unreadable"],
    ] as const) {
      const found = await recheckOnChain(gateway, { ...document, ...change }, { signal, clock });
      assert.equal(found.kind === "refused" && found.fault.kind, kind);
    }
  });

  it("H3: refuses a node of another chain without a request", async () => {
    const { gateway, document } = await prove(21);
    const [own, other] = ["a", "b"].map((it) => parseChainId(it.padStart(64, "0")));
    assert.ok(own && other);
    const of = async (chain: ChainId | undefined, its: ProofDocument) =>
      (await recheckOnChain(gateway, its, { signal, clock, chain })).kind;

    const found = await recheckOnChain(gateway, { ...document, chain: own }, { signal, clock, chain: other });

    assert.deepEqual(found, { kind: "refused", fault: { kind: "another-chain", chain: other } });
    assert.deepEqual(gateway.requests, []);
    assert.equal(await of(own, { ...document, chain: own }), "confirmed");
    assert.equal(await of(undefined, { ...document, chain: own }), "confirmed");
    assert.equal(await of(own, document), "confirmed");
  });

  it("refuses a node of another chain, and a digest that does not match the blocks", async () => {
    const { gateway, document } = await prove(21);
    const { digest } = (await prove(22)).document;

    assert.deepEqual(await recheckOnChain(gateway, { ...document, digest }, { signal, clock }), {
      kind: "refused",
      fault: { kind: "ids-differ" },
    });
    gateway.replaceBlock(document.first.number, { parentId: "ab".repeat(32) as BlockId });
    const found = await recheckOnChain(gateway, document, { signal, clock });
    assert.equal(found.kind === "refused" && found.fault.kind, "broken-link");
  });

  it("refuses when the node is behind", async () => {
    const { document } = await prove(21);
    const behind = new FakeGateway();
    behind.mineEmpty(document.first.number + 3);
    behind.solidify();

    const found = await recheckOnChain(behind, document, { signal, clock });

    assert.ok(found.kind === "refused" && ["not-reached", "went-backwards"].includes(found.fault.kind));
  });
});
