import assert from "node:assert/strict";
import type { EnergyProfile } from "@finality/client/traces";
import {
  changeLabels,
  comparedText,
  energyLabels,
  shownText,
} from "../../../../src/features/traces/line-energy.view.ts";

const line = (number: number, energy: number, count = 1) => ({ file: "Leaf.sol", line: number, energy, count });
const profile: EnergyProfile = {
  ...{ total: 100_000, unknown: 600, functions: new Map() },
  lines: [line(4, 900), line(5, 1_000, 1_200), line(6, 5_000), line(7, 92_500)],
};

describe("labels of energy per line", () => {
  it("have energy, count and share, and a bar that is as wide as the share", () => {
    assert.deepEqual(
      energyLabels(profile).map(({ text, level }) => `${level} ${text}`),
      [
        "0 900 energy · 1 × · 0.9 %",
        "1 1,000 energy · 1,200 × · 1.0 %",
        "2 5,000 energy · 1 × · 5.0 %",
        "3 92,500 energy · 1 × · 92.5 %",
      ],
    );
    assert.equal(shownText(profile), "100,000 energy in 4 lines. 600 energy has no line.");
  });

  it("have the difference of lines whose energy changed", () => {
    const changes = [
      { after: line(4, 900), before: 900 },
      { after: line(5, 22_100), before: 5_000 },
      { after: line(6, 100), before: 300 },
      { after: line(7, 50), before: undefined },
    ];
    const labels = changeLabels(changes, 100_000);
    assert.deepEqual(
      labels.map(({ line: number, text, level }) => `${number} ${level} ${text}`),
      ["5 2 +17,100 energy · 5,000 → 22,100", "6 0 -200 energy · 300 → 100", "7 0 +50 energy · did not run before"],
    );
    assert.equal(
      comparedText({ ...profile, total: 90_000 }, profile, labels.length),
      "90,000 → 100,000 energy, 3 changed lines.",
    );
  });
});
