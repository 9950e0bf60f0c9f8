import type { Reply } from "./honest-chain.ts";

type Roll = (bound: number) => number;
type Tree = { [key: string]: unknown } | unknown[];

/** Changes one place of an answer, or all of it, at random. */
export function randomLie(reply: Reply, roll: Roll, headers: string): Reply {
  if (roll(5) === 0) return outside(roll, headers);
  try {
    const json: unknown = JSON.parse(reply.body);
    return { ...reply, body: JSON.stringify(changed(json, roll)) };
  } catch {
    return reply;
  }
}

const STATUSES = [200, 400, 401, 404, 408, 413, 422, 429, 500, 502, 503];
const BODIES = [
  "{}",
  "[]",
  "",
  "null",
  '{"Error":"class org.tron.core.exception.ContractValidateException : balance is not sufficient."}',
  '{"code":"CONTRACT_VALIDATE_ERROR","message":"no"}',
  '{"result":true}',
  '{"result":{"code":"OTHER_ERROR","message":"6e6f"}}',
  "<html>Bad gateway</html>",
  '{"transactions":[],"block":[]}',
];

/** Returns the answer of a proxy before the node, which may repeat the request. */
function outside(roll: Roll, headers: string): Reply {
  const status = STATUSES[roll(STATUSES.length)] ?? 500;
  const body = roll(4) === 0 ? echoOf(headers) : (BODIES[roll(BODIES.length)] ?? "");
  return { status, body };
}

/** As text, and as nodes write their messages. */
function echoOf(headers: string): string {
  return JSON.stringify({ Error: `${headers} ${Buffer.from(headers).toString("hex")}` });
}

function changed(json: unknown, roll: Roll): unknown {
  const places: { tree: Tree; key: string | number }[] = [];
  collect(json, places);
  const place = places[roll(Math.max(1, places.length))];
  if (place === undefined) return [{}, [], null, true][roll(4)];
  const { tree, key } = place;
  if (Array.isArray(tree)) changeItem(tree, Number(key), roll);
  else changeField(tree, String(key), roll);
  return json;
}

function collect(json: unknown, places: { tree: Tree; key: string | number }[]): void {
  if (typeof json !== "object" || json === null) return;
  const tree = json as Tree;
  for (const key of Array.isArray(tree) ? tree.keys() : Object.keys(tree)) {
    places.push({ tree, key });
    collect((tree as { [key: string]: unknown })[key], places);
  }
}

/** Omitted, twice, or in another place of the list. */
function changeItem(list: unknown[], index: number, roll: Roll): void {
  const [item] = list.splice(index, 1);
  switch (roll(4)) {
    case 0:
      return;
    case 1:
      list.splice(index, 0, item, structuredClone(item));
      return;
    case 2:
      list.splice(roll(list.length + 1), 0, item);
      return;
    default:
      list.splice(index, 0, other(item, roll));
  }
}

function changeField(object: { [key: string]: unknown }, key: string, roll: Roll): void {
  if (roll(3) === 0) delete object[key];
  else object[key] = other(object[key], roll);
}

/** Another value, mostly of the same kind. */
function other(value: unknown, roll: Roll): unknown {
  if (roll(12) === 0) return [null, "", {}, [], -1, true, "00".repeat(32), 2 ** 53][roll(8)];
  switch (typeof value) {
    case "number":
      return value + ([1, -1, 3_000, 60_000, 172_800_000, -value, value][roll(7)] ?? 1);
    case "boolean":
      return !value;
    case "string":
      return otherText(value, roll);
    default:
      return value;
  }
}

function otherText(text: string, roll: Roll): string {
  if (text === "" || !/^[0-9a-f]+$/i.test(text))
    return ["SUCCESS", "REVERT", "OUT_OF_ENERGY", `${text}x`][roll(4)] ?? "";
  const at = roll(text.length);
  const digit = ((Number.parseInt(text[at] ?? "0", 16) + 1 + roll(15)) % 16).toString(16);
  return text.slice(0, at) + digit + text.slice(at + 1);
}
