import assert from "node:assert/strict";
import { TronWeb } from "tronweb";
import { TronWebChain } from "./tronweb-chain.ts";

describe("TronWeb", () => {
  let chain: TronWebChain;
  let tronWeb: TronWeb;

  before(async () => {
    chain = await TronWebChain.start({ seed: "tronweb" });
    tronWeb = chain.client();
  });
  after(() => chain.close());

  const account = (index: number) => chain.account(index);
  const privateKey = (index: number): string => account(index).privateKey;
  const clientOf = (key: string): TronWeb => chain.client(key);
  const mine = (blocks: number): Promise<void> => chain.mine(blocks);

  it("creates, signs and broadcasts a transfer, and reads it from head and solidified data", async () => {
    const unsigned = await tronWeb.transactionBuilder.sendTrx(account(1).address, 1_500_000, account(0).address);
    const signed = await tronWeb.trx.sign(unsigned, privateKey(0));
    const sent = await tronWeb.trx.sendRawTransaction(signed);
    assert.equal(sent.result, true);
    assert.equal(sent.txid, unsigned.txID);

    await mine(1);
    const atHead = await tronWeb.trx.getTransaction(unsigned.txID);
    assert.equal(atHead.txID, unsigned.txID);
    assert.equal(atHead.ret?.[0]?.contractRet, "SUCCESS");
    await assert.rejects(tronWeb.trx.getConfirmedTransaction(unsigned.txID), /not found/);

    await mine(5);
    const solid = await tronWeb.trx.getConfirmedTransaction(unsigned.txID);
    assert.deepEqual(solid.raw_data, atHead.raw_data);
    const info = await tronWeb.trx.getTransactionInfo(unsigned.txID);
    assert.equal(info.id, unsigned.txID);
    assert.equal(info.blockNumber, 6);
    assert.equal(await tronWeb.trx.getBalance(account(1).address), 10_001_500_000);
  });

  it("receives refusals in the form that it decodes", async () => {
    const unsigned = await tronWeb.transactionBuilder.sendTrx(account(1).address, 2_000_000, account(0).address);
    const foreign = await clientOf(privateKey(2)).trx.multiSign(unsigned, privateKey(2));
    const refused = await tronWeb.trx.sendRawTransaction(foreign);
    assert.equal(refused.code, "SIGERROR");
    assert.match(TronWeb.toUtf8(String(refused.message)), /is not contained of permission/);

    const twice = await tronWeb.trx.sign(unsigned, privateKey(0));
    await tronWeb.trx.sendRawTransaction(twice);
    const again = await tronWeb.trx.sendRawTransaction(twice);
    assert.equal(again.code, "DUP_TRANSACTION_ERROR");
    assert.equal(TronWeb.toUtf8(String(again.message)), "Dup transaction.");
  });

  it("broadcasts serialized bytes", async () => {
    const unsigned = await tronWeb.transactionBuilder.sendTrx(account(3).address, 3_000_000, account(0).address);
    const signed = await tronWeb.trx.sign(unsigned, privateKey(0));
    const bytes = tronWeb.utils.transaction.txJsonToPb(signed);
    const hex = Buffer.concat([
      Buffer.from([0x0a, ...varint(bytes.getRawData().serializeBinary().length)]),
      Buffer.from(bytes.getRawData().serializeBinary()),
      Buffer.from([0x12, 65]),
      Buffer.from(String(signed.signature[0]), "hex"),
    ]).toString("hex");

    const sent = await tronWeb.trx.sendHexTransaction(hex);

    assert.equal(sent.result, true);
    assert.equal(sent.code, "SUCCESS");
  });

  it("shares an account between two keys, and collects both signatures", async () => {
    const [owner, second] = [account(4), account(5)];
    const keys = [owner, second].map(({ hex }) => ({ address: hex, weight: 1 }));
    const shared = clientOf(owner.privateKey);
    const update = await shared.transactionBuilder.updateAccountPermissions(
      owner.hex,
      { type: 0, permission_name: "owner", threshold: 2, keys },
      undefined,
      [{ type: 2, permission_name: "both", threshold: 2, operations: `02${"00".repeat(31)}`, keys }],
    );
    await shared.trx.sendRawTransaction(await shared.trx.sign(update, owner.privateKey));
    await mine(1);

    const unsigned = await shared.transactionBuilder.sendTrx(account(6).address, 1, owner.address, { permissionId: 2 });
    const once = await shared.trx.multiSign(unsigned, owner.privateKey, 2);
    const early = await shared.trx.getSignWeight(once);
    assert.equal(early.result.code, "NOT_ENOUGH_PERMISSION");
    const both = await shared.trx.multiSign(once, second.privateKey, 2);
    assert.equal((await shared.trx.getSignWeight(both)).current_weight, 2);
    assert.equal((await shared.trx.getApprovedList(both)).approved_list.length, 2);
    assert.equal((await shared.trx.sendRawTransaction(both)).result, true);

    await mine(1);
    const info = await shared.trx.getUnconfirmedTransactionInfo(both.txID);
    assert.ok(Number(info.fee) >= 1_000_000, "two signatures cost a coin");
  });

  it("reads parameters, prices, node and blocks", async () => {
    const parameters = await tronWeb.trx.getChainParameters();
    assert.equal(parameters.find(({ key }) => key === "getEnergyFee")?.value, 210);
    assert.equal(await tronWeb.trx.getEnergyPrices(), "0:210");
    assert.equal(await tronWeb.trx.getBandwidthPrices(), "0:1000");
    assert.equal((await tronWeb.trx.getNodeInfo()).configNodeInfo.codeVersion, "4.8.0");
    assert.equal((await tronWeb.trx.getBlock(3)).block_header.raw_data.number, 3);
    assert.equal((await tronWeb.trx.getBlockRange(2, 4)).length, 3);
    assert.equal((await tronWeb.trx.getCurrentBlock()).blockID.length, 64);
    assert.equal((await tronWeb.trx.getAccountResources(account(7).address)).freeNetLimit, 600);
    assert.equal(await tronWeb.trx.getBandwidth(account(7).address), 600);
  });

  it("reads missing tokens, exchanges, names and rewards as from a node", async () => {
    const { address } = account(7);
    assert.deepEqual(await tronWeb.trx.listTokens(), []);
    assert.deepEqual(await tronWeb.trx.getTokensIssuedByAddress(address), {});
    await assert.rejects(tronWeb.trx.getTokenByID("1000001"), /Token does not exist/);
    await assert.rejects(tronWeb.trx.getTokenFromID("NOBODY"), /Token does not exist/);
    assert.deepEqual(await tronWeb.trx.listExchanges(), []);
    assert.deepEqual(await tronWeb.trx.getAccountById("00".repeat(8)), {});
    assert.deepEqual([await tronWeb.trx.getReward(address), await tronWeb.trx.getUnconfirmedReward(address)], [0, 0]);
    assert.equal(await tronWeb.trx.getBrokerage(address), 20);
  });
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}
