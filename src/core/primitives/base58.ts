/**
 * Base58 as addresses use it, without a checksum. A few lines instead of a package that knows every base: all of it is
 * loaded at the start.
 */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** The text of bytes; each zero byte at the start is a `1`. Takes time that grows with the square of the length. */
export function encodeBase58(bytes: Uint8Array): string {
  const digits = convert([...bytes], 256, 58);
  return ALPHABET[0]?.repeat(zerosAt(bytes)) + digits.map((digit) => ALPHABET[digit]).join("");
}

/** The bytes of a text; undefined when it has a character that base58 does not. */
export function decodeBase58(text: string): Uint8Array | undefined {
  const digits = [...text].map((letter) => ALPHABET.indexOf(letter));
  if (digits.includes(-1)) return undefined;
  return Uint8Array.of(...new Uint8Array(zerosAt(digits)), ...convert(digits, 58, 256));
}

/** The digits of a number in another base, the highest one first, without zeros before it. */
function convert(digits: readonly number[], from: number, to: number): readonly number[] {
  const result: number[] = [];
  for (const digit of digits) {
    let carry = digit;
    for (let at = 0; at < result.length; at++) {
      carry += (result[at] ?? 0) * from;
      result[at] = carry % to;
      carry = Math.floor(carry / to);
    }
    for (; carry > 0; carry = Math.floor(carry / to)) result.push(carry % to);
  }
  return result.reverse();
}

function zerosAt(digits: ArrayLike<number>): number {
  let count = 0;
  while (count < digits.length && digits[count] === 0) count++;
  return count;
}
