import assert from "node:assert/strict";
import { ALICE, BOB, nameOf, TRANSFER } from "../../../../test/support/tracking/tracked.ts";
import { selectorOf } from "../../../tron/src/abi/abi-signature.ts";
import { shortAddress } from "../../../tron/src/format/short.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { hex } from "../../../tron/src/primitives/bytes.ts";
import { describeIntent } from "../../src/labels/intents.ts";

describe("describeIntent", () => {
  it("shows amount and recipient of a transfer", () => {
    assert.equal(describeIntent(TRANSFER, nameOf), "1.5 coins → Bob");
    assert.equal(describeIntent(TRANSFER), `1.5 coins → ${shortAddress(BOB)}`);
  });

  it("U19: shows every amount with its unit", () => {
    const stake = { owner: ALICE, resource: "ENERGY", amount: sun(5_000_000n) } as const;
    const delegation = { ...stake, receiver: BOB };
    const intents = [
      TRANSFER,
      { kind: "stake", ...stake },
      { kind: "unstake", ...stake },
      { kind: "delegate", ...delegation },
      { kind: "undelegate", ...delegation },
    ] as const;

    for (const intent of intents) {
      assert.match(describeIntent(intent, nameOf), /\d coins\b/);
      assert.match(describeIntent(intent, nameOf, "TRX"), /\d TRX\b/);
    }
    const intent = {
      kind: "delegate",
      owner: ALICE,
      receiver: BOB,
      resource: "ENERGY",
      amount: sun(5_000_000n),
    } as const;

    assert.equal(describeIntent(intent, nameOf), "Delegate 5 coins as energy → Bob");
  });

  it("U23: names the function of a token standard, and calls a deployment a deployment", () => {
    const common = { owner: ALICE, callValue: sun(0n), feeLimit: sun(0n) };
    const call = (signature: string): string => {
      const data = hex(`${selectorOf(signature)}${"00".repeat(64)}`);
      return describeIntent({ kind: "contract-call", ...common, contract: BOB, data }, nameOf);
    };
    const deployment = (name: string): string => {
      const code = { bytecode: hex("00"), abi: hex(""), userPercent: 100n, originEnergyLimit: 0n };
      return describeIntent({ kind: "contract-creation", ...common, ...code, name });
    };

    for (const signature of [
      "transfer(address,uint256)",
      "approve(address,uint256)",
      "transferFrom(address,address,uint256)",
      "increaseAllowance(address,uint256)",
      "decreaseAllowance(address,uint256)",
      "safeTransferFrom(address,address,uint256)",
      "safeTransferFrom(address,address,uint256,bytes)",
      "setApprovalForAll(address,bool)",
    ])
      assert.equal(call(signature), `Call ${signature.replace(/\(.*/, "")} on Bob`);
    assert.equal(call("brew(uint256)"), "Call Bob");
    assert.deepEqual([deployment("Token"), deployment("")], ["Deploy Token", "Deploy a contract"]);
  });

  it("uses singular and plural for votes", () => {
    const vote = (count: number): string =>
      describeIntent({
        kind: "vote",
        owner: ALICE,
        votes: Array.from({ length: count }, () => ({ witness: BOB, count: 1n })),
      });

    assert.deepEqual([vote(1), vote(2)], ["Vote for 1 witness", "Vote for 2 witnesses"]);
  });
});
