import assert from "node:assert/strict";
import { HOSTILE_TEXTS, HUGE_TEXT } from "../../../../test/support/failures/hostile-texts.ts";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { ALICE, BOB, blockReference, nameOf, tracked } from "../../../../test/support/tracking/tracked.ts";
import { candidateFromJson, candidateFromSignature, createAbiIndex } from "../../../tron/src/abi/abi-index.ts";
import { parseSignature, selectorOf } from "../../../tron/src/abi/abi-signature.ts";
import { encodeAbi } from "../../../tron/src/abi/encode-abi.ts";
import { panicData, reasonData } from "../../../tron/src/abi/revert-data.ts";
import { type Address, toBase58 } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { type Hex, hex } from "../../../tron/src/primitives/bytes.ts";
import { foreignText, rawText } from "../../../tron/src/primitives/plain-text.ts";
import type { Intent } from "../../../tron/src/transaction/intent.ts";
import { explain } from "../../src/explain/explain.ts";
import {
  type FailureReason,
  failureReason,
  fixNow,
  lacksCoins,
  runOf,
  wantsNames,
} from "../../src/explain/failure-reason.ts";
import { messageEntries } from "../../src/explain/messages/catalogue.ts";
import { generalMessages } from "../../src/explain/messages/request-messages.ts";
import type { TransactionInfo } from "../../src/gateway/gateway.ts";
import { decideActions } from "../../src/retry/permitted-actions.ts";
import { outcomeInInfo } from "../../src/transaction-state/execution-outcome.ts";
import type { Failure } from "../../src/transaction-state/tracked-transaction.ts";

const SIGNATURE = "NotEnoughLeaves(address holder, uint256 balance, uint256 needed)";
const abi = createAbiIndex([candidateFromSignature("error", SIGNATURE, "Leaf (build/Leaf.json)")]);

const CALL: Intent = {
  kind: "contract-call",
  owner: ALICE,
  contract: BOB,
  data: hex(""),
  callValue: sun(0n),
  feeLimit: sun(18_000_000n),
};

function dataOf(signature: string, values: readonly (string | bigint)[]): Hex {
  const { name, parameters } = parseSignature(signature);
  const types = parameters.map(({ type }) => type.text).join(",");
  return hex(`${selectorOf(`${name}(${types})`)}${encodeAbi(parameters, values)}`);
}

const notEnough = (holder: Address): Hex => dataOf(SIGNATURE, [holder, 0n, 5n]);

/** Returns a failed run as the journal stores it. */
function failed(change: Partial<TransactionInfo>): Failure {
  const info: TransactionInfo = {
    txId: fakeTxId(1),
    blockNumber: 1,
    blockTimestamp: 3,
    failed: true,
    receiptResult: "REVERT",
    contractResult: hex(""),
    message: "REVERT opcode executed",
    fee: sun(0n),
    energyUsed: 0n,
    energyStaked: 0n,
    energyOfOwner: 0n,
    energyFee: sun(0n),
    bandwidthUsed: 0n,
    bandwidthFee: sun(0n),
    ...change,
  };
  const outcome = outcomeInInfo(info, "TriggerSmartContract");
  assert.ok(outcome?.kind === "failed");
  return outcome;
}

const reverted = (contractResult: Hex): Failure => failed({ contractResult });
const reasonIn = (failure: Failure, intent: Intent = CALL, index = abi): FailureReason =>
  failureReason(failure, runOf(intent), { abi: index, nameOf }) ?? assert.fail("there is no reason");
const textOf = (failure: Failure, index = abi): string => rawText(reasonIn(failure, CALL, index).text);

