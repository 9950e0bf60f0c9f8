import assert from "node:assert/strict";
import { parseSignature } from "../../../../src/core/abi/abi-signature.ts";
import { functionsOf } from "../../../../src/core/abi/contract-functions.ts";
import type { EstimateWords } from "../../../../src/core/estimates/estimate-words.ts";
import { toBase58 } from "../../../../src/core/primitives/address.ts";
import { sun } from "../../../../src/core/primitives/amount.ts";
import {
  argumentLines,
  argumentPrompt,
  type CodeReview,
  checkArgument,
  checkInteger,
  checkSun,
  codeReviewText,
  functionItem,
  plainValue,
  readText,
} from "../../../../src/features/contracts/contracts.view.ts";
import { ALICE, BOB } from "../../../support/tracked.ts";

const [ORDER] = parseSignature("f((string tea, uint256 cups)[] lines)").parameters;
const [WHO] = parseSignature("f(address who)").parameters;
const [SEATS] = parseSignature("f(uint8 seats)").parameters;
const addressOf = (name: string) => (name === "Alice" ? ALICE : undefined);

const WORDS: EstimateWords = {
  ...{ verdict: "fits", headline: "5,589 energy · 1.17 coins", problems: [], notes: ["A note."] },
  figures: [
    { name: "Costs", value: "1.17 coins", source: "" },
    { name: "Energy price", value: "210 sun", source: "" },
  ],
};
const REVIEW: CodeReview = {
  ...{ action: "Call reserve on TeaHouse", network: "Local chain", production: false, words: WORDS },
  ...{ from: { address: ALICE, name: "Alice" }, contract: { address: BOB, name: "TeaHouse" } },
  ...{ details: ["Function: reserve", "  seats: 4"], callValue: sun(0n), feeLimit: sun(1_408_428n) },
  ...{ lifetimeMs: 60_000, matchingFields: 9 },
};

describe("checkArgument", () => {
  const check = (parameter: typeof WHO, text: string) => parameter && checkArgument(parameter, text, addressOf);

  it("says an address in its other form, and takes the name of an account", () => {
    assert.deepEqual(check(WHO, "Alice"), {
      kind: "good",
      value: ALICE,
      message: `TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp = ${ALICE}`,
    });
    assert.deepEqual(check(WHO, ""), { kind: "empty" });
    assert.match(JSON.stringify(check(WHO, "Nobody")), /no account is called/);
  });

  it("says what does not fit while it is typed, and where in a list", () => {
    assert.deepEqual(check(SEATS, "256"), { kind: "wrong", message: "seats: this is too large for uint8." });
    assert.match(JSON.stringify(check(ORDER, '[["Sencha", "two"]]')), /lines\[0\]\.cups: write a whole number/);
    assert.equal(check(ORDER, '[{"tea": "Sencha", "cups": 2}]')?.kind, "good");
    assert.match(JSON.stringify(check(ORDER, '[["Sencha"')), /"wrong"/);
  });

  it("is asked with the name, the type and an example", () => {
    assert.ok(ORDER && WHO);
    assert.deepEqual(argumentPrompt(ORDER, 0).prompt, "lines ((string,uint256)[])");
    assert.match(argumentPrompt(WHO, 0).placeholder, /name of an account/);
  });
});

describe("checkSun and checkInteger", () => {
  it("say an amount in both units, and a fee limit that is too small", () => {
    assert.deepEqual(checkSun("1.5 coins"), { kind: "good", value: 1_500_000n, message: "1.5 coins (1,500,000 sun)" });
    assert.match(
      JSON.stringify({ ...checkSun("5", sun(10n)), value: "" }),
      /too small: 0\.00001 coins \(10 sun\) needed/,
    );
    assert.equal(checkSun("1.5").kind, "wrong");
    assert.equal(checkSun(" ").kind, "empty");
  });

  it("hold a percentage to its bounds", () => {
    assert.deepEqual(
      ["0", "100", "101", "-1", "x", ""].map((text) => checkInteger(text, 0n, 100n).kind),
      ["good", "good", "wrong", "wrong", "wrong", "empty"],
    );
  });
});

