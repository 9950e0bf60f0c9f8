import assert from "node:assert/strict";
import { encodeAbiParameters, encodeEventTopics, keccak256, parseAbi, parseAbiParameters, stringToHex } from "viem";
import { candidateFromJson, createAbiIndex, keyOf } from "../../../../src/core/abi/abi-index.ts";
import { decodeLog } from "../../../../src/core/abi/decode-log.ts";
import { loadDictionary } from "../../../../src/core/explain/dictionary.ts";
import { foreignText } from "../../../../src/core/primitives/foreign-text.ts";

const ALICE = "0xdd791d6b49e190062d650e6a23c575510d35f2f9";
const abi = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Noted(string indexed key, uint8 indexed kind, string text, bytes2[] marks)",
]);
const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), "hex");

describe("the decoder of events", () => {
  it("reads topics and data in the order of the parameters", async () => {
    const topics = encodeEventTopics({ abi, eventName: "Transfer", args: { from: ALICE, to: ALICE } }) as string[];
    const [event] = (await loadDictionary()).lookup(topics[0]?.slice(2) ?? "");
    assert.ok(event);

    const { values } = decodeLog(event, topics, bytesOf(encodeAbiParameters(parseAbiParameters("uint256"), [7n])));

    assert.equal(event.signature, "Transfer(address,address,uint256)");
    assert.deepEqual(values, [`41${ALICE.slice(2)}`, `41${ALICE.slice(2)}`, 7n]);
  });

  it("gives the hash of an indexed text, as a word", () => {
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
