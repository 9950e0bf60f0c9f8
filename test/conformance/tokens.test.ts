import assert from "node:assert/strict";
import type { CodeIntent } from "../../packages/client/src/estimates/call-estimate.ts";
import { estimateCall } from "../../packages/client/src/estimates/estimate-call.ts";
import { estimateLabels, noSendingOf } from "../../packages/client/src/labels/estimates.ts";
import {
  approveData,
  parseTokenAmount,
  readToken,
  tokenBalance,
  transferData,
} from "../../packages/client/src/tokens.ts";
import { formatTokenAmount } from "../../packages/tron/src/format/amounts.ts";
import type { Address } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import { foreignText, rawText } from "../../packages/tron/src/primitives/plain-text.ts";
import { deployedContractAddress } from "../../packages/tron/src/transaction/contract-types.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { ChainBench, type Person, stranger } from "../support/chain/chain-bench.ts";
import { returning } from "../support/chain/contract-fixture.ts";
import { setFaults } from "../support/chain/fault-bench.ts";
import { FEE_LIMIT, sample } from "../support/samples/samples.ts";

const leaf = sample("Leaf");
/** Contract that returns the word 0 for every call: false for a transfer. */
const SAYS_FALSE = "60006000526020" + "6000f3";
/** Contract that returns `MKR` in 32 bytes for every call, as the first tokens do. */
const SAYS_OLD_TEXT = `7f${Buffer.from("MKR").toString("hex").padEnd(64, "0")}60005260206000f3`;

describe("TRC-20 tokens", () => {
  let bench: ChainBench;
  let alice: Person;
  let token: Address;

  before(async () => {
    bench = await ChainBench.start();
    alice = bench.person(0);
    token = await deploy(leaf.creation(alice.address, ["1000000000"]));
  });
  beforeEach(() => setFaults(bench, []));
  after(() => bench[Symbol.asyncDispose]());

  async function send(intent: Intent): Promise<string> {
    const transaction = bench.signed(intent, [alice]);
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    await bench.mine();
    const info = await bench.gateway.headTransactionInfo(transaction.txId);
    assert.equal(info?.receiptResult, "SUCCESS");
    return transaction.txId;
  }

  async function deploy(intent: CodeIntent): Promise<Address> {
    return deployedContractAddress((await send(intent)) as never, intent.owner);
  }

  const install = (runtime: string) =>
    deploy({ ...leaf.creation(alice.address, ["1"]), bytecode: hex(returning(runtime)), abi: hex("") } as CodeIntent);
  const call = (contract: Address, data: ReturnType<typeof transferData>): CodeIntent => ({
    kind: "contract-call",
    owner: alice.address,
    contract,
    data,
    callValue: sun(0n),
    feeLimit: FEE_LIMIT,
  });

  it("are read with name, symbol, decimals and balances", async () => {
    const { name, symbol, decimals } = await readToken(bench.gateway, token);

    assert.deepEqual([rawText(name), rawText(symbol), decimals], ["Leaf", "LEAF", 6]);
    assert.equal(await tokenBalance(bench.gateway, token, alice.address), 1_000_000_000n);
    assert.equal(await tokenBalance(bench.gateway, token, stranger().address), 0n);
  });

  it("are transferred and approved by the encoded call data", async () => {
    const bob = stranger().address;
    await send(call(token, transferData(bob, 5n)));
    await send(call(token, approveData(bob, 7n)));

    assert.equal(await tokenBalance(bench.gateway, token, bob), 5n);
    const allowance = leaf.call({ owner: bob, contract: token, name: "allowance", values: [alice.address, bob] });
    assert.ok(allowance.kind === "contract-call");
    const { returned } = await bench.gateway.constantCall({ ...allowance, callValue: sun(0n) });
    assert.equal(BigInt(`0x${returned}`), 7n);
  });

  it("fail before sending when the token returns false", async () => {
    const stubborn = await install(SAYS_FALSE);
    const intent = call(stubborn, transferData(stranger().address, 5n));

    const messages = estimateLabels(await estimateCall(bench.gateway, intent), intent, { marginPercent: 20n });

    assert.equal(messages.verdict, "fails");
    assert.equal(messages.headline, "would be REFUSED: the token returns false");
    assert.match(
      noSendingOf(messages) ?? "",
      /nothing is transferred, but the fee is paid\. Check balance and allowance/,
    );
  });

  it("may have names of 32 bytes", async () => {
    const { name, symbol } = await readToken(bench.gateway, await install(SAYS_OLD_TEXT)).catch((error) => error);

    assert.deepEqual([name, symbol], [foreignText("MKR"), foreignText("MKR")]);
  });

  it("are refused with a message when they do not exist or cannot be queried", async () => {
    const silent = await install("00");

    await assert.rejects(readToken(bench.gateway, silent), { code: "CONTRACT_UNKNOWN" });
    await assert.rejects(tokenBalance(bench.gateway, silent, alice.address), { code: "CONTRACT_UNKNOWN" });
    await assert.rejects(readToken(bench.gateway, stranger().address), /contract/i);
    await setFaults(bench, [{ name: "constant-calls-off" }]);
    await assert.rejects(readToken(bench.gateway, token), /does not support constant/);
  });

  it("have amounts exact in their decimals", () => {
    const six = { decimals: 6, symbol: foreignText("LEAF") };
    const none = { decimals: 0, symbol: foreignText("") };

    assert.deepEqual(
      ["25.5", "0.000001", "1,000"].map((text) => parseTokenAmount(text, six)),
      [25_500_000n, 1n, 1_000_000_000n],
    );
    assert.equal(parseTokenAmount("7", none), 7n);
    assert.deepEqual(
      [formatTokenAmount(25_500_000n, six), formatTokenAmount(1_234_567n, none), formatTokenAmount(1n, six)],
      ["25.5 LEAF", "1,234,567", "0.000001 LEAF"],
    );
    for (const text of ["", "-1", "1.0000001", "1e3", "9".repeat(90)])
      assert.throws(() => parseTokenAmount(text, six), { code: "AMOUNT_MALFORMED" }, text);
    assert.throws(() => parseTokenAmount(String(2n ** 256n), none), { code: "AMOUNT_MALFORMED" });
  });
});
