import assert from "node:assert/strict";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import { mayObserveLimit } from "../../src/estimates/limit-observers.ts";

const observes = (code: string, data = "", callValue = 0n): boolean =>
  mayObserveLimit({ code: hex(code), data: hex(data), callValue });

describe("code that may observe the energy limit", () => {
  it("N4: is code that reads the energy left, calls or creates", () => {
    assert.equal(observes("5a00"), true, "GAS");
    for (const call of ["d0", "f0", "f1", "f2", "f4", "f5", "fa"]) assert.equal(observes(`5f${call}00`), true, call);
    assert.equal(observes("60016000556020600020600052600160005460010155600a600b0160206000f3"), false);
  });

  it("is not code that cannot be reached: behind an end, or in the constant of a push", () => {
    assert.equal(observes("00f1"), false);
    assert.equal(observes("fe5b5af1"), false, "a jump target that nothing jumps to");
    assert.equal(observes("615af15000"), false);
    assert.equal(observes("6003565b5a00"), true);
  });

  it("depends on the function that is called: its dispatcher is followed with the data", () => {
    // if (selector == 11111111) { GAS } else stop
    const dispatcher = "5f3560e01c6311111111146011575f5ffd5b5a00";
    assert.equal(observes(dispatcher, "11111111"), true);
    assert.equal(observes(dispatcher, "22222222"), false);
  });

  it("follows both sides of a condition that is not known, and one of a condition that is", () => {
    assert.equal(observes("5f54600657005b5a00"), true, "a word of storage");
    assert.equal(observes("34600557005b5a00", "", 1n), true);
    assert.equal(observes("34600557005b5a00", "", 0n), false);
  });

  it("is code whose jumps lead anywhere, or that has instructions which are not known", () => {
    assert.equal(observes("5f54565b00"), true);
    assert.equal(observes("0c00"), true);
  });

  it("ends for loops: over the input, over what is not known, without an end, and with a growing stack", () => {
    assert.equal(observes("5f5b600101805f54116001575000"), false);
    assert.equal(observes("5b5f56"), false);
    assert.equal(observes("5b5f5f56"), false, "the stack overflows");
    assert.equal(observes(`5f5b6001018036116001575a00`, "00".repeat(500)), true);
  });
});
