const FIRST_READABLE = 0x21;
const LAST_READABLE = 0x7e;

/** Whether bytes may be the name of a token or the id of an account: printable ASCII without blanks, and not empty. */
export function isReadable(bytes: Uint8Array, longest: number): boolean {
  const readable = (byte: number): boolean => byte >= FIRST_READABLE && byte <= LAST_READABLE;
  return bytes.length > 0 && bytes.length <= longest && bytes.every(readable);
}
