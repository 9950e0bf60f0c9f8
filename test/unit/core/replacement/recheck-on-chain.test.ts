import assert from "node:assert/strict";
import type { BlockId } from "../../../../src/core/primitives/block.ts";
import { transactionId } from "../../../../src/core/primitives/hash.ts";
import { beginScan, scanForAbsence } from "../../../../src/core/replacement/absence-scan.ts";
import { LISTED_IDS } from "../../../../src/core/replacement/evidence.ts";
import { inclusionInterval } from "../../../../src/core/replacement/inclusion-interval.ts";
import {
  type ProofDocument,
  proofDocument,
  proofToJson,
  readProof,
  recheckProof,
} from "../../../../src/core/replacement/proof-document.ts";
import { recheckOnChain } from "../../../../src/core/replacement/recheck-on-chain.ts";
import { FakeGateway } from "../../../support/fake-gateway.ts";
import { rawDataFor, SLOT_MS } from "../../../support/random-chains.ts";

const signal = new AbortController().signal;

/** A chain, and the proof that a transaction of so many slots is in none of its blocks, read from the file. */
async function prove(slots: number): Promise<{ gateway: FakeGateway; document: ProofDocument; text: string }> {
  const gateway = new FakeGateway();
  gateway.mineEmpty(5);
  gateway.solidify();
  const { id, timestamp, number: solidHeight } = gateway.solid;
  const expiration = timestamp + slots * SLOT_MS;
  const rawDataHex = rawDataFor(id, expiration, 1);
  const txId = transactionId(Buffer.from(rawDataHex, "hex"));
  gateway.mineEmpty(slots + 3);
  gateway.solidify();
  const wanted = [[txId, inclusionInterval({ rawDataHex, expiration, solidHeight })] as const];
  for await (const step of scanForAbsence(gateway, beginScan(wanted), signal)) {
    const [absent] = step.kind === "read" ? step.absent : [];
    if (absent === undefined) continue;
    const facts = { network: "Main", endpoint: gateway.endpoint, expiration, solidHeight, rawDataHex, provenAt: 1 };
    const text = proofToJson(proofDocument({ ...facts, ...absent }));
    const document = readProof(text);
    assert.ok(document);
    gateway.requests.length = 0;
    return { gateway, document, text };
  }
  assert.fail("nothing was proven");
}

describe("recheckOnChain", () => {
  it("confirms a proof from its file alone with the blocks of a node, and says how far it is", async () => {
    const { gateway, document } = await prove(21);
    const progress: number[] = [];

    const found = await recheckOnChain(gateway, document, { signal, read: (blocks) => progress.push(blocks) });

    assert.deepEqual(found, { kind: "confirmed", blocks: document.count });
    assert.equal(progress.at(-1), document.count);
    assert.equal(gateway.requests.length, 2);
  });

  it("confirms a proof that is too long to list its ids, 100 blocks a request", async () => {
    const { gateway, document, text } = await prove(LISTED_IDS + 200);

    assert.equal(document.blockIds, undefined);
    assert.deepEqual(recheckProof(text), { kind: "unlisted" });
    assert.deepEqual(await recheckOnChain(gateway, document, { signal }), {
      kind: "confirmed",
      blocks: document.count,
    });
    assert.equal(gateway.requests.length, 1 + Math.ceil(document.count / 100));
  });

  it("refuses when a block of the node holds the transaction", async () => {
    const { gateway, document } = await prove(21);
    gateway.replaceBlock(document.first.number + 3, {
      transactions: [{ txId: document.txId, contractType: "TransferContract" }],
    });

    const found = await recheckOnChain(gateway, document, { signal });

    assert.deepEqual(found, { kind: "refused", reasons: [`Block ${document.first.number + 3} holds it.`] });
  });

  it("refuses when the node follows another chain", async () => {
    const { gateway, document } = await prove(21);
    gateway.replaceBlock(document.first.number, { parentId: "ab".repeat(32) as BlockId });

    const found = await recheckOnChain(gateway, document, { signal });

    assert.match(found.kind === "refused" ? found.reasons.join() : "", /another parent there/);
  });

  it("refuses when an id in the middle is not the one that was read, whatever the file lists", async () => {
    const { gateway, document } = await prove(21);

    const digest = (await prove(22)).document.digest;
    const found = await recheckOnChain(gateway, { ...document, digest }, { signal });

    assert.deepEqual(found, { kind: "refused", reasons: ["The ids of the blocks are others there."] });
  });

  it("refuses when the node is not so far, or has a hole", async () => {
    const { document } = await prove(21);
    const behind = new FakeGateway();
    behind.mineEmpty(document.first.number + 3);
    behind.solidify();

    const found = await recheckOnChain(behind, document, { signal });

    assert.match(found.kind === "refused" ? found.reasons.join() : "", /is before block|another chain|does not give/);
  });
});
