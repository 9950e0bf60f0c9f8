import assert from "node:assert/strict";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { revertReason } from "../../src/json-rpc/call-methods.ts";

const word = (value: number): string => value.toString(16).padStart(64, "0");
const reasonOf = (hex: string): string | undefined => revertReason(hexToBytes(hex));

describe("the reason of a revert", () => {
  it("is the text of Error(string)", () => {
    assert.equal(reasonOf(`08c379a0${word(32)}${word(3)}${"e282ac".padEnd(64, "0")}`), "€");
    assert.equal(reasonOf(`08c379a0${word(32)}${word(0)}`), "");
  });

  it("is nothing in other data, and in data that end too early", () => {
    assert.equal(reasonOf(`4e487b71${word(32)}${word(3)}${word(0)}`), undefined);
    for (const hex of ["08c379", "08c379a0", `08c379a0${word(32)}`, `08c379a0${word(32)}${word(33)}${word(0)}`]) {
      assert.equal(reasonOf(hex), undefined, hex);
    }
    assert.equal(reasonOf(`08c379a0${"f".repeat(64)}${word(1)}`), undefined);
  });
});
