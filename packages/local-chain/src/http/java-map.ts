const USUAL_ROOM = 16;
const LOAD = 0.75;

/** The order in which a hash map of Java goes through its keys. @param room - how many places it began with */
export function javaOrder(keys: readonly string[], room = USUAL_ROOM): string[] {
  let places = room;
  while (keys.length > places * LOAD) places *= 2;
  const placed = keys.map((key) => ({ key, place: spread(hashCode(key)) & (places - 1) }));
  return placed.sort((one, other) => one.place - other.place).map(({ key }) => key);
}

/** How many places the copy of a map begins with. */
export function roomOfCopy(size: number): number {
  return size === 0 ? USUAL_ROOM : 2 ** Math.ceil(Math.log2(Math.floor(size / LOAD + 1)));
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16);
}

function hashCode(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
