import assert from "node:assert/strict";
import { TronWeb, type Types } from "tronweb";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";

const SUN = 1_000_000;

describe("TronWeb with tokens, votes and exchanges", () => {
  let chain: LocalChain;
  let tronWeb: TronWeb;
  let tokenId: string;

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: "instant", witnesses: 1 });
    tronWeb = new TronWeb({ fullHost: chain.baseUrl, privateKey: account(0).privateKey });
  });

  after(() => chain.close());

  const account = (index: number) => {
    const found = chain.ready.accounts[index];
    assert.ok(found);
    return found;
  };
  const build = () => tronWeb.transactionBuilder;
  const send = async (unsigned: Types.Transaction, signer = 0): Promise<void> => {
    const signed = await tronWeb.trx.sign(unsigned, account(signer).privateKey);
    const sent = await tronWeb.trx.sendRawTransaction(signed);
    assert.equal(sent.result, true, JSON.stringify(sent));
    assert.equal((await tronWeb.trx.getTransaction(unsigned.txID)).ret?.[0]?.contractRet, "SUCCESS");
  };

  it("issues a token with a sale by real time, and transfers it", async () => {
    const token = {
      name: "Leaf",
      abbreviation: "LEAF",
      description: "Leaves",
      url: "https://leaf.invalid",
      totalSupply: 1_000_000,
      trxRatio: 1,
      tokenRatio: 1,
      saleStart: Date.now() + 2_000,
      saleEnd: Date.now() + 600_000,
      freeBandwidth: 0,
      freeBandwidthLimit: 0,
      frozenAmount: 0,
      frozenDuration: 0,
      precision: 2,
    };
    await send(await build().createAsset(token, account(0).address));
    const issued = await tronWeb.trx.getTokensIssuedByAddress(account(0).address);
    tokenId = String(issued.Leaf?.id);
    await send(await build().sendToken(account(1).address, 500, tokenId, account(0).address));
    const { assetV2 } = await tronWeb.trx.getAccount(account(1).address);
    assert.deepEqual(assetV2, [{ key: tokenId, value: 500 }]);
  });

  it("creates an exchange of the token, and trades", async () => {
    await send(await build().createTRXExchange(tokenId, 100_000, 1_000 * SUN, account(0).address));
    const [exchange] = await tronWeb.trx.listExchanges();
    assert.ok(exchange);
    await send(await build().tradeExchangeTokens(exchange.exchange_id, tokenId, 100, 1, account(1).address), 1);
    const { assetV2 } = await tronWeb.trx.getAccount(account(1).address);
    assert.deepEqual(assetV2, [{ key: tokenId, value: 400 }]);
  });

  it("stakes, votes for a witness, and reads its votes", async () => {
    const [witness] = await tronWeb.trx.listSuperRepresentatives();
    assert.ok(witness);
    // TronWeb cannot build stakes for votes, and other stakes have no votes on this chain.
    const stake = { owner_address: account(2).hex, frozen_balance: 100 * SUN, resource: "TRON_POWER" };
    await send(await tronWeb.fullNode.request("wallet/freezebalancev2", stake, "post"), 2);
    await send(await build().vote({ [witness.address]: 100 }, account(2).address), 2);
    const { votes } = await tronWeb.trx.getAccount(account(2).address);
    assert.deepEqual(votes, [{ vote_address: witness.address, vote_count: 100 }]);
  });

  it("reads the proposals of the chain's parameters", async () => {
    const proposals = await tronWeb.trx.listProposals();
    assert.ok(proposals.length > 0);
    assert.ok(proposals.every(({ state }) => state === "APPROVED"));
  });
});
