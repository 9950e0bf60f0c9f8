import assert from "node:assert/strict";
import { parseAddress } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import { limitedEnergy, limitedRun } from "../../src/estimates/limited-run.ts";

const OWNER = parseAddress(`41${"aa".repeat(20)}`);
const CONTRACT = parseAddress(`41${"bb".repeat(20)}`);
const CALL = { owner: OWNER, contract: CONTRACT, data: hex("a9059cbb"), callValue: sun(0n), limit: 1_000_000n };
const word = (value: bigint): string => value.toString(16).padStart(64, "0");

describe("a constant call under an energy limit", () => {
  it("N4: runs code that passes the limit on, with the data behind it", () => {
    const run = limitedRun(CALL);

    assert.equal(run?.contract, undefined);
    assert.equal(run?.owner, OWNER);
    assert.match(run?.data ?? "", /bb{19}.*63000f4240f1.*a9059cbb$/);
  });

  it("does not exist for limits that a node cannot pass on, and leaves room for the stipend that coins bring along", () => {
    assert.equal(limitedRun({ ...CALL, limit: 0n }), undefined);
    assert.equal(limitedRun({ ...CALL, limit: 99_000_000n }), undefined);
    assert.equal(limitedRun({ ...CALL, callValue: sun(1n), limit: 2_300n }), undefined);
    assert.match(limitedRun({ ...CALL, callValue: sun(1n), limit: 1_002_300n })?.data ?? "", /63000f4240f1/);
  });

  it("has no figure when the call failed, or the answer is another one", () => {
    const plain = { callValue: sun(0n) };
    assert.equal(limitedEnergy(hex(word(1n) + word(10_062n) + word(5_000n)), plain), 5_000n);
    assert.equal(limitedEnergy(hex(word(0n) + word(10_062n) + word(5_000n)), plain), undefined);
    assert.equal(limitedEnergy(hex(word(1n)), plain), undefined);
    assert.equal(limitedEnergy(hex(""), plain), undefined);
  });
});
