import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { referenceTo } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { decodeRawData, encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import type { Reply } from "../simulated-host/honest-chain.ts";
import type { GatewayBehavior } from "./behavior.ts";

type Edit = (answer: JsonObject, behavior: GatewayBehavior, question: JsonObject, memory: EditMemory) => JsonObject;

/** State of an adversarial gateway that later answers depend on. */
export class EditMemory {
  readonly built = new Map<string, JsonObject>();
  decimalsCalls = 0;
  readonly newest: () => BlockId;

  constructor(newest: () => BlockId) {
    this.newest = newest;
  }
}

const DECIMALS = "313ce567";
const HOUR_MS = 3_600_000;

/** Changes that a behavior makes to answers outside of blocks, by path. */
export const edits: { readonly [path: string]: Edit } = {
  "/wallet/createtransaction": rebuilt,
  "/wallet/triggerconstantcontract": simulated,
  "/wallet/estimateenergy": (answer, { energy }) => times(answer, "energy_required", energy),
  "/wallet/getcontractinfo": (answer, { abi }) => (abi === "narrow" ? narrowed(answer) : answer),
  "/wallet/getchainparameters": (answer, { energy }) => (energy === 1 ? answer : dearer(answer, energy)),
};

function rebuilt(
  answer: JsonObject,
  { builder }: GatewayBehavior,
  question: JsonObject,
  memory: EditMemory,
): JsonObject {
  const { built } = memory;
  if (typeof answer.raw_data_hex !== "string") return answer;
  const { owner_address, to_address, amount } = question;
  const key = JSON.stringify([owner_address, to_address, amount]);
  const earlier = built.get(key);
  built.set(key, earlier ?? answer);
  switch (builder) {
    case "true":
      return answer;
    case "earlier":
      return earlier ?? answer;
    case "late":
      return withRaw(answer, (raw) => ({ ...raw, expiration: raw.expiration + BigInt(20 * HOUR_MS) }));
    case "honest-block": {
      const { bytes, hash } = referenceTo(memory.newest());
      return withRaw(answer, (raw) => ({ ...raw, refBlockBytes: bytes, refBlockHash: hash }));
    }
    case "other":
      return withRaw(answer, (raw) => ({ ...raw, data: new Uint8Array([1]) }));
  }
}

type Raw = ReturnType<typeof decodeRawData>["raw"];

function withRaw(answer: JsonObject, change: (raw: Raw) => Raw): JsonObject {
  const bytes = encodeRawData(change(decodeRawData(hexToBytes(answer.raw_data_hex as Hex)).raw));
  return { ...answer, raw_data_hex: bytesToHex(bytes), txID: transactionId(bytes) };
}

function simulated(
  answer: JsonObject,
  behavior: GatewayBehavior,
  { data }: JsonObject,
  memory: EditMemory,
): JsonObject {
  const dear = times(answer, "energy_used", behavior.energy);
  if (data !== DECIMALS || behavior.token === "true") return dear;
  memory.decimalsCalls++;
  return { ...dear, constant_result: [decimalsOf(behavior, memory.decimalsCalls).toString(16).padStart(64, "0")] };
}

function decimalsOf({ token }: GatewayBehavior, calls: number): number {
  const reported = { true: 6, two: 2, eighteen: 18, huge: 77, changes: calls % 2 === 0 ? 8 : 6 };
  return reported[token];
}

function times(answer: JsonObject, field: string, factor: number): JsonObject {
  const value = answer[field];
  return typeof value === "number" && factor !== 1 ? { ...answer, [field]: Math.floor(value * factor) } : answer;
}

function dearer(answer: JsonObject, factor: number): JsonObject {
  const list = Array.isArray(answer.chainParameter) ? answer.chainParameter.filter(isJsonObject) : [];
  return { chainParameter: list.map((it) => (it.key === "getEnergyFee" ? times(it, "value", factor) : it)) };
}

/** Replaces uint256 by uint128, so that the names denote other functions. */
function narrowed(answer: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(answer).replaceAll('"uint256"', '"uint128"')) as JsonObject;
}

type Roll = (bound: number) => number;
type Tree = { [key: string]: unknown } | unknown[];

/** Changes one field of an answer, or all of it, at random. */
export function changeAtRandom(reply: Reply, roll: Roll, headers: string): Reply {
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

/** Repeats the headers as text and in hex, as nodes write messages. */
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

/** Omits, repeats, moves or replaces an item of a list. */
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

/** Returns another value, mostly of the same type. */
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
