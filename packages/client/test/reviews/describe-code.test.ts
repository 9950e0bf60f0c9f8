import assert from "node:assert/strict";
import { ALICE, BOB } from "../../../../test/support/tracking/tracked.ts";
import { elementaryType } from "../../../tron/src/abi/abi-type.ts";
import { percent } from "../../../tron/src/format/amounts.ts";
import { toBase58 } from "../../../tron/src/primitives/address.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import {
  codeDoubt,
  describeCall,
  describeDeployment,
  describeTokenUse,
  tokenUseLabel,
} from "../../src/reviews/describe-code.ts";

const nameOf = () => undefined;
const SEATS = { name: foreignText("seats"), type: elementaryType("uint256") };
const LEAF = {
  address: BOB,
  name: foreignText("Leaf token"),
  symbol: foreignText("LEAF"),
  decimals: 6,
  decimalsBy: "reported by https://a.example, first use",
};

describe("description of code", () => {
  it("names function, contract, arguments and sent tokens of a call", () => {
    const called = { name: foreignText("reserve"), parameters: [SEATS] };
    const contract = { address: BOB, name: foreignText("TeaHouse") };

    const call = describeCall({ contract, called, values: [4n], nameOf, tokenId: 1_000_001n, tokenValue: 5n });

    assert.equal(call.action, "Call “reserve” on “TeaHouse”");
    assert.deepEqual(call.money, ["Also sends: 5 units of the token 1000001"]);
    assert.deepEqual(call.details, ["Function: “reserve”", "  “seats”: 4"]);
  });

  it("has the address of a contract without a name", () => {
    const called = { name: foreignText("reserve"), parameters: [] };

    const { action } = describeCall({ contract: { address: BOB, name: foreignText("") }, called, values: [], nameOf });

    assert.equal(action, `Call “reserve” on “${toBase58(BOB)}”`);
  });

  it("names artifact, libraries, arguments and shares of a deployment", () => {
    const { action, details } = describeDeployment({
      name: "TeaHouse",
      artifact: "build/TeaHouse.json",
      libraries: [{ name: "Sums", address: ALICE }],
      parameters: [SEATS],
      values: [9n],
      nameOf,
      userPercent: 70n,
      originEnergyLimit: 10_000n,
    });

    assert.equal(action, "Deploy “TeaHouse”");
    assert.deepEqual(details, [
      "Artifact: build/TeaHouse.json",
      `Library: Sums at ${toBase58(ALICE)}`,
      "  “seats”: 9",
      `The caller pays ${percent(70n)} of the energy; you pay at most 10,000 per call`,
    ]);
  });

  it("names recipient, amount and source of the decimals of a token transfer, after similar addresses", () => {
    const use = { kind: "transfer", token: LEAF, party: BOB, amount: 2_500_000n, nameOf } as const;

    const { action, money, onTrust } = describeTokenUse({ ...use, lookalikes: [ALICE] });

    assert.match(action, /^Transfer 2\.5 “LEAF” to T/);
    assert.match(money[0] ?? "", /^⚠ /);
    assert.deepEqual(money.slice(-2), [
      `To: ${toBase58(BOB)}`,
      "Amount: 2.5 “LEAF” = 2500000 units, 6 decimals reported by https://a.example, first use",
    ]);
    assert.equal(onTrust, "the token has 6 decimals");
    assert.match(tokenUseLabel({ ...use, kind: "approval" }), /^Allow T.* to spend 2\.5 LEAF$/);
  });

  it("warns of code that is not that of the artifact, if both are known", () => {
    const path = "build/Leaf.json";
    const doubt = (created: string, bytecode: string | undefined) => codeDoubt(created as Hex, { bytecode, path });

    assert.match(doubt("6001600255", "6003600455") ?? "", /not that of build\/Leaf\.json/);
    assert.deepEqual([doubt("", "6003600455"), doubt("6001600255", undefined)], [undefined, undefined]);
    assert.equal(doubt("6001600255", "6001600255"), undefined);
  });
});
