import assert from "node:assert/strict";
import { TronWeb, type Types } from "tronweb";
import { TronWebChain } from "./tronweb-chain.ts";

const COIN = 1_000_000;
const DAY_MS = 86_400_000;

describe("TronWeb with stakes", () => {
  let chain: TronWebChain;
  let tronWeb: TronWeb;

  before(async () => {
    chain = await TronWebChain.start({ seed: "tronweb stake" });
    tronWeb = chain.client();
  });
  after(() => chain.close());

  const account = (index: number) => chain.account(index);
  const send = (unsigned: Types.Transaction): Promise<Types.TransactionInfo> => chain.send(tronWeb, unsigned);
  const build = () => tronWeb.transactionBuilder;

  it("stakes with freezeBalanceV2, and reads getAccountResources and getAccount", async () => {
    const info = await send(await build().freezeBalanceV2(1000 * COIN, "ENERGY"));
    assert.equal(info.receipt.net_usage, 254, "the bytes of a stake on the recorded chain");
    await send(await build().freezeBalanceV2(500 * COIN, "BANDWIDTH"));
    const resources = await tronWeb.trx.getAccountResources();
    assert.equal(resources.TotalEnergyWeight, 1000);
    assert.equal(resources.EnergyLimit, 180_000_000_000);
    assert.equal((await tronWeb.trx.getAccount()).frozenV2?.[1]?.amount, 1000 * COIN);
  });

  it("delegates with delegateResource, and reads delegations on both sides", async () => {
    const size = await tronWeb.trx.getCanDelegatedMaxSize(account(0).address, "ENERGY");
    assert.equal(size.max_size, 1000 * COIN);
    await send(await build().delegateResource(300 * COIN, account(1).address, "ENERGY"));
    await send(await build().delegateResource(100 * COIN, account(1).address, "ENERGY", account(0).address, true, 100));
    for (const confirmed of [true, false]) {
      const { delegatedResource } = await tronWeb.trx.getDelegatedResourceV2(account(0).address, account(1).address, {
        confirmed,
      });
      assert.deepEqual(
        delegatedResource.map((it) => it.frozen_balance_for_energy),
        [300 * COIN, 100 * COIN],
      );
      const index = await tronWeb.trx.getDelegatedResourceAccountIndexV2(account(1).address, { confirmed });
      assert.deepEqual(index.fromAccounts, [account(0).hex]);
    }
    assert.equal((await tronWeb.trx.getAccountResources(account(1).address)).EnergyLimit, 72_000_000_000);
  });

  it("undelegates with undelegateResource", async () => {
    await send(await build().undelegateResource(300 * COIN, account(1).address, "ENERGY"));
    assert.equal((await tronWeb.trx.getAccountResources(account(1).address)).EnergyLimit, 18_000_000_000);
    const early = await build().undelegateResource(1 * COIN, account(1).address, "ENERGY");
    const refused = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(early, account(0).privateKey));
    assert.equal(refused.code, "CONTRACT_VALIDATE_ERROR");
    assert.match(TronWeb.toUtf8(String(refused.message)), /unlock_balance=0$/);
  });

  it("unstakes with unfreezeBalanceV2, and withdraws with withdrawExpireUnfreeze", async () => {
    await send(await build().unfreezeBalanceV2(200 * COIN, "ENERGY"));
    assert.equal((await tronWeb.trx.getAvailableUnfreezeCount()).count, 31);
    assert.equal((await tronWeb.trx.getCanWithdrawUnfreezeAmount(account(0).address, 0)).amount, undefined);
    await chain.control("warp", { ms: 14 * DAY_MS });
    const before = await tronWeb.trx.getUnconfirmedBalance();
    const info = await send(await build().withdrawExpireUnfreeze());
    assert.equal(info.withdraw_expire_amount, 200 * COIN);
    assert.equal(await tronWeb.trx.getUnconfirmedBalance(), before + 200 * COIN);
  });

  it("stakes pending unstakes again with cancelUnfreezeBalanceV2", async () => {
    await send(await build().unfreezeBalanceV2(100 * COIN, "BANDWIDTH"));
    await send(await build().cancelUnfreezeBalanceV2());
    assert.equal((await tronWeb.trx.getAccountResources()).TotalNetWeight, 500);
    assert.equal((await tronWeb.trx.getAccount()).unfrozenV2?.length ?? 0, 0);
  });

  it("lists witnesses with listSuperRepresentatives", async () => {
    const witnesses = await tronWeb.trx.listSuperRepresentatives();
    assert.equal(witnesses.length, 5);
    assert.equal(new Set(witnesses.map((it) => it.address)).size, 5);
  });
});
