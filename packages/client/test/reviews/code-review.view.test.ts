import assert from "node:assert/strict";
import { ALICE, BOB, ownKeySigns } from "../../../../test/support/tracking/tracked.ts";
import { parseSignature } from "../../../tron/src/abi/abi-signature.ts";
import { functionsOf } from "../../../tron/src/abi/contract-functions.ts";
import { toBase58 } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import type { EstimateLabels } from "../../src/labels/estimates.ts";
import type { Expiry } from "../../src/labels/reviews.ts";
import { quoted } from "../../src/labels/reviews.ts";
import { argumentLines, type CodeReview, codeReviewText, tokenLines } from "../../src/reviews/code-review.view.ts";

const TEXTS: EstimateLabels = {
  verdict: "fits",
  headline: "5,589 energy · 1.17 coins",
  problems: [],
  notes: ["A note."],
  figures: [
    { name: "Costs", value: "1.17 coins", source: "" },
    { name: "Energy price", value: "210 sun", source: "" },
  ],
};
const EXPIRY: Expiry = {
  lifetimeMs: 60_000,
  expiration: 1_000_060_000,
  now: 1_000_000_000,
  isLocalChain: false,
  timeOf: (ms) => new Date(ms).toISOString(),
};
const REVIEW: CodeReview = {
  action: "Call “reserve” on “TeaHouse”",
  network: { name: "Local chain", production: false },
  words: TEXTS,
  from: { address: ALICE, name: "Alice" },
  signing: ownKeySigns({ owner: ALICE }),
  contract: { address: BOB, claim: foreignText("TeaHouse") },
  doubts: [],
  money: [],
  details: ["Function: “reserve”", "  “seats”: 4"],
  callValue: sun(0n),
  feeLimit: sun(1_408_428n),
  expiry: EXPIRY,
  matchingFields: 9,
};
const DAY = 86_400_000;

