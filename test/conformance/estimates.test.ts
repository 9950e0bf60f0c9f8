import assert from "node:assert/strict";
import { utils } from "tronweb";
import {
  type CallEstimate,
  type CodeIntent,
  type EstimatedCall,
  limitVerdict,
  requiredEnergyOf,
} from "../../packages/client/src/estimates/call-estimate.ts";
import {
  estimateCall,
  type MeasuredCall,
  measureCall,
  priceCall,
} from "../../packages/client/src/estimates/estimate-call.ts";
import type { TransactionInfo } from "../../packages/client/src/gateway/gateway.ts";
import { parseDeployedContract } from "../../packages/client/src/gateway/wire/accounts.ts";
import { estimateLabels } from "../../packages/client/src/labels/estimates.ts";
import { coinsText } from "../../packages/tron/src/format/amounts.ts";
import type { Address } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { type Hex, hex } from "../../packages/tron/src/primitives/bytes.ts";
import { deployedContractAddress } from "../../packages/tron/src/transaction/contract-types.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { ChainBench, type Person, stranger } from "../support/chain/chain-bench.ts";
import { setFaults } from "../support/chain/fault-bench.ts";
import { loadExchanges } from "../support/recorded/exchanges.ts";

const FEE_LIMIT = sun(1_000_000_000n);

/** The contract of the recordings. Its constructor has one number, its ABI 30 functions. */
const recorded = loadExchanges("contracts").find((it) => it.case === "getcontract")?.responseBody;
const RECORDED = recorded === undefined ? undefined : parseDeployedContract(recorded);
const BYTECODE = String((recorded as { bytecode?: string } | undefined)?.bytecode);

