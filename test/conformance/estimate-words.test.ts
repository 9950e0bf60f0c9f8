import assert from "node:assert/strict";
import type { CodeIntent } from "../../packages/client/src/estimates/call-estimate.ts";
import { estimateCall } from "../../packages/client/src/estimates/estimate-call.ts";
import type { TransactionInfo } from "../../packages/client/src/gateway/gateway.ts";
import type { EstimateContext } from "../../packages/client/src/labels/estimates.ts";
import type { Address } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import { printJson } from "../../packages/tron/src/primitives/json.ts";
import { builtFromIntent } from "../../packages/tron/src/transaction/built-transaction.ts";
import { deployedContractAddress } from "../../packages/tron/src/transaction/contract-types.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { verifyAgainstIntent } from "../../packages/tron/src/transaction/verify-against-intent.ts";
import { ChainBench, type Person, stranger } from "../support/chain/chain-bench.ts";
import { setFaults } from "../support/chain/fault-bench.ts";
import { type ShownWords, shownWords } from "../support/failures/shown-words.ts";
import { sample } from "../support/samples/samples.ts";

const tea = sample("TeaHouse");
const leaf = sample("Leaf");
const COINS = 1_000_000n;
/** Length of a cycle, after which a heavily used contract costs more. */
const CYCLE_MS = 120_000;

