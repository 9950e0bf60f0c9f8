import assert from "node:assert/strict";
import { checkAnswer } from "../../../../src/features/energy-hints/answer-check.view.ts";

const argument = (type: string, text: string) =>
  checkAnswer({ kind: "argument", key: "argument A.f 0", question: "f: a", type }, text);
const amount = (name: string, text: string) =>
  checkAnswer({ kind: "amount", key: `amount ${name} LIMIT`, question: `${name} in sun` }, text);

describe("an answer to what a source does not say", () => {
  it("is checked by its type while it is typed, and says what to write", () => {
    assert.deepEqual(argument("uint256", "1,000"), {});
    assert.deepEqual(argument("uint256", "many"), { fault: "Write a whole number, such as 1000000 or 0x2a." });
    assert.deepEqual(argument("uint8", "256"), { fault: "This is too large for uint8." });
    assert.deepEqual(argument("(string,uint256)[]", '[["Sencha", 2]]'), {});
    assert.deepEqual(argument("(string,uint256)[]", '[{ "name": "Sencha", "cups": 2 }]'), {});
    assert.match(argument("(string,uint256)[]", "Sencha").fault ?? "", /^Write a list as JSON/);
    assert.match(argument("(string,uint256)[]", '[["Sencha", "two"]]').fault ?? "", /write a whole number/);
  });

  it("may be the name of an account wherever an address is wanted", () => {
    assert.deepEqual(argument("address", "Bob"), {});
    assert.deepEqual(argument("address[]", '["Bob"]'), {});
  });

  it("says how an amount is understood, and which is none", () => {
    assert.deepEqual(amount("feeLimit", "15 coins"), { understood: "15,000,000 sun, 15 coins" });
    assert.deepEqual(amount("tokenValue", "15"), {});
    assert.match(amount("callValue", "1,5 coins").fault ?? "", /write a plain number such as 1\.5/);
    assert.match(amount("feeLimit", "-1").fault ?? "", /write sun as a whole number, or coins such as 1\.5 coins/);
  });
});
