import assert from "node:assert/strict";
import {
  messageOf,
  type TestChain,
  type TransferOptions,
  testChain,
} from "../../../../test/support/chain/test-chain.ts";
import { parseAddress } from "../../../tron/src/primitives/address.ts";

const RECIPIENT = parseAddress("41ab8dfe5fb694a42f8d6bdf2aef4613a7d5c68f63");

/** Sends a transfer, mines a block, and returns fee and receipt. */
async function receipt(chain: TestChain, options: TransferOptions = {}): Promise<unknown> {
  const transfer = chain.transfer(options);
  assert.deepEqual(await chain.send(transfer), { result: true, txid: transfer.id });
  chain.mine();
  const { fee, receipt: paid } = await chain.ask("/wallet/gettransactioninfobyid", { value: transfer.id });
  return { fee, ...(paid as object) };
}

describe("cost of a transfer", () => {
  it("S75 is paid by 600 bytes of free bandwidth, then by 1,000 sun per byte", async () => {
    const chain = await testChain();
    const { hex = "" } = chain.accounts[0] ?? {};
    const resources = () => chain.ask("/wallet/getaccountresource", { address: hex });

    assert.deepEqual(await receipt(chain), { fee: undefined, net_usage: 267 });
    assert.equal((await resources()).freeNetUsed, 267);
    assert.deepEqual(await receipt(chain), { fee: undefined, net_usage: 267 });
    assert.deepEqual(await receipt(chain), { fee: 267_000, net_fee: 267_000 });
    assert.equal((await resources()).freeNetUsed, 533, "both, less what two slots have given back");
  });

  it("recovers free bandwidth over a day", async () => {
    const chain = await testChain();
    await receipt(chain);
    const { hex = "" } = chain.accounts[0] ?? {};
    await chain.ask("/local/warp", { ms: 12 * 3_600_000 });
    assert.equal((await chain.ask("/wallet/getaccountnet", { address: hex })).freeNetUsed, 133);
    await chain.ask("/local/warp", { ms: 12 * 3_600_000 });
    assert.equal((await chain.ask("/wallet/getaccountnet", { address: hex })).freeNetUsed, undefined);
  });

  it("includes 1.1 coins for a new account, and nothing for its bytes", async () => {
    const chain = await testChain();
    assert.deepEqual(await receipt(chain, { to: RECIPIENT }), { fee: 1_100_000, net_fee: 100_000 });
    assert.deepEqual(await receipt(chain, { to: RECIPIENT }), { fee: undefined, net_usage: 267 });
  });

  it("includes 1 coin for a memo", async () => {
    const chain = await testChain();
    assert.deepEqual(await receipt(chain, { memo: Uint8Array.of(1, 2, 3) }), { fee: 1_000_000, net_usage: 272 });
  });

  it("S109 is refused with BANDWITH_ERROR without detail when any cost cannot be paid", async () => {
    const chain = await testChain({ parameters: { getFreeNetLimit: 0 } });
    const poor = chain.accounts[2]?.hex ?? RECIPIENT;
    const leave = 200_000n;
    await receipt(chain, { from: 2, amount: 10_000_000_000n - leave - 268_000n });
    assert.ok(Number((await chain.ask("/wallet/getaccount", { address: poor })).balance) <= 201_000);

    for (const options of [{}, { memo: Uint8Array.of(1) }]) {
      const refused = await chain.send(chain.transfer({ from: 2, amount: 1n, ...options }));
      assert.equal(refused.code, "BANDWITH_ERROR");
      assert.equal(messageOf(refused), "Account resource insufficient error.");
    }
  });

  it("S107 is refused with CONTRACT_VALIDATE_ERROR when only the amount cannot be paid", async () => {
    const chain = await testChain();
    const refused = await chain.send(chain.transfer({ amount: 10_000_000_001n }));
    assert.equal(refused.code, "CONTRACT_VALIDATE_ERROR");
    assert.equal(
      messageOf(refused),
      "Contract validate error : Validate TransferContract error, balance is not sufficient.",
    );
  });
});