describe("codeReviewText", () => {
  it("shows who calls what, with which arguments, for how much", () => {
    const { title, detail, button } = codeReviewText(REVIEW);

    assert.deepEqual([title, button], ["Call reserve on TeaHouse?", "Sign and Send"]);
    assert.deepEqual(detail.split("\n"), [
      "Network: Local chain",
      "From: Alice · TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
      `Contract: TeaHouse · ${toBase58(BOB)}`,
      "Function: reserve",
      "  seats: 4",
      "Fee limit: 1.408428 coins (1,408,428 sun)",
      "Estimate: 5,589 energy · 1.17 coins",
      "Costs: 1.17 coins",
      "A note.",
      "Expires: 60 s after the chain's last block",
      "",
      "The bytes say exactly what you asked: 9 of 9 fields match.",
    ]);
  });

  it("says first what stands in the way, and asks whether to send it all the same", () => {
    const words = {
      ...WORDS,
      verdict: "fails",
      headline: "would REVERT: no",
      problems: ["It says no. Ask again."],
      figures: [],
    } as const;
    const { title, detail, button, safe } = codeReviewText({ ...REVIEW, words });

    assert.equal(title, "Call reserve on TeaHouse although it would fail?");
    assert.match(detail, /^⚠ It says no\. Ask again\.\n\nNetwork/);
    assert.deepEqual([button, safe], ["Sign and Send Anyway", { title: "Do Not Send" }]);
    assert.match(
      codeReviewText({ ...REVIEW, words: { ...words, verdict: "short" } }).title,
      /although it is not covered\?$/,
    );
    assert.match(codeReviewText({ ...REVIEW, words: { ...words, verdict: "unknown" } }).title, /although nobody knows/);
  });

  it("offers the fee limit that fits where that is what is wrong, and nothing where it fits", () => {
    const suggestedFeeLimit = sun(2_000_000n);
    const short = { ...WORDS, verdict: "short", suggestedFeeLimit } as const;
    const safe = (problem: string) => codeReviewText({ ...REVIEW, words: { ...short, problems: [problem] } }).safe;

    assert.deepEqual(safe("fee_limit 1 coin pays for little."), {
      ...{ title: "Set Fee Limit to 2 coins", feeLimit: suggestedFeeLimit },
    });
    assert.deepEqual(safe("The balance lacks 2 coins."), { title: "Do Not Send" });
    assert.equal(codeReviewText(REVIEW).safe, undefined);
  });

  it("names coins that go along, and real money", () => {
    const { detail } = codeReviewText({ ...REVIEW, callValue: sun(6_000_000n), production: true });

    assert.match(detail, /\nSends: 6 coins \(6,000,000 sun\)\n/);
    assert.match(detail, /\(real money\)/);
  });
});

describe("values that a contract gave back", () => {
  it("are JSON without a loss, and one line", () => {
    assert.ok(ORDER && WHO);
    const value = [["Sencha", 2n ** 200n]];

    assert.deepEqual(plainValue(ORDER.type, value), [["Sencha", (2n ** 200n).toString()]]);
    assert.equal(plainValue(WHO.type, ALICE), "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
    assert.equal(readText("Tea.f()", [WHO], [ALICE]), "Tea.f() = who: TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
    assert.equal(readText("Tea.f()", [], []), "Tea.f() = nothing");
    assert.deepEqual(argumentLines([WHO], [ALICE]), ["  who: TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp"]);
  });

  it("of functions in a list, types and what they may do are said", () => {
    const [fn] = functionsOf([
      {
        type: "function",
        name: "cupsOf",
        inputs: [{ name: "guest", type: "address" }],
        outputs: [{ name: "", type: "uint256" }],
        stateMutability: "view",
      },
    ]);
    assert.ok(fn);
    assert.deepEqual(functionItem(fn), {
      label: "$(symbol-method) cupsOf(address guest)",
      description: "view → uint256",
    });
  });
});
