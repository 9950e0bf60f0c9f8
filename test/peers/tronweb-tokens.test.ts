import assert from "node:assert/strict";
import type { TronWeb, Types } from "tronweb";
import { type LocalChain, startLocalChain } from "../../src/local-chain/main.ts";
import { TronWebMethods } from "../support/samples/tronweb-methods.ts";

const COIN = 1_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOKEN = "1000001";

/** What a client that nobody here wrote can do with TRC-10 tokens, names and ids on the embedded chain. */
describe("TronWeb and tokens on the embedded chain", () => {
  const methods = new TronWebMethods();
  let chain: LocalChain;
  let tronWeb: TronWeb;

  before(async () => {
    chain = await startLocalChain({ seed: "tronweb tokens", blockTimeMs: 0 });
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
  const send = async (unsigned: Types.Transaction, by = 0): Promise<Types.TransactionInfo> => {
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned, account(by).privateKey));
    assert.equal(sent.result, true, JSON.stringify(sent));
    await control("mine", { blocks: 5 });
    return tronWeb.trx.getTransactionInfo(unsigned.txID);
  };
  const build = () => tronWeb.transactionBuilder;

  it("issues a token with createToken, and finds it in every way", async () => {
    const { block_header: head } = await tronWeb.trx.getCurrentBlock();
    const saleStart = Math.max(Date.now(), head.raw_data.timestamp) + DAY_MS;
    const options = { name: "Coin", abbreviation: "CN", description: "about", url: "https://coin.test" };
    const price = { trxRatio: 2, tokenRatio: 3, saleStart, saleEnd: saleStart + DAY_MS };
    const limits = { freeBandwidth: 0, freeBandwidthLimit: 0, precision: 2 };
    await send(await build().createToken({ ...options, ...price, ...limits, totalSupply: 1_000_000 }));

    assert.equal((await tronWeb.trx.getTokenByID(TOKEN)).name, "Coin");
    assert.equal((await tronWeb.trx.getTokenFromID(TOKEN)).abbr, "CN");
    assert.equal(Object.keys(await tronWeb.trx.getTokensIssuedByAddress()).length, 1);
    assert.equal((await tronWeb.trx.listTokens()).length, 1);
  });

  it("moves it with sendToken, and shows it in accounts", async () => {
    await send(await build().sendToken(account(1).address, 1000, TOKEN));
    const { assetV2 } = await tronWeb.trx.getAccount(account(1).address);
    assert.deepEqual(assetV2, [{ key: TOKEN, value: 1000 }]);
  });

  it("buys it with purchaseToken while it is sold", async () => {
    const { start_time: start } = await tronWeb.trx.getTokenByID(TOKEN);
    const { block_header: head } = await tronWeb.trx.getCurrentBlock();
    await control("warp", { ms: Number(start) - head.raw_data.timestamp + HOUR_MS });
    await send(await build().purchaseToken(account(0).address, TOKEN, 4, account(2).address), 2);
    assert.deepEqual((await tronWeb.trx.getAccount(account(2).address)).assetV2, [{ key: TOKEN, value: 6 }]);
  });

  it("changes it with updateToken", async () => {
    const changes = { description: "new", url: "https://new.test", freeBandwidth: 0, freeBandwidthLimit: 0 };
    await send(await build().updateToken(changes));
    assert.equal((await tronWeb.trx.getTokenByID(TOKEN)).description, "new");
  });

  it("sends it along with a call", async () => {
    const code = "600a600c600039600a6000f3" + "d25f5260205ff3".padEnd(20, "0");
    const created = await build().createSmartContract({ abi: [], bytecode: code, feeLimit: 100 * COIN });
    const { contract_address: contract = "" } = await send(created);
    const options = { feeLimit: 100 * COIN, callValue: 0, tokenId: TOKEN, tokenValue: 7, input: "00" };
    const called = await build().triggerSmartContract(contract, "", options, []);
    const { contractResult } = await send(called.transaction);
    assert.equal(BigInt(`0x${contractResult[0]}`), 7n);
  });

  it("names an account with updateAccount and setAccountId", async () => {
    await send(await build().updateAccount("Ada"));
    const id = Buffer.from("ada-lovelace").toString("hex");
    await send(await build().setAccountId(id));
    assert.equal((await tronWeb.trx.getAccountById(id)).address, account(0).hex);
    assert.deepEqual(await tronWeb.trx.getAccountById(`${id}00`), {});
  });
});
