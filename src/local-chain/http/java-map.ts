const USUAL_ROOM = 16;
const LOAD = 0.75;

/** The order in which a hash map of Java goes through its keys. @param room - how many places it began with */
export function javaOrder(keys: readonly string[], room = USUAL_ROOM): string[] {
  let places = room;
  while (keys.length > places * LOAD) places *= 2;
  const placeOf = (key: string): number => spread(hashCode(key)) & (places - 1);
  return keys.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** How many places the copy of a map begins with. */
export function roomOfCopy(size: number): number {
  return size === 0 ? USUAL_ROOM : 2 ** Math.ceil(Math.log2(Math.floor(size / LOAD + 1)));
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16);
}

function hashCode(text: string): number {
  return [...text].reduce((hash, it) => (Math.imul(hash, 31) + it.charCodeAt(0)) | 0, 0);
}
