import assert from "node:assert/strict";
import { parseSignature } from "../../../../packages/tron/src/abi/abi-signature.ts";
import { functionsOf } from "../../../../packages/tron/src/abi/contract-functions.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import {
  argumentPrompt,
  checkArgument,
  checkInteger,
  checkSun,
  exampleOf,
  functionItem,
  plainValue,
  readText,
} from "../../../../src/features/contracts/contracts.view.ts";
import { ALICE } from "../../../support/tracking/tracked.ts";

const [ORDER] = parseSignature("f((string tea, uint256 cups)[] lines)").parameters;
const [WHO] = parseSignature("f(address who)").parameters;
const [SEATS] = parseSignature("f(uint8 seats)").parameters;
const addressOf = (name: string) => (name === "Alice" ? ALICE : undefined);

describe("checkArgument", () => {
  const check = (parameter: typeof WHO, text: string) => parameter && checkArgument(parameter, text, addressOf);

  it("accepts an address in both forms and an account name", () => {
    assert.deepEqual(check(WHO, "Alice"), {
      kind: "good",
      value: ALICE,
      message: `TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp = ${ALICE}`,
    });
    assert.deepEqual(check(WHO, ""), { kind: "empty" });
    assert.match(JSON.stringify(check(WHO, "Unknown")), /neither an account name/);
  });

  it("names the malformed part of a value, and prompts with an example", () => {
    assert.deepEqual(check(SEATS, "256"), { kind: "wrong", message: "seats: this is too large for uint8." });
    assert.match(JSON.stringify(check(ORDER, '[["Sencha", "two"]]')), /lines\[0\]\.cups: write a whole number/);
    assert.equal(check(ORDER, '[{"tea": "Sencha", "cups": 2}]')?.kind, "good");
    assert.match(JSON.stringify(check(ORDER, '[["Sencha"')), /"wrong"/);
    assert.ok(ORDER && WHO);
    assert.deepEqual(argumentPrompt(ORDER, 0).prompt, "lines ((string,uint256)[])");
    assert.equal(argumentPrompt({ ...ORDER, struct: foreignText("Line") }, 0).prompt, "lines (Line[])");
    assert.match(argumentPrompt(WHO, 0).placeholder, /name of an account/);
  });
});

describe("exampleOf", () => {
  it("fits the size of fixed bytes", () => {
    const { parameters } = parseSignature("f(bytes4,bytes1,bytes)");

    assert.deepEqual(
      parameters.map(({ type }) => exampleOf(type)),
      ["0x000000ff", "0xff", "0x00ff"],
    );
  });
});

describe("checkSun and checkInteger", () => {
  it("show an amount in both units, and a fee limit that is too small", () => {
    assert.deepEqual(checkSun("1.5 coins"), { kind: "good", value: 1_500_000n, message: "1.5 coins (1,500,000 sun)" });
    assert.match(
      JSON.stringify({ ...checkSun("5", { warnBelow: sun(10n) }), value: "" }),
      /too small: 0\.00001 coins \(10 sun\) needed/,
    );
    assert.equal(
      JSON.stringify({ ...checkSun("5", { symbol: "TRX" }), value: "" }),
      JSON.stringify({ kind: "good", value: "", message: "0.000005 TRX (5 sun)" }),
    );
    assert.equal(checkSun("1.5").kind, "wrong");
    assert.equal(checkSun(" ").kind, "empty");
  });

  it("check the bounds of a percentage", () => {
    assert.deepEqual(
      ["0", "100", "101", "-1", "x", ""].map((text) => checkInteger(text, 0n, 100n).kind),
      ["good", "good", "wrong", "wrong", "wrong", "empty"],
    );
  });
});

describe("returned values", () => {
  it("are lossless JSON, and one line of text", () => {
    assert.ok(ORDER && WHO);
    const value = [[foreignText("Sencha"), 2n ** 200n]];

    assert.deepEqual(plainValue(ORDER.type, value), [["Sencha", (2n ** 200n).toString()]]);
    assert.equal(plainValue(WHO.type, ALICE), "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
    assert.equal(readText("Tea.f()", [WHO], [ALICE]), "Tea.f() = who: TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
    assert.equal(readText("Tea.f()", [], []), "Tea.f() = nothing");
  });

  it("functionItem shows types and mutability", () => {
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
