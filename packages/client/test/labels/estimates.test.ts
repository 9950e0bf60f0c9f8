import assert from "node:assert/strict";
import { ALICE } from "../../../../test/support/tracking/tracked.ts";
import { candidateFromJson, createAbiIndex, keyOf } from "../../../tron/src/abi/abi-index.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { type Hex, hex } from "../../../tron/src/primitives/bytes.ts";
import type { CodeIntent } from "../../src/estimates/call-estimate.ts";
import type { CallCost } from "../../src/estimates/costs.ts";
import { changeText, estimateLabels, noSendingOf, roomText } from "../../src/labels/estimates.ts";

const call = {
  kind: "contract-call",
  owner: ALICE,
  contract: ALICE,
  data: "a9059cbb",
  callValue: sun(0n),
  feeLimit: sun(100_000_000n),
} as unknown as CodeIntent;
const needing = (energy: bigint) => ({ cost: { neededFeeLimit: sun(energy * 100n) } as CallCost, price: 100n });

describe("estimate texts", () => {
  it("roomText names the larger of margin and stipend", () => {
    assert.equal(roomText(needing(100_000n), 20n), "20 %");
    assert.equal(roomText(needing(7_216n), 20n), "2,300 energy");
    assert.deepEqual([1_204n, -20_000n].map(changeText), ["+1,204", "−20,000"]);
  });

  it("noSendingOf returns the problems of a failing or uncovered call", () => {
    const words = { headline: "", problems: ["One.", "Two."], notes: [], figures: [] };
    assert.equal(noSendingOf({ ...words, verdict: "short" }), "One. Two.");
    assert.equal(noSendingOf({ ...words, verdict: "unknown" }), undefined);
  });

  it("U23: end the reason of the virtual machine with one full stop", () => {
    const context = { marginPercent: 20n, mutability: "nonpayable" } as const;
    const halted = { kind: "halted", exception: "OutOfEnergy", message: "Not enough energy.", height: 1 } as never;

    assert.match(estimateLabels(halted, call, context).problems.join(" "), /: Not enough energy\. It would burn/);
  });

  it("U19: use the coin of the network, also without an estimate", () => {
    const paying = { ...call, callValue: sun(1_500_000n) };
    const context = { marginPercent: 20n, mutability: "nonpayable", symbol: "TRX" } as const;
    const error = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "gateway.example", attempts: 1, reason: "closed" });
    const reverted = estimateLabels({ kind: "reverted", data: "" as Hex, height: 1 }, paying, context);
    const unavailable = estimateLabels({ kind: "unavailable", reason: "balance", error }, paying, context);

    assert.match(reverted.problems.join(" "), /1\.5 TRX would be sent/);
    assert.match(unavailable.problems.join(" "), /cannot send 1\.5 TRX/);
  });

  it("U6: show the error with its values, or a revert without a reason", () => {
    const inputs = [{ type: "uint256", name: "caller" }];
    const error = candidateFromJson({ type: "error", name: "OnlyOwner", inputs }, "Tea.json") ?? assert.fail();
    const data = hex(`${keyOf(error)}${"7".padStart(64, "0")}`);
    const context = { marginPercent: 20n, abi: createAbiIndex([error]) };
    const words = estimateLabels({ kind: "reverted", data, height: 1 }, call, context);

    assert.match(noSendingOf(words) ?? "", /^Estimate: would REVERT: OnlyOwner\(caller: 7\)\. The contract refused/);
    assert.equal(words.revertData, data);
    const { headline } = estimateLabels({ kind: "reverted", data: "" as Hex, height: 1 }, call, { marginPercent: 20n });

    assert.equal(headline, "would REVERT: without a reason");
  });

  it("suggest a retry for a time-out of the node, and a check of the code for an invalid operation", () => {
    const [inTime, inCode] = ["CPU timeout for 'SLOAD' operation executing", "Invalid operation code: opCode[fe];"].map(
      (message) =>
        estimateLabels({ kind: "halted", exception: "OutOfTimeException", message, height: 1 }, call, {
          marginPercent: 20n,
        }).problems.join(" "),
    );

    assert.match(inTime ?? "", /Try again first/);
    assert.match(inCode ?? "", /Check for endless loops/);
  });
});