describe("estimates, compared with receipts", () => {
  let bench: ChainBench;
  let alice: Person;
  let bob: Person;
  let contract: Address;

  beforeEach(async () => {
    bench = await ChainBench.start();
    [alice, bob] = [bench.person(0), bench.person(1)];
    contract = (await send(deployment())).address;
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  function deployment(percent = 100n): CodeIntent {
    return {
      kind: "contract-creation",
      owner: alice.address,
      name: "T",
      bytecode: withArgument(),
      abi: hex(""),
      callValue: sun(0n),
      feeLimit: FEE_LIMIT,
      userPercent: percent,
      originEnergyLimit: 10_000_000n,
    };
  }

  /** Returns the deployment of a contract with this runtime code. */
  function creation(code: string): CodeIntent {
    const size = (code.length / 2).toString(16).padStart(2, "0");
    return { ...deployment(), bytecode: hex(`60${size}600a5f3960${size}5ff3${code}`) } as CodeIntent;
  }

  function call(
    name: string,
    types: readonly string[],
    values: readonly Value[],
    change: Partial<CodeIntent> = {},
  ): CodeIntent {
    const data = calldata(`${name}(${types.join(",")})`, types, values);
    const plain = {
      kind: "contract-call",
      owner: bob.address,
      contract,
      data,
      callValue: sun(0n),
      feeLimit: FEE_LIMIT,
    } as const;
    return { ...plain, ...change } as CodeIntent;
  }

  /** Signs and broadcasts an intent, mines a block, and returns the receipt. */
  async function send(intent: Intent): Promise<{ info: TransactionInfo; address: Address }> {
    const signer = intent.owner === alice.address ? alice : bob;
    const transaction = bench.signed(intent, [signer]);
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    await bench.mine();
    const info = await bench.gateway.headTransactionInfo(transaction.txId);
    assert.ok(info);
    return { info, address: deployedContractAddress(transaction.txId, signer.address) };
  }

  async function estimated(intent: CodeIntent): Promise<EstimatedCall> {
    const estimate = await estimateCall(bench.gateway, intent);
    assert.equal(
      estimate.kind,
      "estimated",
      JSON.stringify(estimate, (_, it) => (typeof it === "bigint" ? `${it}` : it)),
    );
    return estimate as EstimatedCall;
  }

  it("equal energy and fee of ordinary calls and deployments", async () => {
    const newcomer = stranger().address;
    const calls: readonly [string, () => CodeIntent][] = [
      ["deployment", () => deployment()],
      ["deployment with a shared bill", () => deployment(30n)],
      ["first storage", () => call("set", ["uint256"], [5n])],
      ["storage again", () => call("set", ["uint256"], [6n])],
      ["storage to zero", () => call("set", ["uint256"], [0n])],
      ["value", () => call("pay", [], [], { callValue: sun(5_000_000n) })],
      ["loop of 3", () => call("storeN", ["uint256"], [3n])],
      ["loop of 10", () => call("storeN", ["uint256"], [10n])],
      ["clear", () => call("clearArr", [], [])],
      ["arithmetic", () => call("spinN", ["uint256"], [50n])],
      ["more arithmetic", () => call("spinN", ["uint256"], [500n])],
      ["division", () => call("div", ["uint256"], [3n])],
      ["recursion", () => call("recurse", ["uint256"], [5n])],
      ["deep recursion", () => call("recurse", ["uint256"], [20n])],
      ["a view", () => call("get", [], [])],
      ["a mapping", () => call("bal", ["address"], [bob.address])],
      ["text", () => call("str", [], [])],
      ["a try that fails inside", () => call("nestedTry", [], [])],
      ["transfer to a new account", () => call("sendTo", ["address", "uint256"], [newcomer, 1_000_000n])],
      ["transfer to a known account", () => call("sendTo", ["address", "uint256"], [newcomer, 1_000_000n])],
      ["the owner itself", () => call("set", ["uint256"], [9n], { owner: alice.address })],
      [
        "a plain transfer of value",
        () => ({ ...call("pay", [], [], { callValue: sun(1n) }), data: hex("") }) as CodeIntent,
      ],
    ];
    let matched = 0;
    for (const [name, make] of calls) {
      const intent = make();
      const estimate = await estimated(intent);
      const { info } = await send(intent);
      assert.equal(info.receiptResult, "SUCCESS", name);
      assert.deepEqual([estimate.energy, estimate.cost.fee], [info.energyUsed, info.fee], name);
      assert.notEqual(estimate.limitEffect, "seen", name);
      matched += 1;
    }
    process.stdout.write(`      estimates: ${matched} / ${calls.length} equal to the receipt, energy and fee\n`);
  });

  it("S80 suggest a sufficient fee limit, with one energy less not sufficient", async () => {
    const { cost, price } = await estimated(call("set", ["uint256"], [5n]));

    const short = await send(call("set", ["uint256"], [7n], { feeLimit: sun(cost.neededFeeLimit - price) }));
    const enough = await send(call("set", ["uint256"], [7n], { feeLimit: cost.neededFeeLimit }));

    assert.deepEqual([short.info.receiptResult, enough.info.receiptResult], ["OUT_OF_ENERGY", "SUCCESS"]);
    const tooSmall = await estimated(call("set", ["uint256"], [8n], { feeLimit: sun(0n) }));
    assert.equal(tooSmall.cost.shortages[0]?.kind, "fee-limit");
  });

  it("include the owner's share", async () => {
    contract = (await send(deployment(30n))).address;
    await bench.fund(alice.address, 1_000_000_000_000n);
    const stake = { kind: "stake", owner: alice.address, resource: "ENERGY", amount: sun(1_000_000_000n) } as const;
    assert.deepEqual(await bench.outcome(bench.signed(stake, [alice])), { kind: "accepted" });
    await bench.mine();
    const intent = call("set", ["uint256"], [5n]);

    const estimate = await estimated(intent);
    const { info } = await send(intent);

    assert.ok(estimate.cost.ownerEnergy > 0n, "the owner pays a part");
    assert.deepEqual([estimate.energy, estimate.cost.fee], [info.energyUsed, info.fee]);
    assert.ok(estimate.cost.neededFeeLimit < estimate.energy * estimate.price);
  });

  it("include the fee and the bytes of a memo", async () => {
    const intent = call("set", ["uint256"], [5n], { memo: hex("68656c6c6f") });

    const { cost } = await estimated(intent);
    const { info } = await send(intent);

    assert.ok(cost.memoFee > 0n);
    assert.equal(cost.fee, info.fee);
  });

  it("count whole coins of own, delegated and owner's stakes", async () => {
    await bench[Symbol.asyncDispose]();
    const limits = { getTotalEnergyLimit: 900_000, getTotalEnergyCurrentLimit: 900_000 };
    bench = await ChainBench.start({ parameters: limits });
    const carol = bench.person(2);
    [alice, bob] = [bench.person(0), bench.person(1)];
    contract = (await send(deployment(30n))).address;
    const stake = (owner: Person, amount: bigint): Intent => ({
      kind: "stake",
      resource: "ENERGY",
      owner: owner.address,
      amount: sun(amount),
    });
    const lend: Intent = {
      kind: "delegate",
      owner: carol.address,
      receiver: bob.address,
      resource: "ENERGY",
      amount: sun(1_333_333n),
    };
    for (const [intent, signer] of [
      [stake(alice, 1_777_777n), alice],
      [stake(bob, 1_999_999n), bob],
      [stake(carol, 600_000_000n), carol],
      [lend, carol],
    ] as const) {
      assert.deepEqual(await bench.outcome(bench.signed(intent, [signer])), { kind: "accepted" });
      await bench.mine();
    }
    const intent = call("storeN", ["uint256"], [3n]);

    const { cost } = await estimated(intent);
    const { info } = await send(intent);

    assert.ok(cost.ownerEnergy > 0n && cost.stakedEnergy > 0n && cost.burnedEnergy > 0n);
    assert.deepEqual([cost.fee, info.receiptResult], [info.fee, "SUCCESS"]);
  });

  it("recognize code that reads the remaining energy by the gap between both figures", async () => {
    const estimate = await estimated(call("gasDep", [], []));

    assert.equal(estimate.limitEffect, "seen");
    assert.ok((estimate.sufficient ?? 0n) > requiredEnergyOf({ energy: estimate.energy, price: estimate.price }));
    assert.ok(estimate.cost.neededFeeLimit >= (estimate.sufficient ?? 0n) * estimate.price);
  });

  it("need the larger figure as the limit for code that passes its energy on", async () => {
    const deep = call("recurse", ["uint256"], [60n]);

    const estimate = await estimated(deep);
    const { requiredEnergy, neededFeeLimit, fee } = estimate.cost;
    const { info } = await send({ ...deep, feeLimit: FEE_LIMIT });

    assert.ok(requiredEnergy > estimate.energy);
    assert.deepEqual([estimate.energy, fee, "SUCCESS"], [info.energyUsed, info.fee, info.receiptResult]);
    assert.equal(estimate.accuracy, "measured");
    const half = await estimated({ ...deep, feeLimit: sun(neededFeeLimit / 4n) });
    assert.equal(limitVerdict(half), "depends");
    const { notes, headline } = estimateLabels(estimate, deep, { marginPercent: 20n });
    const energy = estimate.energy.toLocaleString("en-US");
    assert.equal(headline, `about ${energy} energy · about ${coinsText(fee)} · depends on the fee limit`);
    assert.ok(notes.some((note) => note.includes(`With this fee_limit it uses about ${energy}, measured`)));
  });

  it("N4: depend on the fee limit for code after a call that burns everything", async () => {
    const writer = (await send(creation("60015f5500"))).address;
    // STATICCALL of the writer with all energy. Its SSTORE fails and burns the energy.
    contract = (await send(creation(`5f5f5f5f73${writer.slice(2)}5afa5060015f5500`))).address;
    const burning: CodeIntent = { ...call("set", [], []), data: hex("") } as CodeIntent;

    const estimate = await estimated(burning);
    const messages = estimateLabels(estimate, burning, { marginPercent: 20n });
    const { info } = await send(burning);

    assert.deepEqual([info.receiptResult, estimate.limitEffect, messages.verdict], ["SUCCESS", "seen", "depends"]);
    assert.deepEqual([estimate.energy, estimate.cost.fee], [info.energyUsed, info.fee]);
    assert.deepEqual(messages.problems, []);
    assert.match(messages.headline, /^about [\d,]+ energy · about [\d.]+ coins · depends on the fee limit$/);
    const smaller = { ...burning, feeLimit: sun(300_000_000n) };
    const unmeasured = priceOf(await measureCall(bench.gateway, burning), smaller);
    assert.ok(unmeasured.energy <= 300_000_000n / unmeasured.price, "at most what the limit pays for");
    assert.equal(unmeasured.accuracy, "at-most");
    const unset = { ...burning, feeLimit: sun(0n) };
    const { suggestedFeeLimit, problems } = estimateLabels(await estimated(unset), unset, { marginPercent: 20n });
    assert.equal(suggestedFeeLimit, undefined, "such code would use up any suggestion");
    assert.match(
      problems.join(),
      /Set fee_limit manually: [\d,.]+ coins is enough, and a smaller one may also be enough/,
    );
  });

  it("N4: are definite for code that passes no energy on, at the limit and one energy below", async () => {
    const { price, energy, limitEffect } = await estimated(call("set", ["uint256"], [5n]));
    const verdictAt = async (limit: bigint) => {
      const intent = call("set", ["uint256"], [5n], { feeLimit: sun(limit * price) });
      return estimateLabels(await estimated(intent), intent, { marginPercent: 20n }).verdict;
    };

    assert.equal(limitEffect, "none");
    assert.deepEqual([await verdictAt(energy), await verdictAt(energy - 1n)], ["fits", "short"]);
  });

  it("N4: send a second request only when the limit has an effect", async () => {
    const requestsFor = async (intent: CodeIntent): Promise<number> => {
      const before = bench.requests("/wallet/triggerconstantcontract");
      await estimated(intent);
      return bench.requests("/wallet/triggerconstantcontract") - before;
    };

    assert.equal(await requestsFor(call("set", ["uint256"], [5n])), 1);
    assert.equal(await requestsFor(call("nestedTry", [], [])), 1);
    assert.equal(await requestsFor(call("recurse", ["uint256"], [60n])), 2);
  });

  it("S72 return the reason and no figure for a reverting call", async () => {
    const kindOf = (estimate: CallEstimate) => ({
      kind: estimate.kind,
      data: estimate.kind === "reverted" && estimate.data.slice(0, 8),
    });

    const withReason = kindOf(await estimateCall(bench.gateway, call("reqString", ["uint256"], [5n])));
    const panicked = kindOf(await estimateCall(bench.gateway, call("assertFail", [], [])));
    const notPayable = kindOf(
      await estimateCall(bench.gateway, call("set", ["uint256"], [1n], { callValue: sun(1n) })),
    );

    assert.deepEqual(withReason, { kind: "reverted", data: "08c379a0" });
    assert.deepEqual(panicked, { kind: "reverted", data: "4e487b71" });
    assert.deepEqual(notPayable, { kind: "reverted", data: "" });
  });

  it("S73 use the constant call alone without estimateenergy", async () => {
    await setFaults(bench, [{ name: "estimate-off" }]);

    const estimate = await estimated(call("set", ["uint256"], [5n]));

    assert.equal(estimate.sufficient, undefined);
    assert.equal(estimate.limitEffect, "none");
  });

  it("S155 use the constant call alone on a node before 4.7.0.1", async () => {
    for (const status of [404, 405]) {
      await setFaults(bench, [{ name: "http-status", status, path: "/wallet/estimateenergy" }]);

      const estimate = await estimated(call("set", ["uint256"], [5n]));

      assert.deepEqual([estimate.energy, estimate.sufficient], [28_057n, undefined]);
    }
  });

  it("S80 compare energy times the current price with the fee limit", async () => {
    const shortages = async (feeLimit: bigint) =>
      (await estimated(call("set", ["uint256"], [5n], { feeLimit: sun(feeLimit) }))).cost.shortages;

    assert.deepEqual(await shortages(5_000_000n), [{ kind: "fee-limit", covers: 23_809n, needed: 5_891_970n }]);
    assert.deepEqual(await shortages(5_891_970n), []);
  });

  it("report a missing contract, a low balance, and a failing gateway", async () => {
    const reason = async (intent: CodeIntent) => {
      const estimate = await estimateCall(bench.gateway, intent);
      return estimate.kind === "unavailable" ? estimate.reason : estimate.kind;
    };

    assert.equal(await reason(call("set", ["uint256"], [1n], { contract: stranger().address })), "contract-absent");
    assert.equal(await reason(call("pay", [], [], { callValue: sun(10n ** 15n) })), "balance");
    await setFaults(bench, [{ name: "http-status", status: 403 }]);
    assert.equal(await reason(call("set", ["uint256"], [1n])), "gateway");
  });
});

type Value = bigint | string;

/** Encodes calldata with an independent encoder. */
function calldata(signature: string, types: readonly string[], values: readonly Value[]): Hex {
  const { AbiCoder, id } = utils.ethersUtils;
  const plain = values.map((value) => (typeof value === "bigint" ? value : `0x${value.slice(2)}`));
  return hex(
    id(signature).slice(2, 10) +
      AbiCoder.defaultAbiCoder()
        .encode([...types], plain)
        .slice(2),
  );
}

function priceOf(measured: Awaited<ReturnType<typeof measureCall>>, intent: CodeIntent): EstimatedCall {
  assert.equal(measured.kind, "measured");
  return priceCall(measured as MeasuredCall, intent);
}

function withArgument(): Hex {
  assert.ok(RECORDED);
  return hex(BYTECODE + "7".padStart(64, "0"));
}
