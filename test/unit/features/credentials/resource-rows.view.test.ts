import assert from "node:assert/strict";
import type { AccountResources } from "../../../../packages/client/src/gateway/gateway.ts";
import { bar, resourceRows } from "../../../../src/features/credentials/resource-rows.view.ts";
import { accountWith, detailsWith, HEAD_TIME } from "../../../support/tracking/open-account.ts";
import { someone } from "../../../support/tracking/system-facts.ts";

const HOUR = 3_600_000;
const base = someone().resources as AccountResources;

/** 50 coins staked for energy, which gives 500 of 10,000 for 1,000 coins. */
const staker = accountWith({
  ...(someone().account ?? {}),
  recovery: { freeBandwidthUsedAt: HEAD_TIME - 20 * HOUR, bandwidthMs: undefined, energyMs: 5 * HOUR },
});

describe("the rows of resources", () => {
  it("show what is used of what, and when it is back; no picture is read out", () => {
    const resources = { ...base, freeBandwidthUsed: 100n, energyUsed: 160n };
    const [free, energy] = resourceRows(staker, detailsWith({ resources }));

    assert.equal(free?.description, "▰▱▱▱▱▱ 100 of 600 used · back in 4 h");
    assert.equal(free?.spoken, "Free bandwidth, 100 of 600 used, back in 4 h");
    assert.equal(energy?.description, "▰▰▱▱▱▱ 160 of 500 used · back in 5 h");
    assert.equal(energy?.spoken, "Energy, 160 of 500 used, back in 5 h");
  });

  it("say how the limit comes about, and what is left", () => {
    const [, energy] = resourceRows(staker, detailsWith({ resources: { ...base, energyUsed: 160n } }));

    assert.deepEqual(energy?.tooltip, [
      { name: "Used", value: "160, as of the newest block" },
      { name: "Left", value: "340" },
      {
        name: "Limit",
        value: "500 = 50 coins staked or borrowed × 10,000 energy a day of all ÷ 1,000 coins staked by all",
      },
      { name: "Comes back", value: "evenly, each use within 24 hours of chain time" },
    ]);
  });

  it("U19: name the coin of the network", () => {
    const [, energy] = resourceRows(staker, detailsWith({ resources: base }), "TRX");
    const limit = energy?.tooltip.find(({ name }) => name === "Limit")?.value;

    assert.equal(limit, "500 = 50 TRX staked or borrowed × 10,000 energy a day of all ÷ 1,000 TRX staked by all");
  });

  it("say so when a gateway tells a limit that its own figures do not give", () => {
    const [, energy] = resourceRows(staker, detailsWith({ resources: { ...base, energyLimit: 9_999n } }));

    assert.deepEqual(energy?.tooltip.slice(2, 4), [
      { name: "Limit", value: "9,999, as this gateway says" },
      {
        name: "Computed",
        value: "500 = 50 coins staked or borrowed × 10,000 energy a day of all ÷ 1,000 coins staked by all",
      },
    ]);
  });

  it("have one for staked bandwidth where there is some, and say where nothing is staked", () => {
    const rows = (resources: AccountResources) =>
      resourceRows(accountWith(), detailsWith({ resources })).map(({ id, description }) => [id, description]);

    assert.deepEqual(rows({ ...base, energyLimit: 0n }), [
      ["free-bandwidth", "▱▱▱▱▱▱ 0 of 600 used"],
      ["energy", "none, nothing is staked"],
    ]);
    assert.deepEqual(rows({ ...base, stakedBandwidthLimit: 40n, stakedBandwidthUsed: 41n })[1], [
      "bandwidth",
      "▰▰▰▰▰▰ 41 of 40 used · back within 24 h",
    ]);
  });

  it("tell that a gateway tells nothing", () => {
    const [row, ...others] = resourceRows(accountWith(), detailsWith({ resources: undefined }));

    assert.deepEqual([row?.description, others.length], ["not told by this gateway", 0]);
  });

  it("have a bar with a cell for any use, and all cells for all of it alone", () => {
    const cells = (used: bigint) => bar({ limit: 1_000n, used });

    assert.deepEqual(
      [cells(0n), cells(1n), cells(500n), cells(999n), cells(1_000n), cells(2_000n)],
      ["▱▱▱▱▱▱", "▰▱▱▱▱▱", "▰▰▰▱▱▱", "▰▰▰▰▰▱", "▰▰▰▰▰▰", "▰▰▰▰▰▰"],
    );
  });
});