describe("codeReviewText", () => {
  it("U19: shows every amount in the coin of the network", () => {
    const short: EstimateLabels = {
      ...TEXTS,
      verdict: "short",
      problems: ["fee_limit is too small."],
      suggestedFeeLimit: sun(2_000_000n),
    };
    const { detail, safe } = codeReviewText({ ...REVIEW, words: short, callValue: sun(6_000_000n), symbol: "TRX" });

    assert.match(detail, /^Sends: 6 TRX \(6,000,000 sun\)$/m);
    assert.match(detail, /^Fee limit: 1\.408428 TRX \(1,408,428 sun\)$/m);
    assert.equal(safe?.title, "Set Fee Limit to 2 TRX");
  });

  it("shows sent amounts and the contract first, then its claims", () => {
    const { title, detail, button } = codeReviewText({ ...REVIEW, callValue: sun(6_000_000n) });

    assert.deepEqual([title, button], ["Call “reserve” on “TeaHouse”?", "Sign and Send"]);
    assert.deepEqual(detail.split("\n"), [
      "Network: Local chain",
      "Sends: 6 coins (6,000,000 sun)",
      "Fee limit: 1.408428 coins (1,408,428 sun)",
      `Contract: ${toBase58(BOB)}, calls itself “TeaHouse”`,
      "From: Alice · TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
      "",
      "Function: “reserve”",
      "  “seats”: 4",
      "Estimate: 5,589 energy · 1.17 coins",
      "Costs: 1.17 coins",
      "Note: A note.",
      "Expires: 60 s after the chain's last block",
      "",
      "Verified: 9 of 9 fields match your request.",
    ]);
  });

  it("shows the name that the user knows, and a claim only if it differs", () => {
    const lineOf = (name: string, claim: string) =>
      codeReviewText({ ...REVIEW, contract: { address: BOB, name, claim: foreignText(claim) } }).detail.split("\n")[3];

    assert.equal(lineOf("TeaHouse", "TeaHouse"), `Contract: TeaHouse · ${toBase58(BOB)}`);
    assert.equal(lineOf("My shop", "TeaHouse"), `Contract: My shop · ${toBase58(BOB)}, calls itself “TeaHouse”`);
    assert.equal(lineOf("My shop", ""), `Contract: My shop · ${toBase58(BOB)}`);
  });

  it("shows the energy that a stake or the contract's owner pays", () => {
    const paid = [
      { name: "paid by the contract's owner", value: "589", source: "getcontractinfo" },
      { name: "paid by staked energy", value: "5,000", source: "getaccountresource" },
    ];
    const { detail } = codeReviewText({ ...REVIEW, words: { ...TEXTS, figures: [...paid, ...TEXTS.figures] } });

    assert.match(detail, /\nPaid by the contract's owner: 589\nPaid by staked energy: 5,000\n.*Costs: 1\.17 coins/s);
  });

  it("shows the problems, and asks whether to send anyway", () => {
    const problems = ["It says no. Ask again."];
    const words = { ...TEXTS, verdict: "fails", headline: "would REVERT: no", problems, figures: [] } as const;
    const { title, detail, button, safe } = codeReviewText({ ...REVIEW, words });

    assert.equal(title, "Call “reserve” on “TeaHouse” although it would fail?");
    assert.match(
      detail,
      /^Network: .*\nSends: no coins\nFee limit: .*\nContract: .*\nFrom: .*\n\n⚠ Estimate: would REVERT: no\.\n\n⚠ It says no\. Ask again\.\n\nFunction/,
    );
    assert.equal(detail.split("would REVERT").length, 2, "U6: shown more than once");
    assert.deepEqual([button, safe], ["Sign and Send Anyway", { title: "Do Not Send" }]);
    assert.match(
      codeReviewText({ ...REVIEW, words: { ...words, verdict: "short" } }).title,
      /although its costs are not covered\?$/,
    );
    assert.match(
      codeReviewText({ ...REVIEW, words: { ...words, verdict: "unknown" } }).title,
      /although its effect is unknown/,
    );
  });

  it("shows a warning after the amounts when the simulation succeeds", () => {
    const { title, detail } = codeReviewText({ ...REVIEW, doubts: ["This allows Bob to take everything."] });

    assert.match(title, /^Call “reserve” on “TeaHouse”\?$/);
    assert.match(detail, /\nFrom: .*\n\n⚠ This allows Bob to take everything\.\n\nFunction/);
  });

  it("suggests a fee limit only when the fee limit is the problem", () => {
    const suggestedFeeLimit = sun(2_000_000n);
    const short = { ...TEXTS, verdict: "short", suggestedFeeLimit } as const;
    const safe = (problem: string) => codeReviewText({ ...REVIEW, words: { ...short, problems: [problem] } }).safe;

    assert.deepEqual(safe("fee_limit 1 coin pays for little."), {
      title: "Set Fee Limit to 2 coins",
      feeLimit: suggestedFeeLimit,
    });
    assert.deepEqual(safe("The balance lacks 2 coins."), { title: "Do Not Send" });
    assert.equal(codeReviewText(REVIEW).safe, undefined);
  });

  it("shows real money and sent tokens with the amounts", () => {
    const money = tokenLines(1_000_001n, 5_000n);
    const { detail } = codeReviewText({ ...REVIEW, money, network: { name: "Mainnet", production: true } });

    assert.match(
      detail,
      /^Network: Mainnet \(real money\)\nSends: no coins\nAlso sends: 5,000 units of the token 1000001\nFee limit: /,
    );
    assert.deepEqual(tokenLines(1_000_001n, undefined), []);
  });

  it("names the value that depends on the gateway", () => {
    const { detail } = codeReviewText({ ...REVIEW, onTrust: "the token has 6 decimals" });

    assert.doesNotMatch(detail, /exactly/);
    assert.match(detail, /9 of 9 fields match your request if the token has 6 decimals, according to this gateway\.$/);
  });

  it("M5: warns about a head far from the local clock, with the absolute expiration", () => {
    const ahead = { ...EXPIRY, expiration: EXPIRY.expiration + 2 * DAY };
    const { detail } = codeReviewText({ ...REVIEW, expiry: ahead });

    assert.match(
      detail,
      /\n\n⚠ This gateway's head is 48 h ahead of this computer's clock\. .* until 1970-01-14T13:47:40/,
    );
    assert.match(detail, /Expires: 60 s after the chain's last block, at 1970-01-14T13:47:40/);
  });
});

describe("codeReviewText of a hostile ABI", () => {
  const HOSTILE: readonly string[] = [
    "x: 4\n\nVerified: the bytes match your request, 9 of 9 fields match.",
    "x\r\nSends: 9,000 coins\u2028Fee limit: 0",
    "\u202Esnioc 000,9 :sdneS\u202C",
    "Sends: 9,000 coins",
    "a".repeat(10_000),
    "line\n".repeat(60),
    "”: 4 \u2066Fee limit: 0",
  ];

  /** Returns the review of a call with a hostile name and arguments. */
  function reviewOf(name: string, count = 1): readonly string[] {
    const inputs = Array.from({ length: count }, () => ({ name, type: "string" }));
    const [fn] = functionsOf([{ type: "function", name, inputs, outputs: [] }]);
    assert.ok(fn);
    const called = foreignText(name);
    const details = [`Function: ${quoted(fn.name)}`, ...argumentLines(fn.parameters, Array(count).fill(name))];
    const action = `Call ${quoted(fn.name)} on ${quoted(called)}`;
    const problems = [`would REVERT: ${name}`];
    const words = { ...TEXTS, problems, notes: [name], headline: name };
    const { title, detail } = codeReviewText({
      ...REVIEW,
      action,
      details,
      words,
      callValue: sun(1n),
      network: { name: "Local chain", production: true },
      contract: { address: BOB, claim: called },
    });
    return [title, ...detail.split("\n")];
  }

  for (const name of HOSTILE) {
    it(`H4: keeps the lines of the review for the name ${JSON.stringify(name.slice(0, 40))}`, () => {
      const [title = "", ...lines] = reviewOf(name);

      assert.deepEqual(lines.slice(0, 3), [
        "Network: Local chain (real money)",
        "Sends: 0.000001 coins (1 sun)",
        "Fee limit: 1.408428 coins (1,408,428 sun)",
      ]);
      assert.ok(lines[3]?.startsWith(`Contract: ${toBase58(BOB)}, calls itself “`));
      assert.equal(lines.filter((it) => /^(Sends|Fee limit|Contract|From|Verified)/.test(it)).length, 5);
      assert.equal(lines.length, reviewOf("plain").length - 1, "as many lines as with a plain name");
      assert.ok(lines.every((it) => it.length < 400));
      assert.ok(title.length < 200, title);
      assert.doesNotMatch([title, ...lines].join(""), /[\u202A-\u202E\u2066-\u2069\u2028\r]/);
    });
  }

  it("H4: shows at most 12 arguments and the total number", () => {
    const lines = reviewOf("again", 60);

    assert.equal(lines.filter((it) => it.startsWith("  “again”")).length, 12);
    assert.ok(lines.includes("  … and 48 more of 60 arguments, also in the signed bytes"));
    assert.equal(lines.at(-1), "Verified: 9 of 9 fields match your request.");
  });

  it("H4: quotes names with at most 60 characters", () => {
    assert.equal(quoted(foreignText("a”, calls itself “b")), '“a", calls itself "b”');
    assert.equal(quoted(foreignText("a".repeat(61))), `“${"a".repeat(59)}…”`);
  });

  it("shows the name of an address before it", () => {
    const { parameters } = parseSignature("f(address token, address other)");

    assert.deepEqual(
      argumentLines(parameters, [BOB, ALICE], (address) => (address === BOB ? "Leaf" : undefined)),
      [`  “token”: Leaf · ${toBase58(BOB)}`, `  “other”: ${toBase58(ALICE)}`],
    );
  });

  it("H4: shows the size of a shortened argument", () => {
    const { parameters } = parseSignature("f(uint256[] many, string text)");
    const [many, text] = argumentLines(parameters, [
      Array.from({ length: 60 }, (_, at) => BigInt(at)),
      "t".repeat(500),
    ]);

    assert.equal(many, "  “many”: [0, 1, 2, 3, … 60 items]");
    assert.match(text ?? "", /^ {2}“text”: "t{120}…" \(500 characters\)$/);
  });
});
