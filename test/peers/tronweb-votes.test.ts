import assert from "node:assert/strict";
import { TronWeb, type Types } from "tronweb";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { TronWebMethods } from "../support/samples/tronweb-builder.ts";

const COIN = 1_000_000;
const DAY_MS = 86_400_000;
const BLOCKS_OF_A_CYCLE = 40;

/** As on Mainnet every stake counts for votes: TronWeb cannot stake for votes alone. */
const PARAMETERS = { getAllowNewResourceModel: 0 };

/** TronWeb is an independent client. */
describe("TronWeb with votes", () => {
  const methods = new TronWebMethods();
  let chain: LocalChain;
  let voter: TronWeb;
  let candidate: TronWeb;

  before(async () => {
    chain = await startLocalChain({ seed: "tronweb votes", blockTimeMs: 0, parameters: PARAMETERS });
    const [account] = chain.ready.accounts;
    voter = methods.client({ fullHost: chain.baseUrl, privateKey: account?.privateKey ?? "" });
    candidate = methods.client({ fullHost: chain.baseUrl, privateKey: chain.ready.faucet.privateKey });
  });

  after(async () => {
    await chain.close();
    methods.print();
  });

  const ownAddress = (who: TronWeb): string => String(who.defaultAddress.base58);
  const mine = async (blocks: number): Promise<void> => {
    const answer = await fetch(`${chain.baseUrl}/local/mine`, { method: "POST", body: JSON.stringify({ blocks }) });
    assert.equal(answer.status, 200);
  };
  const send = async (who: TronWeb, unsigned: Types.Transaction): Promise<Types.TransactionInfo> => {
    const sent = await who.trx.sendRawTransaction(await who.trx.sign(unsigned));
    assert.equal(sent.result, true, JSON.stringify(sent));
    await mine(12);
    return who.trx.getTransactionInfo(unsigned.txID);
  };
  const representative = async (): Promise<Types.Witness | undefined> =>
    (await voter.trx.listSuperRepresentatives()).find(
      (it) => it.address === TronWeb.address.toHex(ownAddress(candidate)),
    );

  it("becomes a witness with applyForSR, and sets its brokerage with updateBrokerage", async () => {
    const build = candidate.transactionBuilder;
    const { fee } = await send(candidate, await build.applyForSR(ownAddress(candidate), "http://candidate.invalid"));
    assert.equal(fee, 9999 * COIN);
    await send(candidate, await build.updateBrokerage(50, ownAddress(candidate)));
    assert.equal((await representative())?.url, "http://candidate.invalid");
    await mine(BLOCKS_OF_A_CYCLE);
    assert.equal(await voter.trx.getBrokerage(ownAddress(candidate)), 50);
  });

  it("votes with a stake for energy, and withdraws rewards with withdrawBlockRewards", async () => {
    await send(voter, await voter.transactionBuilder.freezeBalanceV2(1000 * COIN, "ENERGY"));
    await send(voter, await voter.transactionBuilder.vote({ [ownAddress(candidate)]: 900 }));
    assert.deepEqual((await voter.trx.getAccount()).votes, [
      { vote_address: TronWeb.address.toHex(ownAddress(candidate)), vote_count: 900 },
    ]);
    await mine(2 * BLOCKS_OF_A_CYCLE);
    assert.deepEqual([(await representative())?.voteCount, (await representative())?.isJobs], [900, true]);
    const reward = await voter.trx.getUnconfirmedReward(ownAddress(voter));
    // It has the part of its votes in what all get who are voted for; for blocks there is nothing without a key.
    assert.ok(reward > 0, `${reward} sun`);
    const info = await send(voter, await voter.transactionBuilder.withdrawBlockRewards(ownAddress(voter)));
    assert.equal(info.withdraw_amount, reward);
    assert.equal(await voter.trx.getUnconfirmedReward(ownAddress(voter)), 0);
  });

  it("loses votes with its stake", async () => {
    await send(voter, await voter.transactionBuilder.unfreezeBalanceV2(600 * COIN, "ENERGY"));
    assert.equal((await voter.trx.getAccount()).votes?.[0]?.vote_count, 400);
  });

  it("creates, approves and deletes proposals", async () => {
    const build = candidate.transactionBuilder;
    await send(candidate, await build.createProposal([{ key: 61, value: 700 }], ownAddress(candidate)));
    const [proposal] = await candidate.trx.listProposals();
    assert.deepEqual(proposal?.parameters, [{ key: 61, value: 700 }]);
    const id = proposal?.proposal_id ?? 0;
    await send(candidate, await build.voteProposal(id, true, ownAddress(candidate)));
    const approved = await candidate.trx.getProposal(id);
    assert.equal(approved.approvals?.length, 1);
    assert.ok(Number(approved.expiration_time) - Number(approved.create_time) > 3 * DAY_MS);
    await send(candidate, await build.deleteProposal(id, ownAddress(candidate)));
    assert.equal(String((await candidate.trx.getProposal(id)).state), "CANCELED");
  });
});
