import assert from "node:assert/strict";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { deployedContractAddress } from "../../../../packages/tron/src/transaction/contract-types.ts";
import {
  addressesInForm,
  amountOf,
  inputsOf,
  integerOf,
} from "../../../../src/features/contracts/contract-arguments.ts";
import type { ContractContext } from "../../../../src/features/contracts/services.ts";
import { ALICE, BOB, blockReference, signedPart, tracked, txId } from "../../../support/tracking/tracked.ts";

describe("contract arguments", () => {
  it("T6: reject numbers that may have lost digits", () => {
    // biome-ignore lint/correctness/noPrecisionLoss: digits are lost on purpose
    for (const value of [9007199254740993, 4503599627370497.5, 1e21, 1.5])
      for (const input of [value, [value], { amount: value }])
        assert.throws(() => inputsOf([input]), {
          code: "COMMAND_ARGUMENT_MALFORMED",
          message: `The argument arguments cannot be used: write ${value} as a text, so that it keeps every digit.`,
        });
    assert.deepEqual(inputsOf([5, ["6"], { amount: -7 }]), [5n, ["6"], { amount: -7n }]);
  });

  it("T1: accept thousands separators, and reject a decimal comma", () => {
    assert.equal(amountOf("callValue", "1,000.5 coins"), 1_000_500_000n);
    assert.equal(amountOf("feeLimit", "1,000,000"), 1_000_000n);
    assert.equal(integerOf("tokenValue", "1,000", 0n, 5_000n), 1_000n);
    for (const text of ["0,001 coins", "1,5 coins", "1.000,50 coins", "1,5", "0,001"])
      assert.throws(() => amountOf("callValue", text), { code: "COMMAND_ARGUMENT_MALFORMED" }, text);
    for (const text of ["0,001", "1,5", "１５", "1e3", "-1"])
      assert.throws(() => integerOf("tokenValue", text, 0n, 5_000n), { code: "COMMAND_ARGUMENT_MALFORMED" }, text);
  });
});

describe("addressesInForm", () => {
  function deployment(digit: string, name: string) {
    const terms = { bytecode: "6000", abi: "", callValue: 0n, feeLimit: 1n, userPercent: 100n, originEnergyLimit: 1n };
    const signed = signedPart({ kind: "contract-creation", owner: ALICE, name, ...terms } as never);
    const state = { kind: "included", block: blockReference(5), outcome: { kind: "success" } } as never;
    return tracked({ txId: txId(digit), network: "Shasta", signed, state });
  }
  const sent = [deployment("a1", "Leaf"), deployment("b2", "Tea"), deployment("c3", "Tea"), deployment("d4", "Bob")];
  const addressOf = addressesInForm({
    network: { name: "Shasta", local: false },
    services: {
      transactions: { list: () => sent },
      chains: { known: () => undefined },
      keys: { knownOn: () => [{ label: "Bob", address: BOB }] },
    },
  } as unknown as ContractContext);

  it("returns the address of the only contract with a name", () => {
    assert.equal(addressOf("Leaf"), deployedContractAddress(txId("a1"), ALICE));
  });

  it("returns nothing for an address, and for a name of several contracts or of none", () => {
    assert.deepEqual([addressOf(toBase58(BOB)), addressOf("Tea"), addressOf("Cup")], [undefined, undefined, undefined]);
  });

  it("prefers the name of an account", () => {
    assert.equal(addressOf("Bob"), BOB);
  });
});
