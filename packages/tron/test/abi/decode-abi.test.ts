import assert from "node:assert/strict";
import { encodeAbiParameters, encodeEventTopics, keccak256, parseAbi, parseAbiParameters, stringToHex } from "viem";
import { loadDictionary } from "../../../client/src/explain/documented-sources.ts";
import { candidateFromJson, createAbiIndex, keyOf } from "../../src/abi/abi-index.ts";
import { parseSignature, selectorOf, signatureText } from "../../src/abi/abi-signature.ts";
import { decodeAbi, decodeLog } from "../../src/abi/decode-abi.ts";
import { foreignText } from "../../src/primitives/plain-text.ts";

const word = (digits: string): string => digits.padStart(64, "0");
const decode = (types: string, ...words: readonly string[]) =>
  decodeAbi(parseSignature(`f(${types})`).parameters, Buffer.from(words.join(""), "hex"));

describe("ABI types", () => {
  it("match the examples of the documentation", () => {
    assert.equal(selectorOf("transfer(address,uint256)"), "a9059cbb");
    assert.equal(
      signatureText(parseSignature("Paid(address to, (uint amount, bytes memo)[] items)")),
      "Paid(address,(uint256,bytes)[])",
    );
  });

  it("keep trcToken in signatures", () => {
    assert.equal(signatureText(parseSignature("pay(trcToken id, uint value)")), "pay(trcToken,uint256)");
  });

  it("accept an address with the prefix 41", () => {
    assert.deepEqual(decode("address", word(`41${"ab".repeat(20)}`)), [`41${"ab".repeat(20)}`]);
  });

  const malformed: { readonly [name: string]: readonly [types: string, ...words: readonly string[]] } = {
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
  it("are refused in malformed data", () => {
    for (const [name, [types, ...words]] of Object.entries(malformed))
      assert.throws(() => decode(types, ...words), { code: "ABI_MALFORMED" }, name);
  });

  it("refuse malformed signatures", () => {
    const texts = ["", "f", "f(", "f(uint7)", "f(uint256", "f(uint256]])", "f((uint256)", "f(uint256[x])"];
    for (const text of [...texts, `f(${"(".repeat(100)}`])
      assert.throws(() => parseSignature(text), { code: "ABI_MALFORMED" }, text);
  });
});

const ALICE = "0xdd791d6b49e190062d650e6a23c575510d35f2f9";
const abi = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Noted(string indexed key, uint8 indexed kind, string text, bytes2[] marks)",
]);
const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), "hex");

describe("decodeLog", () => {
  it("returns topics and data in the order of the parameters", async () => {
    const topics = encodeEventTopics({ abi, eventName: "Transfer", args: { from: ALICE, to: ALICE } }) as string[];
    const [event] = (await loadDictionary()).lookup(topics[0]?.slice(2) ?? "");
    assert.ok(event);

    const { values } = decodeLog(event, topics, bytesOf(encodeAbiParameters(parseAbiParameters("uint256"), [7n])));

    assert.equal(event.signature, "Transfer(address,address,uint256)");
    assert.deepEqual(values, [`41${ALICE.slice(2)}`, `41${ALICE.slice(2)}`, 7n]);
  });

  it("returns the hash of an indexed text", () => {
    const candidate = candidateFromJson(abi[1] as never, "test");
    assert.ok(candidate);
    const topics = encodeEventTopics({ abi, eventName: "Noted", args: { key: "a", kind: 3 } }) as string[];
    const data = encodeAbiParameters(parseAbiParameters("string, bytes2[]"), ["b", ["0x0102"]]);

    const { parameters, values } = decodeLog(candidate, topics, bytesOf(data));

    assert.equal(createAbiIndex([candidate]).lookup(keyOf(candidate)).length, 1);
    assert.equal(topics[0], `0x${keyOf(candidate)}`);
    assert.deepEqual(
      parameters.map(({ type }) => type.text),
      ["bytes32", "uint8", "string", "bytes2[]"],
    );
    assert.deepEqual(values, [keccak256(stringToHex("a")).slice(2), 3n, foreignText("b"), ["0102"]]);
  });

  it("refuses a log with another number of topics", () => {
    const candidate = candidateFromJson(abi[0] as never, "test");
    assert.ok(candidate);

    assert.throws(() => decodeLog(candidate, ["00"], Buffer.alloc(32)), { code: "ABI_MALFORMED" });
  });
});
