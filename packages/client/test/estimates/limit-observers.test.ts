import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { ChainBench, type Person } from "../../../../test/support/chain/chain-bench.ts";
import { burningProgram, CALLEE_CODE, type Callees } from "../../../../test/support/random/burning-programs.ts";
import { dice } from "../../../../test/support/random/dice.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { headView } from "../../../local-chain/src/node/node-view.ts";
import { constantCall } from "../../../local-chain/src/routes/contract-calls.ts";
import { type Address, addressToBytes } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { bytesToHex, hex, hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { deployedContractAddress } from "../../../tron/src/transaction/contract-types.ts";
import { TriggerSmartContractSchema } from "../../../tron/src/transaction/gen/transaction_pb.js";
import { type CodeIntent, limitVerdict } from "../../src/estimates/call-estimate.ts";
import { type EstimateSource, measureCall, priceCall } from "../../src/estimates/estimate-call.ts";
import { mayObserveLimit } from "../../src/estimates/limit-observers.ts";

const observes = (code: string, data = "", callValue = 0n): boolean =>
  mayObserveLimit({ code: hex(code), data: hex(data), callValue });

describe("mayObserveLimit", () => {
  it("N4: returns true for code that reads the remaining energy, calls or creates", () => {
    assert.equal(observes("5a00"), true, "GAS");
    for (const call of ["d0", "f0", "f1", "f2", "f4", "f5", "fa"]) assert.equal(observes(`5f${call}00`), true, call);
    assert.equal(observes("60016000556020600020600052600160005460010155600a600b0160206000f3"), false);
  });

  it("returns false for code that is not reachable or is the constant of a push", () => {
    assert.equal(observes("00f1"), false);
    assert.equal(observes("fe5b5af1"), false, "a jump target that nothing jumps to");
    assert.equal(observes("615af15000"), false);
    assert.equal(observes("6003565b5a00"), true);
  });

  it("follows the dispatcher with the data of the call", () => {
    // if (selector == 11111111) { GAS } else stop
    const dispatcher = "5f3560e01c6311111111146011575f5ffd5b5a00";
    assert.equal(observes(dispatcher, "11111111"), true);
    assert.equal(observes(dispatcher, "22222222"), false);
  });

  it("follows both sides of an unknown condition, and one side of a known one", () => {
    assert.equal(observes("5f54600657005b5a00"), true, "a word of storage");
    assert.equal(observes("34600557005b5a00", "", 1n), true);
    assert.equal(observes("34600557005b5a00", "", 0n), false);
  });

  it("computes divisions as the chain does, also by zero", () => {
    const gasIfNotZero = "6009" + "57005b5a00";
    assert.equal(observes(`6002600404${gasIfNotZero}`), true, "4 / 2");
    assert.equal(observes(`6000600404${gasIfNotZero}`), false, "4 / 0");
  });

  it("keeps copied and swapped words, and the words below a condition", () => {
    assert.equal(observes("600180505000"), false, "DUP1");
    assert.equal(observes("60016008905056005b00"), false, "SWAP1, and a jump to the upper word");
    assert.equal(observes("60085f54600857565b00"), false, "a jump target below an unknown condition");
  });

  it("returns from a long loop to a known jump target", () => {
    // for (counter = 0; counter < 100; counter += 1) {}, then a jump to the target at the bottom of the stack
    assert.equal(observes("60105f5b6001018060641160035750565b00"), false);
  });

  it("returns true for unknown jumps and unknown instructions", () => {
    assert.equal(observes("5f54565b00"), true);
    assert.equal(observes("0c00"), true);
  });

  it("ends for loops over input, over unknown values, without an end and with a growing stack", () => {
    assert.equal(observes("5f5b600101805f54116001575000"), false);
    assert.equal(observes("5b5f56"), false);
    assert.equal(observes("5b5f5f56"), false, "the stack overflows");
    assert.equal(observes(`5f5b6001018036116001575a00`, "00".repeat(500)), true);
  });
});

const PROGRAMS = howOften(200, 2_000);
/** Deployments in one block. */
const BATCH = 100;
/** One of so many programs is also sent with one of its limits. */
const SENT = 20;
/** `getMaxFeeLimit` of the local chain. */
const MAXIMUM = 15_000_000_000n;
const NOTHING = sun(0n);

describe("limitVerdict", () => {
  let bench: ChainBench;
  let alice: Person;
  let bob: Person;
  let source: EstimateSource;

  before(async () => {
    bench = await ChainBench.start();
    [alice, bob] = [bench.person(0), bench.person(1)];
    await bench.fund(alice.address, 10n ** 12n);
    for (let times = 0; times < 10; times += 1) await bench.fund(bob.address, 10n ** 12n);
    assert.ok((await bench.balance(bob.address)) > 10n ** 13n, "enough for all transactions");
  });
  after(() => bench[Symbol.asyncDispose]());

  async function deploy(codes: readonly string[]): Promise<readonly Address[]> {
    const sent = codes.map((code) => bench.signed(creationOf(alice.address, code), [alice]));
    for (const transaction of sent) assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    await bench.mine();
    return sent.map(({ txId }) => deployedContractAddress(txId, alice.address));
  }

  /** Replaces the code of deployed contracts, because a deployment takes longer than all calls of a program. */
  function replaceCode(contracts: readonly Address[], codes: readonly string[]): void {
    bench.chain.simulation.chain.amend((ledger) => {
      for (const [index, address] of contracts.entries()) {
        const contract = ledger.contract(address);
        const code = hexToBytes(codes[index] ?? "");
        assert.ok(contract);
        ledger.putContract({ ...contract, code, codeHash: bytesToHex(keccak_256(code)) });
      }
    });
  }

  /** Returns a source that queries shared data once per block. */
  async function sharedSource(): Promise<EstimateSource> {
    const { gateway } = bench;
    const [head, parameters] = await Promise.all([gateway.headBlock(), gateway.chainParameters()]);
    const [account, resources] = await Promise.all([
      gateway.account(bob.address),
      gateway.accountResources(bob.address),
    ]);
    return {
      headBlock: async () => head,
      chainParameters: async () => parameters,
      account: async () => account,
      accountResources: async () => resources,
      isSolid: async () => true,
      constantCall: (run) => gateway.constantCall(run),
      estimateEnergy: (run) => gateway.estimateEnergy(run),
      deployedContract: (address) => gateway.deployedContract(address),
    };
  }

  /** Result of the chain under an energy limit; undefined above the maximum, where nodes refuse the transaction. */
  function truth(contract: Address, limit: bigint, price: bigint): { succeeds: boolean; energy: bigint } | undefined {
    if (limit * price > MAXIMUM) return undefined;
    const { chain, node } = bench.chain.simulation;
    const message = create(TriggerSmartContractSchema, {
      ownerAddress: addressToBytes(bob.address),
      contractAddress: addressToBytes(contract),
    });
    const { run } = constantCall(headView(chain, node), { message, permissionId: 0, feeLimit: limit * price });
    return { succeeds: run.result === "SUCCESS", energy: BigInt(run.energy) };
  }

  it(`N4: is right for ${PROGRAMS} random programs with calls that burn all energy`, async function () {
    this.timeout(60_000 + PROGRAMS * 100);
    const [writer = "", invalid = "", echo = ""] = await deploy(Object.values(CALLEE_CODE));
    const callees: Callees = { writer: writer.slice(2), invalid: invalid.slice(2), echo: echo.slice(2) };
    const seen = { covered: 0, short: 0, depends: 0, measured: 0, sent: 0 };
    let contracts: readonly Address[] | undefined;
    for (let first = 1; first <= PROGRAMS; first += BATCH) {
      const seeds = Array.from({ length: BATCH }, (_, index) => first + index);
      const codes = seeds.map((seed) => burningProgram(seed, callees));
      if (contracts === undefined) contracts = await deploy(codes);
      else replaceCode(contracts, codes);
      source = await sharedSource();
      for (const [index, contract] of contracts.entries()) await check(first + index, contract, seen);
    }
    const { covered, short, depends, measured, sent } = seen;
    process.stdout.write(`      verdicts: ${covered} covered, ${short} short, ${depends} open; ${measured} measured\n`);
    assert.ok(covered > PROGRAMS && short > PROGRAMS && measured > PROGRAMS / 20 && sent > PROGRAMS / SENT / 2);
  });

  async function check(seed: number, contract: Address, seen: Record<string, number>): Promise<void> {
    const random = dice(seed);
    const call = callOf(bob.address, contract);
    const written = sun(BigInt(1 + random(5_000)) * 1_000_000n);
    const measured = await measureCall(source, { ...call, feeLimit: written });
    if (measured.kind !== "measured") return;
    const { price, energy, sufficient = energy } = measured;
    const around = [energy, sufficient].flatMap((it) => [it - 1n, it, it + 1n, it / 2n, it + 2_300n]);
    const limits = [...around, BigInt(random(Number(energy) * 2)), written / price, 4_761_904n].filter((it) => it > 0n);
    for (const limit of limits) {
      const estimate = priceCall(measured, { ...call, feeLimit: sun(limit * price) });
      const verdict = limitVerdict(estimate);
      const outcome = truth(contract, limit, price);
      seen[verdict] = (seen[verdict] ?? 0) + 1;
      if (outcome === undefined) continue;
      const title = `program ${seed} with ${limit} energy: ${verdict}, of ${energy} and ${sufficient}`;
      if (verdict === "covered") assert.ok(outcome.succeeds, title);
      if (verdict === "covered") assert.equal(outcome.energy, estimate.energy, title);
      if (verdict === "short") assert.ok(!outcome.succeeds, title);
      if (estimate.accuracy !== "exact") assert.ok(estimate.energy <= limit, title);
      if (estimate.accuracy !== "measured") continue;
      assert.deepEqual([outcome.succeeds, outcome.energy], [true, estimate.energy], title);
      seen.measured = (seen.measured ?? 0) + 1;
    }
    if (seed % SENT === 0) await send(contract, limits[random(limits.length)] ?? 1n, price, seen);
  }

  /** Sends the call and compares its receipt with the verdict. */
  async function send(contract: Address, limit: bigint, price: bigint, seen: Record<string, number>): Promise<void> {
    const intent = { ...callOf(bob.address, contract), feeLimit: sun(limit * price) };
    if (intent.feeLimit > MAXIMUM) return;
    const measured = await measureCall(bench.gateway, intent);
    if (measured.kind !== "measured") return;
    const verdict = limitVerdict(priceCall(measured, intent));
    const transaction = bench.signed(intent, [bob]);
    await bench.outcome(transaction);
    await bench.mine();
    const info = await bench.gateway.headTransactionInfo(transaction.txId);
    if (verdict === "covered") assert.equal(info?.receiptResult, "SUCCESS");
    if (verdict === "short") assert.equal(info?.receiptResult, "OUT_OF_ENERGY");
    seen.sent = (seen.sent ?? 0) + 1;
  }
});

function callOf(owner: Address, contract: Address): CodeIntent {
  return { kind: "contract-call", owner, contract, data: hex(""), callValue: NOTHING, feeLimit: NOTHING };
}

/** Returns a deployment whose init code returns the code at its end. */
function creationOf(owner: Address, code: string): CodeIntent {
  const size = (code.length / 2).toString(16).padStart(4, "0");
  return {
    kind: "contract-creation",
    owner,
    name: "P",
    bytecode: hex(`61${size}600c5f3961${size}5ff3${code}`),
    abi: hex(""),
    callValue: NOTHING,
    feeLimit: sun(1_000_000_000n),
    userPercent: 100n,
    originEnergyLimit: 10_000_000n,
  };
}
