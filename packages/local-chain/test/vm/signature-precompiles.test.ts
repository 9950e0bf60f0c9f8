import assert from "node:assert/strict";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type ContractFixture, contractFixture, resultText } from "../../../../test/support/chain/contract-fixture.ts";
import { hexToBytes, sha256, type TxId } from "../../../tron/src/primitives/bytes.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";
import { word } from "./bytecode.ts";

const ORDER = secp256k1.Point.CURVE().n;

/** Passes its input to a precompiled contract and returns the result. */
const asking = (address: number): string =>
  `365f5f3760205f365f73${address.toString(16).padStart(40, "0")}620f4240fa60205260405ff3`;

describe("signature precompiles", () => {
  let contracts: ContractFixture;
  const hash = "11".repeat(32);

  before(async () => {
    contracts = await contractFixture();
  });

  const key = (index: number): PrivateKey =>
    hexToBytes(contracts.chain.accounts[index]?.privateKey ?? "") as PrivateKey;
  const who = (index: number): string => contracts.chain.accounts[index]?.hex ?? "";
  const signature = (index: number, of = hash): string => signTransactionId(of as TxId, key(index));
  const ask = async (address: number, input: string): Promise<readonly [answer: string, success: boolean]> => {
    const asker = await contracts.install(asking(address));
    const { returned } = await contracts.call(asker, input);
    return [returned.slice(0, 64), returned.slice(64).endsWith("1")];
  };

  it("return ecrecover's address with the prefix 41", async () => {
    const own = signature(0);
    const input = hash + word(own.slice(128)) + own.slice(0, 128);
    assert.deepEqual(await ask(1, input), [word(who(0)), true]);
  });

  it("accept a high and a low s in ecrecover", async () => {
    const own = signature(0);
    const high = word((ORDER - BigInt(`0x${own.slice(64, 128)}`)).toString(16));
    const flipped = own.slice(128) === "1b" ? "1c" : "1b";
    const input = hash + word(flipped) + own.slice(0, 64) + high;
    assert.deepEqual(await ask(1, input), [word(who(0)), true]);
  });

  it("check many signatures at once, with a byte for each valid one", async () => {
    const tail = [signature(0), signature(1)].map((it) => word(65) + it.padEnd(192, "0")).join("");
    const list = word(2) + word(64) + word(64 + 128) + tail;
    const addresses = word(2) + word(who(0).slice(2)) + word(who(2).slice(2));
    const input = hash + word(96) + word(96 + list.length / 2) + list + addresses;
    assert.deepEqual(await ask(9, input), [`01${"00".repeat(31)}`, true]);
  });

  it("check signatures against the permission of an account", async () => {
    const digest = Buffer.from(sha256(Buffer.from(`${who(0)}00000000${hash}`, "hex"))).toString("hex");
    const request = (signer: number): string =>
      word(who(0).slice(2)) +
      word(0) +
      hash +
      word(128) +
      word(1) +
      word(32) +
      word(65) +
      signature(signer, digest).padEnd(192, "0");
    assert.deepEqual(await ask(10, request(0)), [word(1), true]);
    assert.deepEqual(await ask(10, request(1)), [word(0), true]);
  });

  it("fail the frame when the input is too short", async () => {
    const asker = await contracts.install(asking(10));
    const { result, message } = await contracts.call(asker, word(1));
    assert.deepEqual([result, message], ["UNKNOWN", "Index 1 out of bounds for length 1"]);
  });

  describe("N2: counts and sizes beyond the input", () => {
    const MOST_INT = 2 ** 31 - 1;
    /** Returns an input of 0x0a whose list of signatures begins in word 4. */
    const multi = (...list: readonly (string | number)[]): string =>
      [who(0).slice(2), 0, hash, 128, ...list].map((it) => (it === hash ? hash : word(it))).join("");
    /** Returns an input of 0x09 with one signature in word 3 and one address in word 9. */
    const batch = (count: number, size: number): string =>
      hash + word(96) + word(9 * 32) + word(count) + word(32) + word(size) + signature(0).padEnd(192, "0");

    it("end the transaction when 0x0a runs out of memory, also from an inner call", async () => {
      const asker = await contracts.install(asking(10));
      const caller = await contracts.install(`365f5f375f5f365f5f73${asker.slice(2)}62989680f100`);
      for (const input of [
        multi(MOST_INT),
        multi("f".repeat(64)),
        multi(1, 32, MOST_INT),
        multi(1, 32, "1c".padEnd(64, "0")),
      ]) {
        for (const address of [asker, caller]) {
          const { result, message, energy } = await contracts.call(address, input, { feeLimit: 21_000_000 });
          assert.deepEqual([result, message, energy], ["UNKNOWN", "Unknown Throwable", 100_000]);
        }
      }
    });

    it("have the node's message in a constant call", async () => {
      const asker = await contracts.install(asking(10));
      const answer = await contracts.ask("triggerconstantcontract", {
        owner_address: who(0),
        contract_address: asker,
        data: multi(MOST_INT),
      });
      assert.equal(resultText(answer), "class java.lang.RuntimeException : Unknown Throwable");
    });

    it("fail the frame of 0x0a when the input ends before them", async () => {
      const asker = await contracts.install(asking(10));
      const message = (index: number, length: number): string => `Index ${index} out of bounds for length ${length}`;
      for (const [input, expected] of [
        [multi(21), message(5, 5)],
        [multi(1, 32 * 4), message(9, 6)],
        [multi(2, 64, 64), message(7, 7)],
      ] as const) {
        const failed = await contracts.call(asker, input, { feeLimit: 21_000_000 });
        assert.deepEqual([failed.result, failed.message], ["UNKNOWN", expected]);
      }
    });

    it("make 0x0a return 0 for more signatures than the maximum", async () => {
      const own = word(65) + signature(0).padEnd(192, "0");
      const list = Array.from({ length: 21 }, (_, index) => word(32 * 21 + 128 * index)).join("");
      assert.deepEqual(await ask(10, multi(21) + list + own.repeat(21)), [word(0), true]);
    });

    it("make 0x09 return 0", async () => {
      const addresses = word(1) + word(who(0).slice(2));
      const right = `01${"00".repeat(31)}`;
      assert.deepEqual(await ask(9, batch(1, 65) + addresses), [right, true]);
      assert.deepEqual(await ask(9, batch(1, 1000) + addresses), [right, true]);
      assert.deepEqual(await ask(9, batch(1, MOST_INT) + addresses), [word(0), true]);
      assert.deepEqual(await ask(9, batch(MOST_INT, 65) + addresses), [word(0), true]);
      assert.deepEqual(await ask(9, batch(21, 65) + addresses), [word(0), true]);
      assert.deepEqual(await ask(9, batch(1, 65) + word(MOST_INT) + word(who(0).slice(2))), [word(0), true]);
    });
  });
});
