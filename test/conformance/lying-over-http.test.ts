import assert from "node:assert/strict";
import { createHttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import { noProofText } from "../../packages/client/src/labels/proofs.ts";
import { beginScan, scanForAbsence } from "../../packages/client/src/proof/absence-scan.ts";
import { confirmAbsence } from "../../packages/client/src/proof/confirm-absence.ts";
import { inclusionInterval } from "../../packages/client/src/proof/inclusion-interval.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex, type TxId, transactionId } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject, parseJson, printJson } from "../../packages/tron/src/primitives/json.ts";
import { rawDataFromIntent } from "../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { encodeRawData } from "../../packages/tron/src/transaction/raw-data-codec.ts";
import { parsePrivateKey, signTransactionId } from "../../packages/tron/src/transaction/signature.ts";
import { askChain } from "../browser/proxy.ts";
import { profileAt } from "../support/fakes/gateway-fixtures.ts";
import { startServer, type TestServer } from "../support/http/http-server.ts";
import { fastClock as clock } from "./fast-clock.ts";

const { signal } = new AbortController();

/** Changes an answer of the honest chain. */
type AnswerChange = (path: string, answer: JsonObject) => JsonObject;
const HONEST: AnswerChange = (_path, answer) => answer;

interface Signed {
  readonly txId: TxId;
  readonly rawDataHex: Hex;
  readonly expiration: number;
  readonly solidHeight: number;
}

describe("proof of absence with an adversarial gateway over HTTP", () => {
  let chain: LocalChain;
  let other: LocalChain;

  before(async () => {
    [chain, other] = await Promise.all([startLocalChain({ blockTimeMs: 0 }), startLocalChain({ blockTimeMs: 0 })]);
  });

  after(async () => {
    await Promise.all([chain.close(), other.close()]);
  });

  function mine({ simulation }: LocalChain, blocks: number): void {
    for (let mined = 0; mined < blocks; mined++) simulation.chain.produceBlock();
  }

  /** Returns an expired payment that the honest chain contains, or never received. */
  async function payment({ held }: { readonly held: boolean }): Promise<Signed> {
    mine(chain, 60);
    const { head, solid } = chain.simulation.chain;
    const [alice, bob] = chain.ready.accounts;
    assert.ok(alice && bob);
    const intent: Intent = {
      kind: "transfer",
      owner: parseAddress(alice.hex),
      to: parseAddress(bob.hex),
      amount: sun(5n),
    };
    const expiration = head.header.timestamp + 10 * BLOCK_INTERVAL_MS;
    const validity = { referenceBlock: solid.id, expiration, timestamp: head.header.timestamp };
    const bytes = encodeRawData(rawDataFromIntent(intent, validity));
    const txId = transactionId(bytes);
    const rawDataHex = bytesToHex(bytes);
    const signatures = [signTransactionId(txId, parsePrivateKey(alice.privateKey))];
    if (held) {
      const honest = createHttpGateway(profileAt(chain.baseUrl), { clock });
      assert.equal((await honest.broadcast({ txId, rawDataHex, signatures })).outcome.kind, "accepted");
      await honest.close();
    }
    mine(chain, 50);
    return { txId, rawDataHex, expiration, solidHeight: solid.header.number };
  }

  /** Starts a server that changes answers of the honest chain, or of another chain for blocks. */
  function openAdversary(change: AnswerChange, blocksOf = chain): Promise<TestServer> {
    return startServer(async (response, request) => {
      const { baseUrl } = request.path.includes("/getblock") ? blocksOf : chain;
      const answer = await askChain(baseUrl, request);
      const json = parseJson(answer?.text ?? "{}");
      const reported = isJsonObject(json) ? change(request.path, json) : json;
      response.writeHead(200, { "content-type": "application/json" }).end(printJson(reported));
    });
  }

  /** Returns the result of the client's proof: found, proven absent, or the reason without a proof. */
  async function prove(
    signed: Signed,
    change: AnswerChange,
    { blocksOf = chain, inRealTime = false } = {},
  ): Promise<string> {
    await using adversary = await openAdversary(change, blocksOf);
    const gateway = createHttpGateway(profileAt(adversary.url), { clock });
    try {
      let scan = beginScan([[signed.txId, inclusionInterval(signed)]]);
      for await (const step of scanForAbsence(gateway, scan, signal)) {
        if (step.kind === "stopped") return noProofText(step.reason);
        if (step.found.length > 0) return "found";
        if (step.foreign.length > 0) return "on another chain";
        scan = step.scan;
      }
      const sources = { others: [], inRealTime };
      const confirmed = await confirmAbsence(scan, { gateway, sources, clock: { ...clock, now: Date.now }, signal });
      return confirmed.kind === "stopped" ? noProofText(confirmed.reason) : "proven absent";
    } finally {
      await gateway.close();
    }
  }

  const blocksIn = (answer: JsonObject): readonly JsonObject[] =>
    Array.isArray(answer.block) ? answer.block.filter(isJsonObject) : "block_header" in answer ? [answer] : [];
  const eachBlock =
    (change: (block: JsonObject) => JsonObject): AnswerChange =>
    (_path, answer) =>
      Array.isArray(answer.block)
        ? { ...answer, block: blocksIn(answer).map(change) }
        : blocksIn(answer).length > 0
          ? change(answer)
          : answer;
  const withRaw = (block: JsonObject, change: JsonObject): JsonObject => {
    const header = block.block_header;
    if (!isJsonObject(header) || !isJsonObject(header.raw_data)) return block;
    return { ...block, block_header: { ...header, raw_data: { ...header.raw_data, ...change } } };
  };

  it("H2: finds an included transaction and proves a missing one absent, with honest answers", async () => {
    assert.equal(await prove(await payment({ held: true }), HONEST), "found");
    assert.equal(await prove(await payment({ held: false }), HONEST), "proven absent");
  });

  it("H2: fails when the gateway omits the transaction from its block", async () => {
    const signed = await payment({ held: true });
    const without = eachBlock((block) => ({
      ...block,
      transactions: (Array.isArray(block.transactions) ? block.transactions : []).filter(
        (it) => isJsonObject(it) && it.txID !== signed.txId,
      ),
    }));

    assert.match(await prove(signed, without), /cannot be checked against its id/);
  });

  it("H2: fails when the gateway changes root, time or parent of a block", async () => {
    const signed = await payment({ held: true });
    for (const change of [{ txTrieRoot: "00".repeat(32) }, { timestamp: 1 }, { parentHash: "ab".repeat(32) }]) {
      assert.match(
        await prove(
          signed,
          eachBlock((it) => withRaw(it, change)),
        ),
        /not the hash of its header/,
      );
    }
  });

  it("H2: fails when the gateway returns blocks of another chain", async () => {
    const signed = await payment({ held: true });
    mine(other, chain.simulation.chain.head.header.number - other.simulation.chain.head.header.number);

    assert.equal(await prove(signed, HONEST, { blocksOf: other }), "on another chain");
  });

  it("H2: fails when the gateway ends the validity with a block of the future", async () => {
    const signed = await payment({ held: false });
    const ahead = chain.simulation.chain.head.header.timestamp - Date.now();
    assert.ok(ahead > 5 * 60_000, "this chain makes its blocks ahead of time");

    assert.match(await prove(signed, HONEST, { inRealTime: true }), /minutes in the future/);
  });

  it("H2: fails when the gateway overstates the solidified block, or hides the head", async () => {
    const signed = await payment({ held: false });
    const behind: AnswerChange = (path, answer) =>
      path.startsWith("/wallet/") && blocksIn(answer).length > 0 ? { block: [] } : answer;

    assert.match(await prove(signed, behind), /full node does not have the solidified block/);
  });
});
