import assert from "node:assert/strict";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes, sha256, type TxId } from "../../../../src/core/primitives/bytes.ts";
import { type PrivateKey, signTransactionId } from "../../../../src/core/transaction/signature.ts";
import { type ContractFixture, contractFixture } from "../../../support/chain/contract-fixture.ts";

const ORDER = secp256k1.Point.CURVE().n;
const word = (value: string | number): string =>
  (typeof value === "number" ? value.toString(16) : value).padStart(64, "0");

/** Passes its input to a precompiled contract and returns what that says. */
const asking = (address: number): string =>
  `365f5f3760205f365f73${address.toString(16).padStart(40, "0")}620f4240fa60205260405ff3`;

describe("signatures inside contracts", () => {
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

  it("give ecrecover's answer with the 41 in front", async () => {
    const own = signature(0);
    const input = hash + word(own.slice(128)) + own.slice(0, 128);
    assert.deepEqual(await ask(1, input), [word(who(0)), true]);
  });

  it("are taken by ecrecover whether s is high or low", async () => {
    const own = signature(0);
    const high = word((ORDER - BigInt(`0x${own.slice(64, 128)}`)).toString(16));
    const flipped = own.slice(128) === "1b" ? "1c" : "1b";
    const input = hash + word(flipped) + own.slice(0, 64) + high;
    assert.deepEqual(await ask(1, input), [word(who(0)), true]);
  });

  it("are checked many at once: a byte for each that its address has made", async () => {
    const tail = [signature(0), signature(1)].map((it) => word(65) + it.padEnd(192, "0")).join("");
    const list = word(2) + word(64) + word(64 + 128) + tail;
    const addresses = word(2) + word(who(0).slice(2)) + word(who(2).slice(2));
    const input = hash + word(96) + word(96 + list.length / 2) + list + addresses;
    assert.deepEqual(await ask(9, input), [`01${"00".repeat(31)}`, true]);
  });

  it("are counted against the permission of an account", async () => {
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

  it("fail the frame where the node stumbles over an input that is too short", async () => {
    const asker = await contracts.install(asking(10));
    const { result, message } = await contracts.call(asker, word(1));
    assert.deepEqual([result, message], ["UNKNOWN", "Index 1 out of bounds for length 1"]);
  });
});