describe("estimate messages", () => {
  let bench: ChainBench;
  let alice: Person;
  let bob: Person;
  let house: Address;

  before(async () => {
    bench = await ChainBench.start();
    [alice, bob] = [bench.person(0), bench.person(1)];
    house = await deploy(tea.creation(alice.address, [alice.address, "2000000"]));
  });
  beforeEach(() => setFaults(bench, []));
  after(() => bench[Symbol.asyncDispose]());

  async function send(intent: Intent): Promise<TransactionInfo> {
    const transaction = bench.signed(intent, [intent.owner === alice.address ? alice : bob]);
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    await bench.mine();
    const info = await bench.gateway.headTransactionInfo(transaction.txId);
    assert.ok(info);
    return info;
  }

  async function deploy(intent: CodeIntent): Promise<Address> {
    const info = await send(intent);
    assert.equal(info.receiptResult, "SUCCESS");
    return deployedContractAddress(info.txId, intent.owner);
  }

  const reserve = (change: Partial<CodeIntent> = {}, seats = "4"): CodeIntent =>
    tea.call({ owner: bob.address, contract: house, name: "reserve", values: [seats] }, change);

  /** Returns the messages of review, lens, hover and diagnostic for an intent. */
  async function messages(intent: CodeIntent, context: Partial<EstimateContext> = {}): Promise<ShownWords> {
    const estimate = await estimateCall(bench.gateway, intent);
    return shownWords(estimate, intent, { abi: tea.index, marginPercent: 20n, ...context });
  }

  it("show energy and coins only for a sufficient fee limit", async () => {
    const shown = await messages(reserve());

    assert.equal(shown.verdict, "fits");
    assert.match(shown.headline, /^[\d,]+ energy · [\d.]+ coins$/);
    assert.deepEqual(shown.problems, []);
  });

  it("suggest a fee limit when it is 0", async () => {
    const shown = await messages(reserve({ feeLimit: sun(0n) }));

    assert.equal(shown.verdict, "short");
    assert.match(shown.headline, / · fee_limit too small$/);
    assert.match(
      shown.problems[0] ?? "",
      /^fee_limit 0 coins pays for 0 of [\d,]+ energy: it would fail with OUT_OF_ENERGY/,
    );
    assert.match(shown.lens, /^[\d,]+ energy · [\d.]+(?: coins?)? · fee_limit 0 coins covers 0 \(0 %\)$/);
    assert.match(
      shown.diagnostic ?? "",
      /^fee_limit 0 sun \(0 coins\) is too small: the call would fail with OUT_OF_ENERGY after 0 of about/,
    );
    assert.match(shown.problems[0] ?? "", /Set fee_limit to [\d.]+ coins \([\d.]+ coins needed \+ 20 %\)\.$/);
    const info = await send(reserve({ feeLimit: shown.suggestedFeeLimit ?? sun(0n) }));
    assert.equal(info.receiptResult, "SUCCESS", "the suggested limit is sufficient");
  });

  it("name the maximum when the fee limit is above it", async () => {
    const shown = await messages(reserve({ feeLimit: sun(15_000n * COINS + 1n) }));

    assert.match(shown.headline, / · fee_limit above the maximum/);
    assert.match(shown.lens, / · fee_limit 15,000\.000001 coins is above the maximum 15,000 coins$/);
    assert.match(
      shown.diagnostic ?? "",
      /^fee_limit 15000000001 sun \(15,000\.000001 coins\) is above 15000000000 sun \(15,000 coins\), the maximum/,
    );
    assert.match(
      shown.problems[0] ?? "",
      /^fee_limit 15,000\.000001 coins is above 15,000 coins, the maximum of this chain: nodes refuse it/,
    );
  });

  it("explain that the fee limit bounds staked energy too", async () => {
    await send({ kind: "stake", owner: bob.address, resource: "ENERGY", amount: sun(5_000n * COINS) });
    const shown = await messages(reserve({ feeLimit: sun(1_000n) }));

    assert.match(
      shown.lens,
      /^[\d,]+ energy · (?:nothing to burn|[\d.]+(?: coins?)?) · fee_limit 0\.001 coins covers \d+ \(0 %\)$/,
    );
    assert.match(shown.diagnostic ?? "", /Staked energy does not raise this limit\.$/);
    assert.match(
      shown.problems[0] ?? "",
      /pays for [\d,]+ of [\d,]+ energy; it limits staked energy too: it would fail with OUT_OF_ENERGY/,
    );
    assert.ok(
      shown.figures.some(({ name, source }) => name === "paid by staked energy" && source === "getaccountresource"),
    );
    assert.ok((await messages(reserve())).figures.every(({ name }) => !name.startsWith("burned for")));
    assert.equal((await send(reserve({ feeLimit: sun(1_000n) }))).receiptResult, "OUT_OF_ENERGY");
  });

  it("show the owner's share as a separate figure", async () => {
    await send({ kind: "stake", owner: alice.address, resource: "ENERGY", amount: sun(2_000n * COINS) });
    const shared = await deploy(tea.creation(alice.address, [alice.address, "2000000"], { userPercent: 70n }));
    const intent = reserve({ contract: shared });
    const shown = await messages(intent);

    assert.match(
      shown.notes[0] ?? "",
      /^The contract's owner pays [\d,]+ of the energy, as long as its stake lasts\.$/,
    );
    const figure = (label: string): number =>
      Number(shown.figures.find(({ name }) => name === label)?.value.replaceAll(",", ""));
    assert.equal(figure("paid by the contract's owner"), Math.floor((figure("Energy") * 30) / 100));
  });

  it("name the dynamic penalty, which may change", async () => {
    await using busy = await ChainBench.start({
      parameters: {
        getAllowDynamicEnergy: 1,
        getDynamicEnergyThreshold: 100,
        getDynamicEnergyIncreaseFactor: 5000,
        getDynamicEnergyMaxFactor: 10_000,
      },
    });
    const person = busy.person(0);
    const sendOnBusy = async (intent: Intent) => {
      const transaction = busy.signed(intent, [person]);
      assert.deepEqual(await busy.outcome(transaction), { kind: "accepted" });
      await busy.mine();
      return transaction.txId;
    };
    // Usage in the first cycle of a chain does not count.
    await busy.warp(CYCLE_MS);
    const txId = await sendOnBusy(tea.creation(person.address, [person.address, "2000000"]));
    const contract = deployedContractAddress(txId, person.address);
    const steep = tea.call({ owner: person.address, contract, name: "steep", values: ["20"] });
    await sendOnBusy(steep);
    await busy.warp(CYCLE_MS);

    const shown = shownWords(await estimateCall(busy.gateway, steep), steep, { marginPercent: 20n });

    assert.match(
      shown.notes[0] ?? "",
      /^[\d,]+ of the energy is the penalty for a heavily used contract: it may change/,
    );
    assert.ok(shown.figures.some(({ name }) => name === "including penalty"));
  });

  it("show a fix instead of a figure when constant calls are off", async () => {
    await setFaults(bench, [{ name: "constant-calls-off" }]);
    const shown = await messages(reserve());

    assert.equal(shown.verdict, "unknown");
    assert.equal(shown.headline, "not available: this node does not run constant calls");
    assert.equal(shown.icon, "circle-slash");
    assert.match(shown.problems[0] ?? "", /Use a node with vm\.supportConstant = true, or set fee_limit manually\.$/);
    assert.deepEqual(shown.figures, []);
  });

  it("name the address when the contract is missing", async () => {
    const shown = await messages(reserve({ contract: stranger().address }));

    assert.equal(shown.headline, "not available: there is no such contract");
    assert.match(
      shown.problems[0] ?? "",
      /^There is no contract at T\w{33} on this network\. Check the address and the network/,
    );
  });

  it("warn that a contract newer than the solidified block could be removed", async () => {
    const young = await deploy(tea.creation(alice.address, [alice.address, "2000000"]));
    const intent = reserve({ contract: young });
    assert.equal(await bench.gateway.isSolid(young), false);
    const shown = await messages(intent);

    assert.match(shown.headline, /^[\d,]+ energy/);
    assert.match(shown.notes.join(" "), /newer than the last solidified block: a reorganization could remove it/);
    await bench.mine(30);
    assert.equal(await bench.gateway.isSolid(young), true);
    assert.doesNotMatch((await messages(intent)).notes.join(" "), /younger/);
  });

  it("show no figure when the arguments cannot be decoded", async () => {
    const cut = reserve();
    const shown = await messages({ ...cut, data: hex((cut as { data: string }).data.slice(0, 24)) } as CodeIntent);

    assert.equal(shown.verdict, "fails");
    assert.match(shown.headline, /^would REVERT/);
    assert.equal(shown.icon, "error");
    assert.match(shown.problems[0] ?? "", /The arguments could not be decoded/);
    assert.doesNotMatch(shown.headline, /\d/);
  });

  it("explain a value sent to a function that is not payable", async () => {
    const intent = reserve({ callValue: sun(3n * COINS) });
    const shown = await messages(intent, { mutability: "nonpayable" });
    const guessed = await messages(intent);

    assert.equal(shown.headline, "would REVERT: not payable");
    assert.match(
      shown.problems[0] ?? "",
      /^It is not payable, and 3 coins would be sent with it\. Set the call value to 0\.$/,
    );
    assert.match(guessed.problems[0] ?? "", /the function is not payable/);
  });

  it("show the reason of a revert with the artifact's names", async () => {
    const withText = await messages(reserve({}, "99"));
    const custom = await messages(tea.call({ owner: bob.address, contract: house, name: "setPrice", values: ["1"] }));
    const panic = await messages(tea.call({ owner: bob.address, contract: house, name: "bringBack", values: ["1"] }));

    assert.equal(withText.headline, "would REVERT: The tea house has twelve seats.");
    assert.match(custom.headline, /^would REVERT: OnlyOwner\(caller: T\w{33}, owner: T\w{33}\)$/);
    assert.match(panic.headline, /^would REVERT: Panic 0x11/);
    for (const shown of [withText, custom, panic]) assert.deepEqual([shown.verdict, shown.figures], ["fails", []]);
  });

  it("reserve energy for calls that forward coins", async () => {
    const tip = (feeLimit: bigint): CodeIntent =>
      tea.call(
        { owner: bob.address, contract: house, name: "tip", values: [alice.address] },
        { callValue: sun(COINS), feeLimit: sun(feeLimit) },
      );
    const roomy = await messages(tip(1_000n * COINS));
    const needed = roomy.neededFeeLimit ?? assert.fail("no limit is named");
    const tight = await messages(tip(needed));

    assert.match(
      tight.notes.join(" "),
      /^fee_limit leaves less than 2,300 energy as a reserve: code that forwards coins/,
    );
    assert.doesNotMatch(roomy.notes.join(" "), /fee_limit leaves/);
    assert.equal(roomy.figures.at(-1)?.source, "needed + 2,300 energy");
    assert.equal((await send(tip(needed))).receiptResult, "OUT_OF_ENERGY");
    assert.equal((await send(tip(roomy.suggestedFeeLimit ?? 0n))).receiptResult, "SUCCESS");
  });

  it("show the missing amount when the balance is too low", async () => {
    const poor = stranger().address;
    await bench.fund(poor, 1_000n);
    const shown = await messages(reserve({ owner: poor }));

    assert.match(shown.headline, / · balance too small/);
    assert.match(shown.lens, / · balance lacks [\d.]+ coins$/);
    assert.match(shown.problems.join(" "), /The balance lacks [\d.]+ coins: it can pay for [\d,]+ of [\d,]+ energy/);
    const value = await messages(
      tea.call({ owner: poor, contract: house, name: "tip", values: [bob.address] }, { callValue: sun(COINS) }),
    );
    assert.equal(value.headline, "not available: the balance is too small");
  });

  it("estimate a deployment with the same bytes that the node builds", async () => {
    for (const [it, values] of [
      [leaf, ["1000000"]],
      [tea, [alice.address, "2000000"]],
    ] as const) {
      const intent = it.creation(alice.address, values, { callValue: sun(0n), userPercent: 30n });
      assert.ok(intent.kind === "contract-creation");
      const { timestamp } = bench.head;
      const theirs = await bench.ask("/wallet/deploycontract", {
        owner_address: intent.owner,
        abi: JSON.stringify(it.abi),
        bytecode: intent.bytecode,
        name: it.name,
        fee_limit: Number(intent.feeLimit),
        consume_user_resource_percent: 30,
        origin_energy_limit: 10_000_000,
      });
      const built = { txId: theirs.txID, rawDataHex: theirs.raw_data_hex } as never;
      const verification = verifyAgainstIntent(built, intent, { headTimestamp: timestamp });
      assert.equal(verification.kind, "same", printJson(verification as never));
      const validity = {
        referenceBlock: bench.chain.simulation.chain.solid.id,
        timestamp,
        expiration: timestamp + 60_000,
      };
      assert.equal(
        verifyAgainstIntent(builtFromIntent(intent, validity), intent, { headTimestamp: timestamp }).kind,
        "same",
      );
    }
  });
});