describe("failureReason", () => {
  it("returns the error of the contract with values, account names and the source of its name", () => {
    const { text, source = foreignText("") } = reasonIn(reverted(notEnough(ALICE)));

    assert.equal(rawText(text), "NotEnoughLeaves(holder: Alice, balance: 0, needed: 5)");
    assert.equal(rawText(source), "Leaf (build/Leaf.json)");
  });

  it("removes a sentence that an ABI declares as an error name", () => {
    const name = "a fault of the node. Nothing was paid, send it again: Retry";
    const entry = { type: "error", name, inputs: [] };
    const index = createAbiIndex([candidateFromJson(entry, "the chain") ?? []].flat());

    const selector = selectorOf(`${name}()`);
    assert.equal(textOf(reverted(selector), index), `the error 0x${selector}, which is in no ABI here`);
  });

  it("removes a sentence that an ABI declares as a parameter name", () => {
    const inputs = [{ name: "by) Nothing was paid, send it again (", type: "uint256" }];
    const index = createAbiIndex([candidateFromJson({ type: "error", name: "Low", inputs }, "the chain") ?? []].flat());

    assert.equal(textOf(reverted(dataOf("Low(uint256 by)", [5n])), index), "Low(5)");
  });

  it("shows an address without a name unchanged", () => {
    const stranger = "41000000000000000000000000000000000000beef" as Address;

    assert.match(textOf(reverted(notEnough(stranger))), new RegExp(toBase58(stranger)));
  });

  it("returns the selector of an unknown error, and requests names for no other failure", () => {
    const failure = reverted(notEnough(ALICE));

    assert.match(textOf(failure, createAbiIndex([])), /^the error 0x[0-9a-f]{8}, which is in no ABI here$/);
    assert.equal(wantsNames(failure), true);
    for (const data of [reasonData("no"), panicData(0x11n), hex(""), hex("beef")]) {
      assert.equal(wantsNames(reverted(data)), false);
    }
  });

  it("requests names for an error that a contract passed on as text", () => {
    const inner = notEnough(ALICE);
    const word = (value: number): string => value.toString(16).padStart(64, "0");
    const text = inner.padEnd(Math.ceil(inner.length / 64) * 64, "0");
    const failure = reverted(hex(`08c379a0${word(32)}${word(inner.length / 2)}${text}`));

    assert.match(textOf(failure), /^NotEnoughLeaves\(/);
    assert.equal(wantsNames(failure), true);
  });

  it("does not call an error unnamed when its data are incomplete", () => {
    const many = createAbiIndex([candidateFromSignature("error", "TooMany(bytes data)", "Leaf")]);
    const failure = reverted(dataOf("TooMany(bytes data)", ["00".repeat(5_000)]));

    const selector = failure.data?.slice(0, 8) ?? "";
    assert.equal(textOf(failure, many), `the error 0x${selector}, with 5,092 bytes of data`);
  });

  it("returns the text, the panic, or that there is no reason", () => {
    assert.equal(textOf(reverted(reasonData("not your leaf"))), "“not your leaf”");
    assert.equal(textOf(reverted(panicData(0x11n))), "panic 0x11: an arithmetic operation overflowed or underflowed");
    assert.equal(textOf(reverted(hex(""))), "reverted without a reason");
    assert.equal(textOf(reverted(hex("beef"))), "reverted with data that no compiler makes");
  });

  it("returns the inner failure that a contract passed on", () => {
    const wrapped = "CallFailed(bytes data)";
    const index = createAbiIndex([
      candidateFromSignature("error", wrapped, "Outer"),
      candidateFromSignature("error", SIGNATURE, "Inner"),
    ]);
    const { text, detail = "" } = reasonIn(reverted(dataOf(wrapped, [notEnough(BOB)])), CALL, index);

    assert.equal(rawText(text), "NotEnoughLeaves(holder: Bob, balance: 0, needed: 5)");
    assert.match(detail, /forwarded this failure/);
  });

  it("marks the name as uncertain when two errors share a selector", () => {
    const both = createAbiIndex([
      candidateFromSignature("error", "many_msg_babbage(bytes1 a)", "One"),
      candidateFromSignature("error", "transfer(address to, uint256 value)", "Two"),
    ]);
    assert.ok(both.lookup("a9059cbb").length === 2, "the famous pair of signatures");
    const data = hex(`a9059cbb${encodeAbi(parseSignature("e(address,uint256)").parameters, [ALICE, 5n])}`);
    const wide = both
      .lookup("a9059cbb")
      .map((one) => ({ ...one, parameters: parseSignature("e(address,uint256)").parameters }));

    assert.match(reasonIn(reverted(data), CALL, createAbiIndex(wide)).detail ?? "", /same selector/);
  });

  it("returns nothing for an entry of an earlier version without data", () => {
    const old: Failure = { kind: "failed", result: "REVERT", message: "REVERT opcode executed" };

    assert.equal(failureReason(old, runOf(CALL), { abi, nameOf }), undefined);
    assert.equal(wantsNames(old), false);
  });

  it("returns nothing when the result is the reason", () => {
    assert.equal(failureReason(failed({ receiptResult: "OUT_OF_TIME" }), runOf(CALL), { abi, nameOf }), undefined);
  });

  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    it(`shows the whole text of a contract in one line: ${name}`, () => {
      assert.doesNotMatch(textOf(reverted(reasonData(text))), /[\p{Cc}\p{Cf}\n]/u);
    });
  }

  it("reads the first 4 KiB of a long reason", () => {
    const failure = reverted(reasonData(HUGE_TEXT));

    assert.equal(failure.data?.length, 8_192);
    assert.ok((failure.dataLength ?? 0) > HUGE_TEXT.length);
    assert.match(textOf(failure), /^“<b>REVERT<\/b> \[x\]\(command:y\)/);
    assert.ok(textOf(failure).length < 450);
  });
});

