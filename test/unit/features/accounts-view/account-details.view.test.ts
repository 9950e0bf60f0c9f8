import assert from "node:assert/strict";
import type { AccountResources, Delegation } from "../../../../packages/client/src/gateway/gateway.ts";
import { parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import type { DetailRow } from "../../../../src/features/accounts-view/account.view.ts";
import {
  accountTooltip,
  bar,
  detailRows,
  type OpenAccount,
  resourceRows,
} from "../../../../src/features/accounts-view/account-details.view.ts";
import { accountWith, COIN, DAY, detailsWith, HEAD_TIME, someone } from "../../../support/tracking/system-facts.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const NONE = { BANDWIDTH: sun(0n), ENERGY: sun(0n), TRON_POWER: sun(0n) };
const nameOf: OpenAccount["nameOf"] = (address) => (address === BOB ? "Bob" : undefined);

function rowsOf(open: Partial<OpenAccount> = {}): ReadonlyMap<string, DetailRow> {
  const rows = detailRows({ account: accountWith(), details: detailsWith(), network: "Tea", nameOf, ...open });
  return new Map(rows.map((it) => [it.id, it]));
}

const delegation = (changes: Partial<Delegation> = {}): Delegation => ({
  ...{ from: ALICE, to: BOB, resource: "ENERGY", amount: sun(20n * COIN), lockedUntil: 0 },
  ...changes,
});

describe("detailRows", () => {
  it("returns few rows for an empty account", () => {
    const rows = [...rowsOf().values()].map(({ spoken }) => spoken);

    assert.deepEqual(rows, [
      "Free bandwidth, 0 of 600 used",
      "Energy, none, nothing is staked",
      "Staked, nothing",
      "Votes, 0 votes",
      "Reward, none to withdraw",
    ]);
  });

  it("names the missing path when the gateway reports no account", () => {
    const account = { address: ALICE, balance: sun(5n), missingPath: "/wallet/getaccount" };
    const rows = [...rowsOf({ account }).values()];

    assert.deepEqual(
      rows.map(({ spoken }) => spoken),
      [
        "Free bandwidth, 0 of 600 used",
        "Energy, none, nothing is staked",
        "Stakes, votes and tokens, not reported by this gateway",
      ],
    );
    const [limit] = rows[1]?.tooltip.filter(({ name }) => name === "Limit") ?? [];
    assert.match(limit?.value ?? "", /according to this gateway/);
    assert.deepEqual(rows[2]?.tooltip, [
      { name: "Needed", value: "/wallet/getaccount, which this gateway does not serve" },
      { name: "Reported by", value: "Tea" },
    ]);
  });

  it("shows a loading row until the details arrive", () => {
    const account = accountWith({ votes: [{ witness: BOB, count: 5n }] });
    const rows = detailRows({ account, network: "Tea", nameOf });

    assert.deepEqual(
      rows.map(({ spoken }) => spoken),
      ["Bandwidth and energy, loading…", "Staked, nothing", "Votes, 5 votes"],
    );
  });

  it("sums own and delegated stakes", () => {
    const stakes = { own: { ...NONE, ENERGY: sun(30n * COIN) }, delegated: { ...NONE, ENERGY: sun(20n * COIN) } };
    const account = accountWith({ stakes: { ...stakes, received: NONE, unstaking: [] } });
    const staked = rowsOf({ account }).get("staked");

    assert.equal(staked?.description, "50 coins");
    assert.equal(staked?.tooltip[0]?.value, "30 coins own + 20 coins delegated = 50 coins (50,000,000 sun)");
    assert.deepEqual(
      staked?.children?.map(({ spoken }) => spoken),
      ["For energy, 30 coins"],
    );
  });

  it("lists delegations with the remaining lock time", () => {
    const stakes = {
      own: NONE,
      delegated: { ...NONE, ENERGY: sun(40n * COIN) },
      received: { ...NONE, ENERGY: sun(COIN) },
    };
    const account = accountWith({ stakes: { ...stakes, unstaking: [] } });
    const delegations = [
      delegation(),
      delegation({ lockedUntil: HEAD_TIME + 3 * DAY }),
      delegation({ lockedUntil: HEAD_TIME }),
      delegation({ from: BOB, to: ALICE, resource: "BANDWIDTH", amount: sun(COIN) }),
    ];
    const rows = rowsOf({ account, details: detailsWith({ delegations, unreportedDelegations: 2 }) });

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
    assert.deepEqual(rows.get("out")?.tooltip[1], { name: "Not queried", value: "2 more accounts" });
  });

  it("passes to the menu of each row what its commands need", () => {
    const own = { ...NONE, ENERGY: sun(30n * COIN), TRON_POWER: sun(COIN) };
    const stakes = { own, delegated: { ...NONE, ENERGY: sun(20n * COIN) }, received: NONE };
    const due = { purpose: "ENERGY", amount: sun(COIN), due: HEAD_TIME } as const;
    const account = accountWith({
      ...{ stakes: { ...stakes, unstaking: [due] }, votes: [{ witness: BOB, count: 5n }] },
      trc10: new Map([["1000001", 7n]]),
    });
    const rows = rowsOf({ account, details: detailsWith({ delegations: [delegation()] }) });
    const menus = [...rows.values()].flatMap((it) => [it, ...(it.children ?? [])]);
    const bob = toBase58(BOB);

    assert.deepEqual(
      menus.map(({ id, menu, argument }) => [id, menu, argument]),
      [
        ["free-bandwidth", "resource", { resource: "bandwidth" }],
        ["energy", "resource", { resource: "energy" }],
        ["staked", "staked", undefined],
        ["staked/ENERGY", "stake", { resource: "energy" }],
        ["staked/TRON_POWER", "stake.votes", { resource: "votes" }],
        ["out", "delegated", undefined],
        ["out/0", "delegated.partner", { resource: "energy", to: bob, address: bob }],
        ["unstaking", "unstaking", undefined],
        ["unstaking/0", "unstaking", undefined],
        ["votes", "votes", undefined],
        ["votes/0", "votes.witness", { address: bob }],
        ["reward", "reward", undefined],
        ["tokens", "tokens", undefined],
        ["tokens/1000001", "tokens", { tokenId: "1000001" }],
      ],
    );
  });

  it("shows when each unstaked part can be withdrawn", () => {
    const unstaking = [
      { purpose: "ENERGY", amount: sun(3n * COIN), due: HEAD_TIME },
      { purpose: "BANDWIDTH", amount: sun(5n * COIN), due: HEAD_TIME + 13.2 * DAY },
    ] as const;
    const account = accountWith({ stakes: { own: NONE, delegated: NONE, received: NONE, unstaking } });
    const row = rowsOf({ account }).get("unstaking");

    assert.equal(row?.description, "8 coins · 3 coins can be withdrawn");
    assert.deepEqual(
      row?.children?.map(({ spoken }) => spoken),
      ["3 coins, from energy, can be withdrawn", "5 coins, from bandwidth, available in 14 days"],
    );
    const unknown = rowsOf({ account, details: detailsWith({ headTimestamp: undefined }) }).get("unstaking");
    assert.doesNotMatch(
      unknown?.children?.[0]?.spoken ?? "",
      /withdrawn|available in/,
      "a time without the chain's time",
    );
  });

  it("counts votes, and shows when the reward can be withdrawn", () => {
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
      "1.5 coins to withdraw · can be withdrawn in 1 s",
    );
    const late = accountWith({ votes, rewardWithdrawnAt: HEAD_TIME - DAY });
    assert.equal(rowsOf({ account: late, details }).get("reward")?.description, "1.5 coins to withdraw");
    assert.equal(
      rowsOf({ details: detailsWith({ reward: undefined }) }).get("reward")?.description,
      "not reported by this gateway",
    );
  });

  it("shows TRC-10 tokens by id, with the issuer's name on one line", () => {
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

  it("limits the number of rows", () => {
    const trc10 = new Map(Array.from({ length: 2_000 }, (_, at) => [String(1_000_001 + at), 1n] as const));
    const tokens = rowsOf({ account: accountWith({ trc10 }) }).get("tokens");

    assert.equal(tokens?.children?.length, 51);
    assert.equal(tokens?.children?.at(-1)?.label, "1,950 more");
  });

  it("names the source in every tooltip", () => {
    const rows = [...rowsOf({ account: accountWith({ votes: [{ witness: BOB, count: 1n }] }) }).values()];

    for (const { tooltip } of rows.flatMap((it) => [it, ...(it.children ?? [])]))
      assert.deepEqual(tooltip.at(-1), { name: "Reported by", value: "Tea" });
  });

  it("gives every row a unique id", () => {
    const votes = [BOB, ALICE].map((witness) => ({ witness, count: 1n }));
    const rows = [...rowsOf({ account: accountWith({ votes }) }).values()];
    const ids = rows.flatMap((it) => [it.id, ...(it.children ?? []).map(({ id }) => id)]);

    assert.equal(new Set(ids).size, ids.length);
  });
});

const HOUR = 3_600_000;
const base = someone().resources as AccountResources;

/** 50 coins staked for energy, which gives 500 of 10,000 for 1,000 coins. */
const staker = accountWith({
  ...(someone().account ?? {}),
  recovery: { freeBandwidthUsedAt: HEAD_TIME - 20 * HOUR, bandwidthMs: undefined, energyMs: 5 * HOUR },
});

describe("resourceRows", () => {
  it("shows used and total amounts and the recovery time, without the bar for screen readers", () => {
    const resources = { ...base, freeBandwidthUsed: 100n, energyUsed: 160n };
    const [free, energy] = resourceRows(staker, detailsWith({ resources }));

    assert.equal(free?.description, "▰▱▱▱▱▱ 100 of 600 used · recovers in 4 h");
    assert.equal(free?.spoken, "Free bandwidth, 100 of 600 used, recovers in 4 h");
    assert.equal(energy?.description, "▰▰▱▱▱▱ 160 of 500 used · recovers in 5 h");
    assert.equal(energy?.spoken, "Energy, 160 of 500 used, recovers in 5 h");
  });

  it("explains the limit and the rest in the tooltip", () => {
    const [, energy] = resourceRows(staker, detailsWith({ resources: { ...base, energyUsed: 160n } }));

    assert.deepEqual(energy?.tooltip, [
      { name: "Used", value: "160, as of the newest block" },
      { name: "Left", value: "340" },
      {
        name: "Limit",
        value: "500 = 50 coins staked or delegated × 10,000 energy a day in total ÷ 1,000 coins staked in total",
      },
      { name: "Recovers", value: "evenly, each use within 24 hours of chain time" },
    ]);
  });

  it("U19: uses the coin of the network", () => {
    const [, energy] = resourceRows(staker, detailsWith({ resources: base }), "TRX");
    const limit = energy?.tooltip.find(({ name }) => name === "Limit")?.value;

    assert.equal(limit, "500 = 50 TRX staked or delegated × 10,000 energy a day in total ÷ 1,000 TRX staked in total");
  });

  it("shows a limit of the gateway that differs from the computed one", () => {
    const [, energy] = resourceRows(staker, detailsWith({ resources: { ...base, energyLimit: 9_999n } }));

    assert.deepEqual(energy?.tooltip.slice(2, 4), [
      { name: "Limit", value: "9,999, according to this gateway" },
      {
        name: "Computed",
        value: "500 = 50 coins staked or delegated × 10,000 energy a day in total ÷ 1,000 coins staked in total",
      },
    ]);
  });

  it("shows staked bandwidth only when some is staked, and one row without resources", () => {
    const rows = (resources: AccountResources) =>
      resourceRows(accountWith(), detailsWith({ resources })).map(({ id, description }) => [id, description]);

    assert.deepEqual(rows({ ...base, energyLimit: 0n }), [
      ["free-bandwidth", "▱▱▱▱▱▱ 0 of 600 used"],
      ["energy", "none, nothing is staked"],
    ]);
    assert.deepEqual(rows({ ...base, stakedBandwidthLimit: 40n, stakedBandwidthUsed: 41n })[1], [
      "bandwidth",
      "▰▰▰▰▰▰ 41 of 40 used · recovers within 24 h",
    ]);
    const [row, ...others] = resourceRows(accountWith(), detailsWith({ resources: undefined }));

    assert.deepEqual([row?.description, others.length], ["not reported by this gateway", 0]);
  });

  it("fills one cell for any use, and all cells only for full use", () => {
    const cells = (used: bigint) => bar({ limit: 1_000n, used });

    assert.deepEqual(
      [cells(0n), cells(1n), cells(500n), cells(999n), cells(1_000n), cells(2_000n)],
      ["▱▱▱▱▱▱", "▰▱▱▱▱▱", "▰▰▰▱▱▱", "▰▰▰▰▰▱", "▰▰▰▰▰▰", "▰▰▰▰▰▰"],
    );
  });
});

const address = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const alice = { address, label: "Alice", watchOnly: false };
const known = { kind: "known", account: { address, balance: sun(1_234_500_000n) } } as const;

describe("accountTooltip", () => {
  it("shows both forms of the address, balance and resources", () => {
    const resources = {
      freeBandwidthLimit: 600n,
      freeBandwidthUsed: 268n,
      stakedBandwidthLimit: 0n,
      stakedBandwidthUsed: 0n,
      energyLimit: 12_000n,
      energyUsed: 13_000n,
    };

    assert.deepEqual(accountTooltip(alice, known, resources), [
      { name: "Address", value: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp" },
      { name: "Hex", value: address },
      { name: "Key", value: "asks before each signature" },
      { name: "Balance", value: "1,234.5 coins (1,234,500,000 sun)" },
      { name: "Free bandwidth", value: "332 of 600 left" },
      { name: "Staked bandwidth", value: "none" },
      { name: "Energy", value: "0 of 12,000 left" },
    ]);
  });

  it("explains a missing balance", () => {
    const [, , , balance] = accountTooltip(alice, { kind: "not-activated" }, undefined);

    assert.match(balance?.value ?? "", /first transfer/);
    const unreported = { kind: "known", account: { address, missingPath: "/wallet/getaccount" } } as const;
    const [, , , unknown] = accountTooltip(alice, unreported, undefined);

    assert.match(unknown?.value ?? "", /^unknown: the gateway does not serve \/wallet\/getaccount$/);
  });

  it("shows path, policy and storage of the key", () => {
    const policy = { kind: "retype-above", amount: "1500000" };
    const lines = accountTooltip({ ...alice, path: "m/44'/195'/0'/0/2", policy, sessionOnly: true }, known, undefined);

    assert.deepEqual(lines.slice(2, 5), [
      { name: "Path", value: "m/44'/195'/0'/0/2" },
      { name: "Key", value: "asks before each signature, and twice above 1.5 coins" },
      { name: "Stored", value: "in the memory of this window, for this session only" },
    ]);
  });

  it("shows no key for watch-only and local chain accounts", () => {
    for (const account of [
      { ...alice, watchOnly: true },
      { ...alice, chain: "c4a1" },
    ])
      assert.equal(
        accountTooltip(account, known, undefined).some(({ name }) => name === "Key"),
        false,
      );
  });
});
