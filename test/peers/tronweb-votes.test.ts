import assert from "node:assert/strict";
import { TronWeb, type Types } from "tronweb";
import { TronWebChain } from "./tronweb-chain.ts";

const COIN = 1_000_000;
const DAY_MS = 86_400_000;
const BLOCKS_OF_A_CYCLE = 40;

/** Every stake counts for votes, as on Mainnet, because TronWeb cannot stake for votes. */
const PARAMETERS = { getAllowNewResourceModel: 0 };

describe("TronWeb with votes", () => {
  let chain: TronWebChain;
  let voter: TronWeb;
  let candidate: TronWeb;

  before(async () => {
    chain = await TronWebChain.start({ seed: "tronweb votes", parameters: PARAMETERS });
    voter = chain.client();
    candidate = chain.client(chain.chain.ready.faucet.privateKey);
  });
  after(() => chain.close());

  const ownAddress = (client: TronWeb): string => String(client.defaultAddress.base58);
  const mine = (blocks: number): Promise<void> => chain.mine(blocks);
  const send = (client: TronWeb, unsigned: Types.Transaction): Promise<Types.TransactionInfo> =>
    chain.send(client, unsigned, 12);
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
    // It gets its share of the vote rewards, but no block rewards, because the chain has no key of it.
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
