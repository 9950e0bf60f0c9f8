import assert from "node:assert/strict";
import { type Sun, sun } from "../../../packages/tron/src/primitives/amount.ts";
import { bytesToHex, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { type BuiltTransaction, rawDataFromIntent } from "../../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent, IntentOf } from "../../../packages/tron/src/transaction/intent.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import type { CoinDraft } from "../../../src/sending/coin-transfer.ts";
import { loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { FakeGateway } from "../../support/fakes/fake-gateway.ts";
import { profileAt } from "../../support/fakes/gateway-fixtures.ts";
import { ALICE, BOB, ownKeySigns } from "../../support/tracking/tracked.ts";

type CoinTransfer = typeof import("../../../src/sending/coin-transfer.ts");

const request = { owner: ALICE, to: BOB, amount: sun(1_500_000n) };

/** Returns the transaction that a correct gateway builds, which expires 60 s after its head. */
function build(gateway: FakeGateway, intent: Intent): BuiltTransaction {
  const { id, timestamp } = gateway.head;
  const raw = encodeRawData(
    rawDataFromIntent(intent, { referenceBlock: id, expiration: timestamp + 60_000, timestamp }),
  );
  return { txId: transactionId(raw), rawDataHex: bytesToHex(raw) };
}

function transfer(amount: Sun): IntentOf<"transfer"> {
  return { kind: "transfer", ...request, amount };
}

describe("coinTransfer", () => {
  let coinTransfer: CoinTransfer["coinTransfer"];

  before(async () => {
    ({ coinTransfer } = await loadWithEditor<CoinTransfer>("src/sending/coin-transfer.ts"));
  });

  async function draft(gateway: FakeGateway, expiresInMs = 60_000): Promise<CoinDraft> {
    const intent = transfer(request.amount);
    const network = profileAt("http://127.0.0.1:9471");
    const context = {
      services: {} as never,
      request: { network, gateway, intent, nameOf: () => undefined, unattended: true, expiresInMs },
    };
    const { signal } = new AbortController();
    const state = await coinTransfer.read(context, signal);
    return await coinTransfer.build(context, state, ownKeySigns(intent), signal);
  }

  it("builds verified bytes with their expiration", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    gateway.solidify(3);
    gateway.answerBuild(build(gateway, transfer(request.amount)));

    const { verified, lifetimeMs, solidHeight } = await draft(gateway);

    assert.equal(verified.kind, "same");
    assert.equal(lifetimeMs, 60_000);
    assert.equal(solidHeight, 3);
  });

  it("verifies again with another expiration, and returns the cost of a proof", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(5);
    gateway.solidify(3);
    const built = build(gateway, transfer(request.amount));
    gateway.answerBuild(built, built);

    const short = await draft(gateway);
    const long = await draft(gateway, 3_600_000);

    assert.equal(long.lifetimeMs, 3_600_000);
    assert.equal(long.verified.expiration, gateway.head.timestamp + 3_600_000);
    assert.notEqual(long.verified.txId, built.txId);
    assert.deepEqual(short.proofCostFor(3_600_000), long.proofCostFor(3_600_000));
    assert.deepEqual([short.proofCostFor(60_000).blocks, long.proofCostFor(3_600_000).blocks], [26, 1_206]);
  });

  it("rejects another amount with the differing field", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(1);
    gateway.answerBuild(build(gateway, transfer(sun(150_000_000n))));

    await assert.rejects(
      draft(gateway),
      ({ code, details }: { code: string; details: { differences: { path: string }[] } }) => {
        assert.equal(code, "TRANSACTION_DIFFERS");
        assert.deepEqual(
          details.differences.map((it) => it.path),
          ["raw_data.contract[0].parameter.value.amount"],
        );
        return true;
      },
    );
  });

  it("includes the creation of a missing recipient in the cost", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(1);
    gateway.answerBuild(build(gateway, transfer(request.amount)));

    const { cost } = await draft(gateway);

    assert.ok(cost.parts.some(({ kind }) => kind === "account-creation"));
  });

  it("sends each request once", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(1);
    gateway.answerBuild(build(gateway, transfer(request.amount)));

    await draft(gateway);

    assert.deepEqual(gateway.requests.map((it) => it.split(" ")[0]).toSorted(), [
      "account",
      "account",
      "accountResources",
      "buildTransfer",
      "chainParameters",
      "headBlock",
      "solidBlock",
    ]);
  });
});
