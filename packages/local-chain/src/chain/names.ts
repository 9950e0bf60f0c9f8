import { bytesToHex, type Hex } from "@finality/tron/primitives";

/** What an account is called besides its address. Both are empty at first, and are set once. */
export interface Identity {
  readonly name: Hex;
  readonly id: Hex;
}

export const NAMELESS: Identity = { name: bytesToHex(new Uint8Array()), id: bytesToHex(new Uint8Array()) };

/** By what an account is found by its id: letters count without their case. */
export function idKey(id: Uint8Array): string {
  return Buffer.from(id).toString("utf8").toLowerCase();
}

const FIRST_READABLE = 0x21;
const LAST_READABLE = 0x7e;

/** Whether bytes may be the name of a token or the id of an account: printable ASCII without blanks, and not empty. */
export function isReadable(bytes: Uint8Array, longest: number): boolean {
  const readable = (byte: number): boolean => byte >= FIRST_READABLE && byte <= LAST_READABLE;
  return bytes.length > 0 && bytes.length <= longest && bytes.every(readable);
}
