import assert from "node:assert/strict";
import type { Delegation } from "../../../../packages/client/src/gateway/gateway.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import type { DetailRow } from "../../../../src/features/credentials/detail-row.view.ts";
import { detailRows, type OpenAccount } from "../../../../src/features/credentials/detail-rows.view.ts";
import { accountWith, detailsWith, HEAD_TIME } from "../../../support/tracking/open-account.ts";
import { COIN, DAY } from "../../../support/tracking/system-facts.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const NONE = { BANDWIDTH: sun(0n), ENERGY: sun(0n), TRON_POWER: sun(0n) };
const nameOf: OpenAccount["nameOf"] = (address) => (address === BOB ? "Bob" : undefined);

function rowsOf(open: Partial<OpenAccount> = {}): ReadonlyMap<string, DetailRow> {
  const rows = detailRows({ account: accountWith(), details: detailsWith(), network: "Tea", nameOf, ...open });
  return new Map(rows.map((it) => [it.id, it]));
}

const loan = (changes: Partial<Delegation> = {}): Delegation => ({
  ...{ from: ALICE, to: BOB, resource: "ENERGY", amount: sun(20n * COIN), lockedUntil: 0 },
  ...changes,
});

describe("the rows below an account", () => {
  it("are few where there is nothing, and say that there is nothing", () => {
    const rows = [...rowsOf().values()].map(({ spoken }) => spoken);

    assert.deepEqual(rows, [
      "Free bandwidth, 0 of 600 used",
      "Energy, none, nothing is staked",
      "Staked, nothing",
      "Votes, 0 votes",
      "Reward, none waiting",
    ]);
  });

  it("claim nothing of what the gateway does not tell, and name the path that would", () => {
    const account = { address: ALICE, balance: sun(5n), untold: "/wallet/getaccount" };
    const rows = [...rowsOf({ account }).values()];

    assert.deepEqual(
      rows.map(({ spoken }) => spoken),
      [
        "Free bandwidth, 0 of 600 used",
        "Energy, none, nothing is staked",
        "Stakes, votes and tokens, not told by this gateway",
      ],
    );
    const [limit] = rows[1]?.tooltip.filter(({ name }) => name === "Limit") ?? [];
    assert.match(limit?.value ?? "", /as this gateway says/);
    assert.deepEqual(rows[2]?.tooltip, [
      { name: "Needed", value: "/wallet/getaccount, which this gateway does not serve" },
      { name: "As told by", value: "Tea" },
    ]);
  });

  it("say that something is being read while it is, and show what is known of the account itself", () => {
    const account = accountWith({ votes: [{ witness: BOB, count: 5n }] });
    const rows = detailRows({ account, network: "Tea", nameOf });

    assert.deepEqual(
      rows.map(({ spoken }) => spoken),
      ["Bandwidth and energy, reading…", "Staked, nothing", "Votes, 5 votes"],
    );
  });

  it("sum what is staked, here and lent", () => {
    const stakes = { own: { ...NONE, ENERGY: sun(30n * COIN) }, delegated: { ...NONE, ENERGY: sun(20n * COIN) } };
    const account = accountWith({ stakes: { ...stakes, received: NONE, unstaking: [] } });
    const staked = rowsOf({ account }).get("staked");

    assert.equal(staked?.description, "50 coins");
    assert.equal(staked?.tooltip[0]?.value, "30 coins used here + 20 coins lent = 50 coins (50,000,000 sun)");
    assert.deepEqual(
      staked?.children?.map(({ spoken }) => spoken),
      ["For energy, 30 coins"],
    );
  });

  it("name those it lends to and borrows from, and until when it is locked by the chain's time", () => {
    const stakes = {
      own: NONE,
      delegated: { ...NONE, ENERGY: sun(40n * COIN) },
      received: { ...NONE, ENERGY: sun(COIN) },
    };
    const account = accountWith({ stakes: { ...stakes, unstaking: [] } });
    const loans = [
      loan(),
      loan({ lockedUntil: HEAD_TIME + 3 * DAY }),
      loan({ lockedUntil: HEAD_TIME }),
      loan({ from: BOB, to: ALICE, resource: "BANDWIDTH", amount: sun(COIN) }),
    ];
    const rows = rowsOf({ account, details: detailsWith({ loans, untoldLoans: 2 }) });

    assert.deepEqual(
      rows.get("out")?.children?.map(({ spoken }) => spoken),
      [
        "To Bob, 20 coins as energy, not locked",
        "To Bob, 20 coins as energy, locked for 3 days",
        "To Bob, 20 coins as energy, not locked",
      ],
    );
    assert.deepEqual(
      rows.get("in")?.children?.map(({ spoken }) => spoken),
      ["From Bob, 1 coin as bandwidth, not locked"],
    );
    assert.deepEqual(rows.get("out")?.tooltip[1], { name: "Not asked for", value: "2 more accounts" });
  });

  it("say when each part comes back by the chain's time, and what can be withdrawn", () => {
    const unstaking = [
      { purpose: "ENERGY", amount: sun(3n * COIN), due: HEAD_TIME },
      { purpose: "BANDWIDTH", amount: sun(5n * COIN), due: HEAD_TIME + 13.2 * DAY },
    ] as const;
    const account = accountWith({ stakes: { own: NONE, delegated: NONE, received: NONE, unstaking } });
    const row = rowsOf({ account }).get("unstaking");

    assert.equal(row?.description, "8 coins · 3 coins can be withdrawn");
    assert.deepEqual(
      row?.children?.map(({ spoken }) => spoken),
      ["3 coins, from energy, can be withdrawn", "5 coins, from bandwidth, free in 14 days"],
    );
    const blind = rowsOf({ account, details: detailsWith({ headTimestamp: undefined }) }).get("unstaking");
    assert.doesNotMatch(blind?.children?.[0]?.spoken ?? "", /withdrawn|free in/, "no time without the chain's");
  });

  it("count votes, and say when a reward can be withdrawn", () => {
    const { resources } = detailsWith();
    const details = detailsWith({
      reward: sun(1_500_000n),
      resources: resources && { ...resources, votingPower: 50n },
    });
    const votes = [{ witness: BOB, count: 30n }];
    const early = accountWith({ votes, rewardWithdrawnAt: HEAD_TIME - DAY + 1 });

    assert.equal(rowsOf({ account: early, details }).get("votes")?.description, "30 of 50 votes used");
    assert.equal(rowsOf({ account: early, details }).get("votes")?.children?.[0]?.spoken, "Bob, 30 votes");
    assert.equal(
      rowsOf({ account: early, details }).get("reward")?.description,
      "1.5 coins waiting · can be withdrawn in 1 s",
    );
    const late = accountWith({ votes, rewardWithdrawnAt: HEAD_TIME - DAY });
    assert.equal(rowsOf({ account: late, details }).get("reward")?.description, "1.5 coins waiting");
    assert.equal(
      rowsOf({ details: detailsWith({ reward: undefined }) }).get("reward")?.description,
      "not told by this gateway",
    );
  });

  it("show tokens by number and units, and what their issuers call them as a claim in one line", () => {
    const name = foreignText("Tea” [x](command:y)\n$(check)");
    const token = { id: "1000001", name, symbol: foreignText("TEA"), decimals: 2, issuer: BOB };
    const trc10 = new Map([
      ["1000001", 1_234n],
      ["1000002", 1n],
      ["1000003", 0n],
    ]);
    const details = detailsWith({ tokens: new Map([["1000001", token]]) });
    const row = rowsOf({ account: accountWith({ trc10 }), details }).get("tokens");

    assert.equal(row?.description, "2");
    assert.match(row?.children?.[0]?.description ?? "", /^1,234 units · calls itself “[^”\n]*”$/);
    assert.equal(row?.children?.[0]?.tooltip[1]?.value, "12.34 TEA");
    assert.equal(row?.children?.[1]?.spoken, "Token 1000002, 1 unit");
  });

  it("are limited, whatever a gateway tells", () => {
    const trc10 = new Map(Array.from({ length: 2_000 }, (_, at) => [String(1_000_001 + at), 1n] as const));
    const tokens = rowsOf({ account: accountWith({ trc10 }) }).get("tokens");

    assert.equal(tokens?.children?.length, 51);
    assert.equal(tokens?.children?.at(-1)?.label, "1,950 more");
  });

  it("say of everything who says so", () => {
    const rows = [...rowsOf({ account: accountWith({ votes: [{ witness: BOB, count: 1n }] }) }).values()];

    for (const { tooltip } of rows.flatMap((it) => [it, ...(it.children ?? [])]))
      assert.deepEqual(tooltip.at(-1), { name: "As told by", value: "Tea" });
  });

  it("have names of their own, so that the editor tells them apart", () => {
    const votes = [BOB, ALICE].map((witness) => ({ witness, count: 1n }));
    const rows = [...rowsOf({ account: accountWith({ votes }) }).values()];
    const ids = rows.flatMap((it) => [it.id, ...(it.children ?? []).map(({ id }) => id)]);

    assert.equal(new Set(ids).size, ids.length);
  });
});
