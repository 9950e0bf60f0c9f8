import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { ChainBeside } from "../support/chain/chain-beside.ts";
import {
  answer,
  choose,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  typeAndRead,
} from "../support/workbench/workbench.ts";
import { acceptByEnter, addressOf, chainBeside, readReview, untilFinal } from "./local-flow.ts";
import { takeBothPictures } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";

const COIN = 1_000_000;
const NEWCOMER = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
/** Stops at once. */
const CODE = { bytecode: "60006000536001" + "6000f3", abi: '[{"type":"function","name":"stop","inputs":[]}]' };

describe("tokens, accounts, unstakes and contract settings by keyboard", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let chain: ChainBeside;
  let alice: string;
  let bob: string;
  let tokenId: string;
  let contract: string;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
    chain = await chainBeside(workbench);
    alice = await addressOf(page, "Alice");
    bob = await addressOf(page, "Bob");
    tokenId = await chain.giveToken(alice, 1_234);
    const key = await chain.keyAt(0);
    await chain.done(key, "freezebalancev2", { frozen_balance: 50 * COIN, resource: "ENERGY" });
    await chain.done(key, "unfreezebalancev2", { unfreeze_balance: 20 * COIN, resource: "ENERGY" });
    await chain.done(key, "unfreezebalancev2", { unfreeze_balance: 10 * COIN, resource: "ENERGY" });
    contract = await chain.deployed(key, { ...CODE, name: "Stop", consume_user_resource_percent: 100 });
  });

  /** Reads the review, in two themes, and signs with Enter. @returns what it says that it costs, sun */
  async function sign(picture: string, lines: readonly RegExp[]): Promise<number> {
    const review = await readReview(page, "Sign and Send", lines);
    await takeBothPictures(page, picture);
    await acceptByEnter(page);
    return costIn(review);
  }

  /** Nothing but fees leaves Alice, and they are what the reviews said. @param work - gives what they said, sun */
  async function settles(work: () => Promise<readonly number[]>): Promise<void> {
    let costs: readonly number[] = [];
    const executed = await chain.settles({ [alice]: 0, [bob]: 0 }, async () => {
      costs = await work();
    });
    assert.deepEqual(
      executed.map(({ fee }) => fee),
      costs,
    );
  }

  it("sends tokens by their ID, and marks the name from the issuer as a claim", async () => {
    const before = await chain.units(bob, tokenId);
    await settles(async () => {
      await workbench.runCommand("Finality: Send Tokens (TRC-10)…");
      await choose(page, "From which account?", "Alice");
      await answer(page, "Which token? Its number on the chain", tokenId);
      await choose(page, "Recipient?", "Bob");
      await typeAndRead(page, "100", "1235", /There are 1,234 units on this account\./);
      await typeAndRead(page, "100", "234", /1,234 units on this account/);
      const cost = await sign("trc10-review", [
        /Send 234 units of token 1000001\?/,
        /Token: 1000001, calls itself “TeaLeaf”\n+Amount: 234 units = 2\.34/,
        /To: Bob · T\w{33}/,
      ]);
      await untilFinal(page, `234 of token ${tokenId} to Bob`);
      return [cost];
    });

    assert.deepEqual([await chain.units(alice, tokenId), (await chain.units(bob, tokenId)) - before], [1_000, 234]);
  });

  it("creates an account for the fee of the review, and names the own account", async () => {
    await settles(async () => {
      await workbench.runCommand("Finality: Create Account on Chain…");
      await choose(page, "From which account?", "Alice");
      await choose(page, "Which address?", NEWCOMER, "This address");
      const creation = await sign("create-account-review", [/Create an account\?/, new RegExp(`Creates: ${NEWCOMER}`)]);
      await workbench.runCommand("Finality: Update Account Name…");
      await choose(page, "From which account?", "Alice");
      await typeAndRead(page, "tea-house", "tea at Alice's", /14 bytes/);
      const naming = await sign("account-name-review", [/Name: tea at Alice's\n+The name is public/]);
      await untilFinal(page, "Create account TWAFRf…qpHp");
      await untilFinal(page, "Name the account tea at Alice's");
      return [creation, naming];
    });

    const { account_name } = await chain.account<{ account_name?: string }>(alice);
    assert.equal(account_name, "tea at Alice's");
    assert.ok(await chain.exists(NEWCOMER));
  });

  it("cancels all unstakes and stakes the coins again", async () => {
    await settles(async () => {
      await workbench.runCommand("Finality: Cancel All Unstakes…");
      await choose(page, "From which account?", "Alice");
      const cost = await sign("cancel-unstakes-review", [/Cancel all unstakes\?/i, /30 coins/]);
      await untilFinal(page, "Cancel all unstakes");
      return [cost];
    });

    const { frozenV2 = [], unfrozenV2 } = await chain.account<Stakes>(alice);
    assert.deepEqual([frozenV2.find(({ type }) => type === "ENERGY")?.amount, unfrozenV2], [50 * COIN, undefined]);
  });

  it("changes the energy share of a contract and clears its ABI, and shows the effect on costs", async () => {
    await settles(async () => {
      await workbench.runCommand("Finality: Set Callers' Share of Energy…");
      await choose(page, "From which account?", "Alice");
      await choose(page, "Which contract?", contract, "This address");
      await typeAndRead(page, "100", "40", /Callers pay: 100 % → 40 % of the energy of a call/);
      const share = await sign("callers-share-review", [/You pay: up to 60 % of it, only from your staked energy/]);
      await workbench.runCommand("Finality: Set Energy Limit of Contract…");
      await choose(page, "From which account?", "Alice");
      await choose(page, "Which contract?", contract, "This address");
      await typeAndRead(page, "10000000", "12345", /→ 12,345 energy for one call/);
      const limit = await sign("energy-limit-review", [/Callers pay the rest/]);
      await workbench.runCommand("Finality: Clear ABI of Contract…");
      await choose(page, "From which account?", "Alice");
      await choose(page, "Which contract?", contract, "This address");
      const abi = await sign("clear-abi-review", [
        /Clear the ABI\?/,
        /the public names of functions and events; the code does not change/,
      ]);
      await untilFinal(page, `Remove the ABI of ${short(contract)}`);
      await untilFinal(page, `Pay up to 12,345 energy for calls of ${short(contract)}`);
      return [share, limit, abi];
    });

    const now = await chain.ask("wallet/getcontract", { value: contract, visible: true });
    assert.deepEqual([now.consume_user_resource_percent, now.origin_energy_limit, now.abi], [40, 12_345, {}]);
  });
});

/** The fee that a review promises, sun. */
function costIn(review: string): number {
  const coins = /\nCosts: ([\d,.]+) /.exec(review)?.[1] ?? "0";
  return Math.round(Number(coins.replaceAll(",", "")) * COIN);
}

function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

interface Stakes {
  readonly frozenV2?: readonly { readonly type?: string; readonly amount?: number }[];
  readonly unfrozenV2?: readonly object[];
}
