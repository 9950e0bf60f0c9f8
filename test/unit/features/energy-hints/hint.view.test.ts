import assert from "node:assert/strict";
import type { BoundCall } from "../../../../packages/client/src/call-sites/bind-call.ts";
import type { CallSite } from "../../../../packages/client/src/call-sites/call-site.ts";
import type { CallEstimate, EstimatedCall } from "../../../../packages/client/src/estimates/call-estimate.ts";
import type { Shortage } from "../../../../packages/client/src/estimates/costs.ts";
import { markdownText } from "../../../../packages/tron/src/format/markdown.ts";
import type { NameOf } from "../../../../packages/tron/src/format/short.ts";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { type Hex, hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import {
  checkAnswer,
  feeLimitProblem,
  type HintState,
  hintHover,
  hintLine,
  type KnownHint,
  limitLike,
  opensDetails,
  whyNoFigure,
} from "../../../../src/features/energy-hints/hint.view.ts";
import { HOSTILE_TEXTS } from "../../../support/failures/hostile-texts.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const nameOf: NameOf = (address) => (address === ALICE ? "Alice" : undefined);
const words = { abi: undefined, marginPercent: 20n, nameOf };
const limitRange = { start: 40, end: 49 };

function bound(feeLimit: bigint, change: { reads?: boolean; isReal?: boolean } = {}): BoundCall {
  const called = { name: foreignText("transfer"), signature: "transfer()", parameters: [], outputs: [] };
  const contract = {
    name: "Leaf",
    origin: "",
    address: BOB,
    addressSource: "",
    functions: [],
    abi: [],
    bytecode: undefined,
  };
  return {
    kind: "bound",
    intent: {
      kind: "contract-call",
      owner: ALICE,
      contract: BOB,
      data: "" as Hex,
      callValue: sun(0n),
      feeLimit: sun(feeLimit),
    },
    contract: { ...contract, creation: { ...called, mutability: "nonpayable" } },
    called: { ...called, mutability: change.reads === true ? "view" : "nonpayable" },
    arguments: ["Carol", 5n],
    limit: { feeLimit: sun(feeLimit), isReal: change.isReal ?? true, range: limitRange },
    assumptions: ["Leaf is at T…: it was deployed from here."],
  };
}

function estimated(shortages: readonly Shortage[] = [], change: Partial<EstimatedCall> = {}): EstimatedCall {
  return {
    kind: "estimated",
    energy: 64_895n,
    penalty: 14_245n,
    sufficient: 65_000n,
    accuracy: "exact",
    limitEffect: "none",
    price: 420n,
    isUpperBound: false,
    isYoung: false,
    returned: hex(""),
    height: 1_204,
    cost: {
      ownerEnergy: 0n,
      stakedEnergy: 0n,
      burnedEnergy: 64_895n,
      energyFee: sun(27_255_900n),
      bandwidth: { kind: "burned-bandwidth", bytes: 345n, amount: sun(0n) },
      multiSignFee: sun(0n),
      memoFee: sun(0n),
      fee: sun(27_255_900n),
      neededFeeLimit: sun(27_255_900n),
      shortages,
      requiredEnergy: 64_895n,
      energyLimit: 100_000n,
      highestFee: sun(27_255_900n),
    },
    ...change,
  };
}

function known(estimate: CallEstimate, change: Partial<KnownHint> = {}): KnownHint {
  return {
    kind: "known",
    bound: bound(18_000_000n),
    estimate,
    ageInBlocks: 0,
    isOld: false,
    change: undefined,
    ...change,
  };
}

const tooSmall: Shortage = { kind: "fee-limit", needed: sun(27_255_900n), covers: 42_857n };
const textOf = (state: HintState): string => hintLine(state, words).text;

describe("hintLine", () => {
  it("returns a text for every state", () => {
    const reason = '"Laef" is neither a contract name';

    assert.equal(textOf({ kind: "idle" }), "Estimate energy");
    assert.equal(textOf({ kind: "asking" }), "estimating…");
    assert.equal(textOf({ kind: "unbound", reason }), `not available: ${reason}`);
    assert.equal(textOf(known(estimated())), "64,895 energy · 27.2559 coins");
    assert.equal(textOf(known(estimated(), { isOld: true })), "64,895 energy · 27.2559 coins");
    const data = { kind: "reverted", data: hex(""), height: 1 } as const;
    assert.match(textOf(known(data)), /^would REVERT/);
    assert.equal(textOf(known(data, { isOld: true })), textOf(known(data)));
  });

  it("marks an outdated estimate by its icon, and a click requests it again", () => {
    const { icon, tooltip } = hintLine(known(estimated(), { isOld: true }), words);

    assert.equal(icon, "refresh");
    assert.match(tooltip, /^This estimate is older than 20 blocks\. Click to try again\.$/);
    assert.equal(opensDetails(known(estimated(), { isOld: true })), false);
  });

  it("U12: a click on a figure or a failure shows its details, and on anything else requests an estimate", () => {
    const failed = known({ kind: "reverted", data: hex(""), height: 1 });
    const unavailable = known({ kind: "unavailable", reason: foreignText("no answer"), error: undefined } as never);

    assert.match(hintLine(known(estimated()), words).tooltip, /Click to show the details\.$/);
    assert.deepEqual([known(estimated()), failed].map(opensDetails), [true, true]);
    const others: readonly HintState[] = [{ kind: "idle" }, { kind: "asking" }, { kind: "unbound", reason: "" }];
    assert.deepEqual([...others, unavailable].map(opensDetails), [false, false, false, false]);
  });

  it("compares the estimate with the fee_limit", () => {
    const line = hintLine(known(estimated([tooSmall])), words);

    assert.equal(line.text, "64,895 energy · 27.2559 coins · fee_limit 18 coins covers 42,857 (66 %)");
    assert.deepEqual([line.icon, line.brief], ["warning", "64,895 energy · fee_limit covers 66 %"]);
    assert.equal(hintLine(known(estimated()), words).icon, "check");
  });

  it("shows a change, an upper bound and a free read", () => {
    const since = "finality.energy.json of the last commit";

    assert.match(textOf(known(estimated(), { change: { energy: 1_204n, since } })), / · \+1,204$/);
    assert.match(textOf(known(estimated(), { change: { energy: -5n, since } })), / · −5$/);
    assert.equal(textOf(known(estimated(), { change: { energy: 0n, since } })), textOf(known(estimated())));
    assert.match(textOf(known(estimated([], { isUpperBound: true }))), /at most 27\.2559 coins/);
    assert.equal(textOf(known(estimated(), { bound: bound(1n, { reads: true }) })), "64,895 energy · free to read");
  });

  it("replaces addresses by names, and stays on one line", () => {
    const revert = (message: string): HintState => {
      const text = Buffer.from(message, "utf8").toString("hex");
      const length = (text.length / 2).toString(16).padStart(64, "0");
      const padded = text.padEnd(Math.ceil(text.length / 64) * 64, "0");
      return known({ kind: "reverted", data: hex(`08c379a0${"20".padStart(64, "0")}${length}${padded}`), height: 1 });
    };

    assert.equal(textOf(revert(`not ${toBase58(ALICE)}`)), "would REVERT: not Alice");
    for (const text of Object.values(HOSTILE_TEXTS))
      assert.ok(textOf(revert(text)).length <= 120 && !/[\r\n]/.test(textOf(revert(text))));
  });
});

describe("whyNoFigure", () => {
  it("returns the whole reason with the next step", () => {
    const reason = `no contract is called "${"Leaf".repeat(40)}"`;
    const data = { kind: "reverted", data: hex(""), height: 1 } as const;

    assert.equal(whyNoFigure({ kind: "unbound", reason }, words), `not available: ${reason}.`);
    assert.match(whyNoFigure(known(data), words) ?? "", /^would REVERT.*\. \S/);
    assert.equal(whyNoFigure(known(estimated([tooSmall])), words), undefined);
  });
});

describe("hintHover", () => {
  it("lists every figure with its source, and none for a revert", () => {
    const change = { energy: 1_204n, since: "finality.energy.json" };
    const hover = hintHover(known(estimated([tooSmall]), { change, ageInBlocks: 3 }), words);

    assert.equal(hover?.title, "Leaf.transfer(Carol, 5): 64,895 energy · 27.2559 coins · fee_limit too small");
    const rows = new Map(hover?.rows.map(({ name, value, source }) => [name, `${value}, ${source}`]));
    assert.equal(rows.get("Energy"), "64,895, triggerconstantcontract, block 1,204");
    assert.equal(rows.get("Including penalty"), "14,245, energy_penalty");
    assert.equal(rows.get("Change"), "+1,204, finality.energy.json");
    assert.match(rows.get("Requested") ?? "", /^about 3 blocks ago/);
    assert.deepEqual(hover?.assumptions, ["Leaf is at T…: it was deployed from here."]);
    assert.equal(hintHover({ kind: "idle" }, words), undefined);
    assert.deepEqual(hintHover(known({ kind: "reverted", data: hex(""), height: 1 }), words)?.rows.length, 1);
  });

  it("shows hidden characters of a revert reason in line, tooltip and hover", () => {
    const selector = "08c379a0";
    const reason = Buffer.from("\u202Egnp.exe \u001b[31mred", "utf8").toString("hex");
    const length = (reason.length / 2).toString(16).padStart(64, "0");
    const data = hex(`${selector}${"20".padStart(64, "0")}${length}${reason.padEnd(64, "0")}`);
    const state = known({ kind: "reverted", data, height: 1 });
    const { text, tooltip } = hintLine(state, words);
    const shown = [text, tooltip, markdownText(hintHover(state, words)?.title ?? "")];

    assert.match(text, /⟨U\+202E⟩gnp\.exe/);
    for (const one of shown) assert.doesNotMatch(one, /[^\P{Cc}\n]|\p{Cf}/u);
  });

  it("escapes markup, links and icons", () => {
    for (const text of Object.values(HOSTILE_TEXTS)) {
      const left = markdownText(text)
        .replaceAll(/\\[!-/:-@[-`{-~]/g, "")
        .replaceAll("&#36;", "");
      assert.doesNotMatch(left, /\p{Cf}/u);
      assert.doesNotMatch(left, /[!-/:-@[-`{-~]|\n/, text);
    }
    assert.equal(markdownText("$(zap) [x](command:y)\n<b>"), "&#36;\\(zap\\) \\[x\\]\\(command\\:y\\) \\<b\\>");
  });
});

describe("hintLine of a call that depends on its fee limit", () => {
  const possible = { limitEffect: "possible" } as const;
  const line = (estimate: EstimatedCall, change: Partial<KnownHint> = {}) => hintLine(known(estimate, change), words);

  it("N4: shows the estimate without a check mark, with the reason in the tooltip", () => {
    const { icon, text, tooltip } = line(estimated([], possible), { bound: bound(90_000_000n) });

    assert.deepEqual([icon, text], ["info", "64,895 energy · 27.2559 coins"]);
    assert.match(tooltip, /no fee_limit is certain to be enough/);
    assert.equal(line(estimated([]), { bound: bound(90_000_000n) }).icon, "check");
    assert.equal(line(estimated([], possible), { bound: bound(90_000_000n, { isReal: false }) }).icon, "check");
    assert.equal(line(estimated([], possible), { bound: bound(90_000_000n, { reads: true }) }).icon, "check");
  });

  it("N4: shows that a smaller limit may be too small", () => {
    const { icon, text } = line(estimated([tooSmall], possible));

    assert.deepEqual(
      [icon, text],
      ["warning", "64,895 energy · 27.2559 coins · fee_limit 18 coins may be too small (66 %)"],
    );
  });

  it("N4: shows that the estimate depends on the limit, and its accuracy", () => {
    const seen = (accuracy: EstimatedCall["accuracy"]) =>
      line(estimated([], { limitEffect: "seen", accuracy }), { bound: bound(90_000_000n) });

    assert.equal(seen("measured").text, "about 64,895 energy · about 27.2559 coins · depends on the fee limit");
    assert.equal(seen("at-most").text, "up to 64,895 energy · at most 27.2559 coins · depends on the fee limit");
    assert.equal(seen("measured").icon, "info");
  });
});

describe("hint amounts", () => {
  const shortages: readonly Shortage[] = [
    tooSmall,
    { kind: "balance", missing: sun(3_000_000n), covers: 42_857n },
    { kind: "fee-limit-above-maximum", maximum: sun(15_000_000_000n) },
  ];

  it("U19: use the coin of the network in lenses, hovers and warnings", () => {
    for (const shortage of shortages) {
      const state = known(estimated([shortage]), { symbol: "TRX" });
      const problem = feeLimitProblem({ range: limitRange } as CallSite, state, 20n)?.message ?? "";
      const shown = JSON.stringify([hintLine(state, words).text, hintHover(state, words)?.rows, problem]);

      assert.match(shown, /27\.2559 TRX/);
      assert.doesNotMatch(shown, /\d coins?\b/);
    }
  });
});

describe("feeLimitProblem", () => {
  const callSite = { range: { start: 0, end: 60 } } as CallSite;

  it("U19: shows the limit in the unit of the code and in coins", () => {
    const tooLarge = { kind: "fee-limit-above-maximum", maximum: sun(15_000_000_000n) } as const;

    assert.match(
      feeLimitProblem(callSite, known(estimated([tooSmall])), 20n)?.message ?? "",
      /^fee_limit 18000000 sun \(18 coins\) is too small: /,
    );
    assert.match(
      feeLimitProblem(callSite, known(estimated([tooLarge])), 20n)?.message ?? "",
      /^fee_limit 18000000 sun \(18 coins\) is above 15000000000 sun \(15,000 coins\), the maximum/,
    );
  });

  it("is at the limit, and suggests a sufficient one", () => {
    const problem = feeLimitProblem(callSite, known(estimated([tooSmall])), 20n);

    assert.deepEqual([problem?.range, problem?.suggested, problem?.isWritten], [limitRange, 32_707_080n, true]);
    assert.match(
      problem?.message ?? "",
      /^fee_limit 18000000 sun \(18 coins\) is too small: .* after 42,857 of about 64,895 energy\. Staked energy/,
    );
    assert.equal(feeLimitProblem(callSite, known(estimated()), 20n), undefined);
    assert.equal(feeLimitProblem(callSite, { kind: "idle" }, 20n), undefined);
  });

  it("N4: is a note without a fix when the limit is uncertain", () => {
    const possible = feeLimitProblem(callSite, known(estimated([tooSmall], { limitEffect: "possible" })), 20n);
    const { cost } = estimated([tooSmall]);
    const burning = { limitEffect: "seen", cost: { ...cost, requiredEnergy: 70_000_000n } } as const;

    assert.match(
      possible?.message ?? "",
      /^fee_limit 18000000 sun \(18 coins\) may be too small: it pays for 42,857 of about 64,895 energy/,
    );
    assert.deepEqual([possible?.isCertain, possible?.isWritten], [false, true]);
    assert.equal(feeLimitProblem(callSite, known(estimated([tooSmall])), 20n)?.isCertain, true);
    assert.equal(feeLimitProblem(callSite, known(estimated([tooSmall], burning)), 20n)?.isWritten, false);
  });

  it("limitLike keeps the format of the literal", () => {
    const limit = sun(32_707_080n);

    assert.equal(limitLike("18000000", limit), "32707080");
    assert.equal(limitLike("18_000_000", limit), "32_707_080");
    assert.equal(limitLike("18_000_000n", limit), "32_707_080n");
    assert.equal(limitLike('"18000000"', limit), '"32707080"');
    assert.equal(limitLike("LIMIT", limit), "32707080");
  });
});

const argument = (type: string, text: string) =>
  checkAnswer({ kind: "argument", key: "argument A.f 0", question: "f: a", type }, text);
const amount = (name: string, text: string) =>
  checkAnswer({ kind: "amount", key: `amount ${name} LIMIT`, question: `${name} in sun` }, text);

describe("checkAnswer", () => {
  it("validates an argument by its type", () => {
    assert.deepEqual(argument("uint256", "1,000"), {});
    assert.deepEqual(argument("uint256", "many"), { fault: "Write a whole number, such as 1000000 or 0x2a." });
    assert.deepEqual(argument("uint8", "256"), { fault: "This is too large for uint8." });
    assert.deepEqual(argument("(string,uint256)[]", '[["Sencha", 2]]'), {});
    assert.deepEqual(argument("(string,uint256)[]", '[{ "name": "Sencha", "cups": 2 }]'), {});
    assert.match(argument("(string,uint256)[]", "Sencha").fault ?? "", /^Write a list as JSON/);
    assert.match(argument("(string,uint256)[]", '[["Sencha", "two"]]').fault ?? "", /write a whole number/);
    assert.deepEqual(argument("address", "Bob"), {});
    assert.deepEqual(argument("address[]", '["Bob"]'), {});
  });

  it("interprets amounts, and rejects malformed ones", () => {
    assert.deepEqual(amount("feeLimit", "15 coins"), { understood: "15,000,000 sun, 15 coins" });
    assert.deepEqual(amount("tokenValue", "15"), {});
    assert.match(amount("callValue", "1,5 coins").fault ?? "", /write a plain number such as 1\.5/);
    assert.match(amount("feeLimit", "-1").fault ?? "", /write sun as a whole number, or coins such as 1\.5 coins/);
  });
});
