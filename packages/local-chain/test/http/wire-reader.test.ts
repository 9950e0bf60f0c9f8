import assert from "node:assert/strict";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { readTransaction } from "../../src/http/wire-reader.ts";

const malformed: readonly [what: string, bytes: string, message: RegExp][] = [
  ["a length beyond the end", "0a7f00", /^While parsing a protocol message, the input ended unexpectedly/],
  ["a truncated field of an inner message", "0a020a05", /ended unexpectedly/],
  ["an endless number", "ff".repeat(12), /^CodedInputStream encountered a malformed varint\.$/],
  ["a field 0", "0200", /^Protocol message contained an invalid tag \(zero\)\.$/],
  ["an unknown wire type", "0f", /^Protocol message tag had invalid wire type\.$/],
  ["the end of a group without a beginning", "0c", /^Protocol message end-group tag did not match expected tag\.$/],
  ["a group with another end", "0b14", /^Protocol message end-group tag did not match expected tag\.$/],
  ["a negative length", "0affffffff0f", /claimed to have negative size\.$/],
  ["a type URL that is not UTF-8", "0a075a0512030a01ff", /^Protocol message had invalid UTF-8\.$/],
];

describe("readTransaction", () => {
  it("refuses malformed bytes with Java's messages", () => {
    for (const [what, bytes, message] of malformed) {
      const expected = { javaClass: "com.google.protobuf.InvalidProtocolBufferException", message };
      assert.throws(() => readTransaction(hexToBytes(bytes)), expected, what);
    }
  });

  it("reads raw_data of another wire type as an unknown field, and keeps it", () => {
    const number = readTransaction(hexToBytes("0801"));
    assert.equal(number.rawData, undefined);
    assert.deepEqual(
      number.$unknown?.map(({ no, wireType, data }) => [no, wireType, [...data]]),
      [[1, 0, [1]]],
    );
    assert.equal(readTransaction(hexToBytes("0b0c")).rawData, undefined);
  });

  it("reads the fields after an unknown field", () => {
    const { rawData, signature } = readTransaction(hexToBytes("08010a020a0012020102"));
    assert.deepEqual([...(rawData?.refBlockBytes ?? [1])], []);
    assert.deepEqual(
      signature.map((it) => [...it]),
      [[1, 2]],
    );
  });
});
