import assert from "node:assert/strict";
import fc from "fast-check";
import { textOfBytes } from "../../src/primitives/text-of-bytes.ts";

const TEXT = '{"name": "Tēa ☕ 茶 🍵"}';
const littleEndian = (text: string): Buffer => Buffer.from(text, "utf16le");
const bigEndian = (text: string): Buffer => littleEndian(text).swap16();
const utf32 = (text: string, isLittle: boolean): Buffer =>
  Buffer.concat(
    [...text].map((it) => {
      const bytes = Buffer.alloc(4);
      if (isLittle) bytes.writeUInt32LE(it.codePointAt(0) ?? 0);
      else bytes.writeUInt32BE(it.codePointAt(0) ?? 0);
      return bytes;
    }),
  );

describe("textOfBytes", () => {
  it("F8: decodes each Unicode encoding by its mark, and PowerShell's UTF-16 without one", () => {
    const files = [
      Buffer.from(TEXT),
      Buffer.from(`\uFEFF${TEXT}`),
      littleEndian(`\uFEFF${TEXT}`),
      bigEndian(`\uFEFF${TEXT}`),
      littleEndian(TEXT),
      bigEndian(TEXT),
      utf32(`\uFEFF${TEXT}`, true),
      utf32(`\uFEFF${TEXT}`, false),
    ];

    for (const [at, bytes] of files.entries()) assert.equal(textOfBytes(bytes), TEXT, `file ${at}`);
    assert.equal(textOfBytes(new Uint8Array(Buffer.from(`xx${TEXT}`)).subarray(2)), TEXT, "a part of other bytes");
  });

  it("decodes other bytes as UTF-8 without an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.startsWith("\uFEFF") && !text.includes("\0"));
        assert.equal(textOfBytes(Buffer.from(text)), text);
      }),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 9 }), (bytes) => typeof textOfBytes(bytes) === "string"));
  });

  it("does not change the bytes", () => {
    const bytes = bigEndian(`\uFEFF${TEXT}`);
    const before = Buffer.from(bytes);

    textOfBytes(bytes);

    assert.deepEqual(bytes, before);
  });
});
