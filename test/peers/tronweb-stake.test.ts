import assert from "node:assert/strict";
import { TronWeb, type Types } from "tronweb";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { TronWebMethods } from "../support/samples/tronweb-builder.ts";

const COIN = 1_000_000;
const DAY_MS = 86_400_000;

/** TronWeb is an independent client. */
describe("TronWeb with stakes", () => {
  const methods = new TronWebMethods();
  let chain: LocalChain;
  let tronWeb: TronWeb;

  before(async () => {
    chain = await startLocalChain({ seed: "tronweb stake", blockTimeMs: 0 });
    tronWeb = methods.client({ fullHost: chain.baseUrl, privateKey: account(0).privateKey });
  });

  after(async () => {
    await chain.close();
    methods.print();
  });

  const account = (index: number) => {
    const found = chain.ready.accounts[index];
    assert.ok(found);
    return found;
  };
  const control = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${chain.baseUrl}/local/${path}`, { method: "POST", body: JSON.stringify(body) });
    assert.equal(answer.status, 200);
  };
  const send = async (unsigned: Types.Transaction): Promise<Types.TransactionInfo> => {
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned, account(0).privateKey));
    assert.equal(sent.result, true);
    await control("mine", { blocks: 6 });
    return tronWeb.trx.getTransactionInfo(unsigned.txID);
  };
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
    await control("warp", { ms: 14 * DAY_MS });
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
