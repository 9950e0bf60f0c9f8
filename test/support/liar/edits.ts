import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { referenceTo } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { decodeRawData, encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import type { Story } from "./story.ts";

type Edit = (answer: JsonObject, story: Story, question: JsonObject, memory: EditMemory) => JsonObject;

/** Answers that an adversarial gateway repeats. */
export class EditMemory {
  readonly built = new Map<string, JsonObject>();
  asked = 0;
  readonly newest: () => BlockId;

  constructor(newest: () => BlockId) {
    this.newest = newest;
  }
}

const DECIMALS = "313ce567";
const HOUR_MS = 3_600_000;

/** Changes that a story makes to answers outside of blocks, by path. */
export const edits: { readonly [path: string]: Edit } = {
  "/wallet/createtransaction": rebuilt,
  "/wallet/triggerconstantcontract": simulated,
  "/wallet/estimateenergy": (answer, { energy }) => times(answer, "energy_required", energy),
  "/wallet/getcontractinfo": (answer, { abi }) => (abi === "narrow" ? narrowed(answer) : answer),
  "/wallet/getchainparameters": (answer, { energy }) => (energy === 1 ? answer : dearer(answer, energy)),
};

function rebuilt(answer: JsonObject, { builder }: Story, question: JsonObject, memory: EditMemory): JsonObject {
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

function simulated(answer: JsonObject, story: Story, { data }: JsonObject, memory: EditMemory): JsonObject {
  const dear = times(answer, "energy_used", story.energy);
  if (data !== DECIMALS || story.token === "true") return dear;
  memory.asked++;
  return { ...dear, constant_result: [decimalsOf(story, memory.asked).toString(16).padStart(64, "0")] };
}

function decimalsOf({ token }: Story, asked: number): number {
  const reported = { true: 6, two: 2, eighteen: 18, huge: 77, changes: asked % 2 === 0 ? 8 : 6 };
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

/** The same names with smaller numbers: another function. */
function narrowed(answer: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(answer).replaceAll('"uint256"', '"uint128"')) as JsonObject;
}