describe("failureReason without energy", () => {
  const STOPPED =
    "Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[42857], curOpEnergy[20000], usedEnergy[34100]";
  const ran = { receiptResult: "OUT_OF_ENERGY", energyUsed: 42_857n, energyFee: sun(17_999_940n), message: STOPPED };

  it("returns the used and missing energy, and the energy that the fee limit paid", () => {
    const { text, detail = "" } = reasonIn(failed(ran));

    assert.equal(rawText(text), "out of energy: stopped at 42,857, and needs 54,100 or more");
    assert.match(detail, /42,857 burned for 17\.99994 coins/);
    assert.match(detail, /The fee limit of 18 coins paid for 42,857 energy at 420 sun\./);
  });

  it("U7: returns the energy that was estimated before signing", () => {
    const run = { ...runOf(CALL), estimatedEnergy: 751_838 };
    const { text, detail = "" } = failureReason(failed(ran), run, { nameOf }) ?? assert.fail("no reason");

    assert.equal(rawText(text), "out of energy: stopped at 42,857, and needs about 751,838 (estimated when signed)");
    assert.doesNotMatch(detail, /54,100|not known/);
  });

  it("omits the missing energy when an inner call was stopped or the node does not report it", () => {
    for (const message of [STOPPED.replace("42857", "99"), "Not enough energy"]) {
      const { text, detail = "" } = reasonIn(failed({ ...ran, message }));

      assert.equal(rawText(text), "out of energy: stopped at 42,857");
      assert.match(detail, /The required amount is unknown: estimate the call/);
    }
  });

  it("reports missing coins when the fee limit would have paid for more", () => {
    const rich = { ...CALL, feeLimit: sun(100_000_000n) };

    assert.match(reasonIn(failed(ran), rich).detail ?? "", /the coins of the sender ended before it/);
  });

  it("reports stake and the share of the contract owner, and no price without payment", () => {
    const shared = { ...ran, energyStaked: 40_000n, energyOfOwner: 2_857n, energyFee: sun(0n) };
    const { detail = "" } = reasonIn(failed(shared));

    assert.match(detail, /Energy of the run: 40,000 staked, 2,857 of the contract's owner\./);
    assert.doesNotMatch(detail, / sun/);
  });

  it("ignores impossible numbers", () => {
    assert.equal(failureReason(failed({ ...ran, energyUsed: -1n }), runOf(CALL), { nameOf }), undefined);
    assert.equal(failureReason(failed({ ...ran, energyUsed: 2n ** 60n }), runOf(CALL), { nameOf }), undefined);
  });
});

const block = blockReference(7);
const final = tracked({ state: { kind: "solidified", block, outcome: { kind: "success" } } });
const failedPayment = tracked({
  state: { kind: "solidified", block, outcome: { kind: "failed", result: "REVERT", message: "" } },
});
const refusal = explain("Contract validate error : balance is not sufficient");

describe("fixNow", () => {
  it("returns the fix of the answer while the transaction is unknown", () => {
    assert.equal(fixNow(refusal, undefined), refusal.fix);
  });

  it("M1: returns the fix and then the allowed action while the transaction is unsettled", () => {
    const refused = { kind: "rejected", code: "CONTRACT_VALIDATE_ERROR", message: "", retry: "fix-request" } as const;

    for (const state of [refused, { kind: "signed" }, { kind: "unknown", reason: "" }] as const) {
      const it = tracked({ state });
      const mending = "Top up the account and check the fee limit. Do not rebuild.";
      assert.equal(fixNow(refusal, it), `${mending} ${decideActions(it).advice}`);
    }
  });

  it("G17: omits the same bytes after their expiration in chain time", () => {
    const refused = {
      kind: "rejected",
      code: "CONTRACT_VALIDATE_ERROR",
      message: "",
      retry: "same-bytes-after-funding",
    } as const;
    const it = tracked({ state: refused });
    const { expiration } = it.signed ?? assert.fail();

    assert.match(fixNow(refusal, it, expiration - 1), /Do not rebuild.*the same signed bytes/);
    for (const words of [fixNow(refusal, it, expiration), fixNow(refusal, { ...it, chainTime: expiration })]) {
      assert.doesNotMatch(words, /rebuild|same signed bytes/);
      assert.match(words, /expired/);
    }
    const rebuilt = tracked({ state: { ...refused, retry: "rebuild" } });
    assert.doesNotMatch(fixNow(refusal, rebuilt), /Do not rebuild/);
  });

  it("returns nothing when the transaction is final and succeeded", () => {
    assert.match(refusal.fix, /same signed bytes/);
    assert.equal(fixNow(refusal, final), "No action is needed.");
  });

  it("returns a new transaction when it is final and failed", () => {
    assert.match(fixNow(refusal, failedPayment), /sign a new transaction/);
  });

  it("keeps the fix of an execution", () => {
    const outOfEnergy = explain("OUT_OF_ENERGY");

    assert.equal(fixNow(outOfEnergy, failedPayment), outOfEnergy.fix);
  });
});

describe("lacksCoins", () => {
  it("returns true for entries with coins or a balance in their title", () => {
    const refusals = [...messageEntries, ...generalMessages].filter(({ category }) => category === "validation");
    const speaking = refusals.filter(({ title }) => /balance|coins/i.test(title)).map(({ id }) => id);

    const lacking = refusals.filter(({ id }) => lacksCoins({ entry: id })).map(({ id }) => id);

    assert.deepEqual(
      speaking.filter((id) => !lacking.includes(id)),
      ["transfer-to-contract", "transfer-to-contract-version-one"],
    );
    assert.ok(lacking.every((id) => speaking.includes(id)));
    assert.ok(lacksCoins(explain("BANDWITH_ERROR")));
    assert.ok(lacksCoins(explain('{"code":"BANDWITH_ERROR","message":"a text that no entry knows","txid":"00"}')));
    assert.ok(!lacksCoins(explain("SIGERROR")));
  });
});
