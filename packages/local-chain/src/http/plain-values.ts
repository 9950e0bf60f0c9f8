import { isHexPairs } from "@finality/tron/primitives";
import { isMembers, type Value as Member, type Members } from "./java-values.ts";
import type { Enumeration, FieldKind, Fields, Value, Values } from "./json-format.ts";

/** A name that the node's reader takes for one, and not for the number of a field. */
const NAME = /^[A-Za-z_]\w*$/;
/** Nothing in it that JSON would write in another way. */
const PLAIN_TEXT = /^[\w ./:-]*$/;
const INTEGER_BITS = { int32: 32, int64: 64 } as const;

/**
 * What `mergeJson` reads of an object when it is printed, without printing it, as long as there is nothing special about
 * it; with `visible` off. Nearly all that clients send is so.
 *
 * @returns undefined when only `mergeJson` knows what the node makes of it
 */
export function plainValues(members: Members, fields: Fields): Values | undefined {
  const values: Record<string, Value> = {};
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined || member === null) continue;
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined) {
      if (!isSkipped(name, member)) return undefined;
      continue;
    }
    const value = plainValue(member, kind);
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return values;
}

/** Of a text or a boolean that no field takes nothing is asked. */
function isSkipped(name: string, member: Member): boolean {
  return NAME.test(name) && (typeof member === "string" || typeof member === "boolean");
}

function plainValue(member: Member, kind: FieldKind): Value | undefined {
  if (typeof kind === "object") return plainInner(member, kind);
  switch (kind) {
    case "address":
    case "name":
    case "bytes":
      return typeof member === "string" && isHexPairs(member) ? member.toLowerCase() : undefined;
    case "text":
      return typeof member === "string" && PLAIN_TEXT.test(member) ? member : undefined;
    case "int64":
    case "int32":
      return plainInteger(member, INTEGER_BITS[kind]);
    case "bool":
      return typeof member === "boolean" ? member : undefined;
  }
}

function plainInner(member: Member, kind: Exclude<FieldKind, string>): Value | undefined {
  if ("fields" in kind) return isMembers(member) ? plainValues(member, kind.fields) : undefined;
  if ("enumeration" in kind) return plainName(member, kind);
  if (!Array.isArray(member)) return undefined;
  const items = member.map((it: Member) => (it === null ? undefined : plainValue(it, kind.each)));
  return items.every((it) => it !== undefined) ? items : undefined;
}

function plainName(member: Member, { names }: Enumeration): number | undefined {
  const index = typeof member === "string" ? names.indexOf(member) : -1;
  return index < 0 ? undefined : index;
}

function plainInteger(member: Member, bits: number): bigint | undefined {
  if (typeof member !== "bigint" && !Number.isSafeInteger(member)) return undefined;
  const value = BigInt(member as number | bigint);
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}
