import assert from "node:assert/strict";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { readTransaction } from "../../src/http/wire-reader.ts";

const complaints: readonly [what: string, bytes: string, says: RegExp][] = [
  ["a length beyond the end", "0a7f00", /^While parsing a protocol message, the input ended unexpectedly/],
  ["a field that breaks off in a message within", "0a020a05", /ended unexpectedly/],
  ["a number without an end", "ff".repeat(12), /^CodedInputStream encountered a malformed varint\.$/],
  ["a field 0", "0200", /^Protocol message contained an invalid tag \(zero\)\.$/],
  ["a wire type that there is not", "0f", /^Protocol message tag had invalid wire type\.$/],
  ["the end of a group that never began", "0c", /^Protocol message end-group tag did not match expected tag\.$/],
  ["a group that ends as another one", "0b14", /^Protocol message end-group tag did not match expected tag\.$/],
  ["a length below zero", "0affffffff0f", /claimed to have negative size\.$/],
  ["a type URL that is no text", "0a075a0512030a01ff", /^Protocol message had invalid UTF-8\.$/],
];

describe("readTransaction", () => {
  for (const [what, bytes, says] of complaints) {
    it(`refuses ${what} with Java's message`, () => {
      assert.throws(
        () => readTransaction(hexToBytes(bytes)),
        (error: Error & { javaClass?: string }) =>
          says.test(error.message) && error.javaClass === "com.google.protobuf.InvalidProtocolBufferException",
      );
    });
  }

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
