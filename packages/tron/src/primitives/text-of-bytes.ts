/**
 * Decodes the text of a file or an answer, without a byte order mark. UTF-16 and UTF-32 are detected by their mark, and
 * UTF-16 without a mark by the zero bytes of its first characters; everything else is UTF-8.
 */
export function textOfBytes(bytes: Uint8Array): string {
  const starts = (...mark: readonly number[]): boolean => mark.every((it, at) => bytes[at] === it);
  if (starts(0xef, 0xbb, 0xbf)) return utf8(bytes.subarray(3));
  if (starts(0xff, 0xfe, 0, 0)) return utf32(bytes.subarray(4), true);
  if (starts(0, 0, 0xfe, 0xff)) return utf32(bytes.subarray(4), false);
  if (starts(0xff, 0xfe)) return utf16(bytes.subarray(2), true);
  if (starts(0xfe, 0xff)) return utf16(bytes.subarray(2), false);
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (first > 0 && second === 0 && third > 0 && fourth === 0) return utf16(bytes, true);
  if (first === 0 && second > 0 && third === 0 && fourth > 0) return utf16(bytes, false);
  return utf8(bytes);
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}

function utf16(bytes: Uint8Array, isLittle: boolean): string {
  const pairs = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return (isLittle ? pairs : pairs.swap16()).toString("utf16le");
}

function utf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = "";
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittle);
    text += point <= 0x10ffff ? String.fromCodePoint(point) : "\uFFFD";
  }
  return text;
}
