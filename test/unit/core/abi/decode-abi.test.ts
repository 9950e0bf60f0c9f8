import assert from "node:assert/strict";
import { parseSignature, signatureText } from "../../../../src/core/abi/abi-signature.ts";
import { decodeAbi } from "../../../../src/core/abi/decode-abi.ts";
import { selectorOf } from "../../../../src/core/abi/selector.ts";

const word = (digits: string): string => digits.padStart(64, "0");
const decode = (types: string, ...words: readonly string[]) =>
  decodeAbi(parseSignature(`f(${types})`).parameters, Buffer.from(words.join(""), "hex"));

describe("the ABI", () => {
  it("gives the examples of its documentation", () => {
    assert.equal(selectorOf("transfer(address,uint256)"), "a9059cbb");
    assert.equal(
      signatureText(parseSignature("Paid(address to, (uint amount, bytes memo)[] items)")),
      "Paid(address,(uint256,bytes)[])",
    );
  });

  it("keeps the chain's own type of tokens in signatures", () => {
    assert.equal(signatureText(parseSignature("pay(trcToken id, uint value)")), "pay(trcToken,uint256)");
  });

  it("takes an address with the 41 that precompiles put before it", () => {
    assert.deepEqual(decode("address", word(`41${"ab".repeat(20)}`)), [`41${"ab".repeat(20)}`]);
  });

  const malformed: { readonly [why: string]: readonly [types: string, ...words: readonly string[]] } = {
    "a number with too many bits": ["uint8", word("100")],
    "a negative number with too many bits": ["int8", word("80")],
    "a bool that is neither": ["bool", word("2")],
    "an address with other bytes before it": ["address", word(`99${"ab".repeat(20)}`)],
    "bytes that are too long": ["bytes2", "010203".padEnd(64, "0")],
    "an offset beyond the data": ["bytes", word("ff")],
    "an offset of 256 bits": ["bytes", "f".repeat(64)],
    "a length beyond the data": ["string", word("20"), word("41")],
    "an array of 4 billion items": ["uint256[]", word("20"), word("ffffffff")],
    "no data at all": ["uint256"],
  };
  for (const [why, [types, ...words]] of Object.entries(malformed)) {
    it(`refuses ${why}`, () => {
      assert.throws(() => decode(types, ...words), { code: "ABI_MALFORMED" });
    });
  }

  for (const text of [
    "",
    "f",
    "f(",
    "f(uint7)",
    "f(uint256",
    "f(uint256]])",
    "f((uint256)",
    `f(${"(".repeat(100)}`,
    "f(uint256[x])",
  ]) {
    it(`does not take "${text.slice(0, 20)}" for a signature`, () => {
      assert.throws(() => parseSignature(text), { code: "ABI_MALFORMED" });
    });
  }
});
