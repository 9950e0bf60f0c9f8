import assert from "node:assert/strict";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type ContractFixture, contractFixture, resultText } from "../../../../test/support/chain/contract-fixture.ts";
import { bytesToHex, hexToBytes, sha256 } from "../../../tron/src/primitives/bytes.ts";
import { word } from "./bytecode.ts";

const MOST = "ff".repeat(32);

describe("invalid operands", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
  });

  const ended = async (code: string): Promise<readonly [result: string, message: string]> => {
    const { result, message } = await contracts.call(await contracts.install(code));
    return [result, message];
  };

  it("S58 report the exact energy of a log that is too long to pay for", async () => {
    const [result, message] = await ended(`67${"0f".repeat(8)}5fa0`);
    assert.equal(result, "OUT_OF_ENERGY");
    assert.match(message, /^Not enough energy for 'LOG0' operation executing: opEnergy\[8680820740569200760\],/u);
  });

  it("S61 report an overflow when the price of a log has more than 63 bits", async () => {
    assert.deepEqual(await ended(`7f${MOST}5fa0`), ["UNKNOWN", "BigInteger out of long range"]);
    const answer = await contracts.constant(`7f${MOST}5fa0`);
    assert.equal(resultText(answer), "class java.lang.ArithmeticException : BigInteger out of long range");
  });

  it("S61 stop a vote whose lists lie outside memory, although their size wraps to 0", async () => {
    assert.deepEqual(await ended(`7f${MOST}7f${MOST}7f${MOST}7f${MOST}d8`), ["UNKNOWN", "integer overflow"]);
  });

  it("extend memory for the input of a call only when it is read", async () => {
    // The code sends a coin that it does not own, with an input of 256 bytes. Calls of accounts read the input before the
    // check of the balance, calls of precompiled contracts afterwards.
    const size = async (to: string): Promise<unknown> =>
      (await contracts.constant(`5f5f6101005f600173${to.padStart(40, "0")}5af1505959 5f5260205ff3`.replace(" ", "")))
        .constant_result;
    assert.deepEqual(await size("ab"), [word(256)]);
    assert.deepEqual(await size("4"), [word(0)]);
  });

  it("fail BLAKE2, which writes zeros", async () => {
    const answer = await contracts.constant(
      `7f${MOST}5f5260205f60205f62020009 5afa5f51015f5260205ff3`.replace(" ", ""),
    );
    assert.deepEqual(answer.constant_result, [word(0)]);
  });

  it("S59 end BLAKE2 with too many rounds as a timeout", async () => {
    const rounds = `${"05000000"}${"00".repeat(209)}`;
    const store = `7f${rounds.slice(0, 64)}5f52`;
    const answer = await contracts.constant(`${store}60205f60d55f62020009 5afa00`.replace(" ", ""));
    assert.match(resultText(answer), /OutOfTimeException : CPU timeout/u);
  });
});

describe("duplicate signatures in precompiles", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
  });

  /** Returns the result of the precompiled contract that counts signatures of an account. */
  async function counted(
    signatures: (hash: Uint8Array, key: Uint8Array) => readonly string[],
  ): Promise<readonly string[]> {
    const [{ hex, privateKey } = { hex: "", privateKey: "" }] = contracts.chain.accounts;
    const digest = sha256(Buffer.from(`${hex}00000000${"11".repeat(32)}`, "hex"));
    const made = signatures(digest, hexToBytes(privateKey));
    const offsets = made.map((_, index) => word(32 * made.length + 128 * index)).join("");
    const bodies = made.map((it) => word(65) + it.padEnd(192, "0")).join("");
    const input = `${word(hex.slice(2))}${word(0)}${"11".repeat(32)}${word(128)}${word(made.length)}${offsets}${bodies}`;
    const asker = await contracts.install("365f5f3760205f365f600a620f4240fa5060205ff3");
    const { result, returned, message } = await contracts.call(asker, input);
    return [result, result === "SUCCESS" ? returned : message];
  }

  /** Signs with extra entropy, so that signatures of one key differ. */
  const sign = (hash: Uint8Array, key: Uint8Array, extra: number): string => {
    const made = secp256k1.sign(hash, key, {
      prehash: false,
      format: "recovered",
      extraEntropy: new Uint8Array(32).fill(extra),
    });
    return bytesToHex(made.slice(1)) + (27 + (made[0] ?? 0)).toString(16);
  };

  it("count once when they are the same", async () => {
    const outcome = await counted((hash, key) => [sign(hash, key, 1), sign(hash, key, 1)]);
    assert.deepEqual(outcome, ["SUCCESS", word(1)]);
  });

  it("S59 end the transaction with OUT_OF_TIME when one key made two of them", async () => {
    const outcome = await counted((hash, key) => [sign(hash, key, 1), sign(hash, key, 2)]);
    assert.deepEqual(outcome, ["OUT_OF_TIME", "Already Time Out"]);
  });

  it("are checked many at once only when there is an address for each", async () => {
    const asker = await contracts.install("365f5f3760205f365f6009620f4240fa5060205ff3");
    const input = `${"11".repeat(32)}${word(96)}${word(160)}${word(0)}${word(0)}${word(2)}`;
    assert.equal((await contracts.call(asker, input)).returned, word(0));
  });
});
