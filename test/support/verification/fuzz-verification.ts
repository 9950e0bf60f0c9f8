import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { readAnswer } from "../../../packages/client/src/gateway/wire/answer.ts";
import { parseBuiltTransaction } from "../../../packages/client/src/gateway/wire/transaction.ts";
import { isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { bytesToHex, hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import { printJson } from "../../../packages/tron/src/primitives/json.ts";
import { builtFromIntent, type Validity } from "../../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { decodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { rawDataToJson } from "../../../packages/tron/src/transaction/transaction-json.ts";
import type {
  Verification,
  verifyAgainstIntent,
} from "../../../packages/tron/src/transaction/verify-against-intent.ts";
import { dice } from "../random/dice.ts";
import { anyIntent, anyOtherIntent, anyValidity, HEAD_TIMESTAMP, intentKinds } from "../tracking/intents.ts";
import { changedAnswer } from "./answer-changes.ts";
import { type Change, randomChange, structuralChanges } from "./structural-changes.ts";
import { readFields, readVarint, VARINT, type WireField, writeFields } from "./wire-message.ts";

/** All kinds that can be signed here. */
export const fuzzedKinds: readonly Intent["kind"][] = [...intentKinds, "other"];

function anyOf(kind: Intent["kind"]): fc.Arbitrary<Intent> {
  return kind === "other" ? anyOtherIntent : anyIntent(kind);
}

/** Results of the changed answers to one kind of intent. */
interface FuzzCounts {
  structural: number;
  random: number;
  /** Changes of the JSON around the bytes. */
  answers: number;
  refused: number;
  /** Accepted with the requested bytes: the change had no effect. */
  sameBytes: number;
  /** Accepted with another reference block, expiration or timestamp. */
  choices: number;
}

export interface FuzzPlan {
  readonly seed: number;
  readonly intents: number;
  /** Of each intent at most; spread over all that there are. */
  readonly structural: number;
  readonly random: number;
  readonly answers: number;
}

type Verify = typeof verifyAgainstIntent;

interface Round {
  readonly verify: Verify;
  readonly intent: Intent;
  readonly bytes: Uint8Array;
  readonly counts: FuzzCounts;
}

/**
 * Changes what a gateway answers to wishes of one kind, and holds what is accepted against the wish.
 *
 * @throws {Error} something was accepted that nobody asked for, or an honest answer was refused
 */
export function fuzzVerification(verify: Verify, kind: Intent["kind"], plan: FuzzPlan): FuzzCounts {
  const counts = { structural: 0, random: 0, answers: 0, refused: 0, sameBytes: 0, choices: 0 };
  const { seed, intents: numRuns } = plan;
  const wishes = fc.sample(fc.tuple(anyOf(kind), anyIntent(), anyValidity), { seed, numRuns });
  for (const [index, [intent, other, validity]] of wishes.entries()) {
    const round = { verify, intent, bytes: bytesOf(intent, validity), counts };
    if (attempt(round, answerOf(round.bytes)) !== "same bytes") throw new Error(`An honest ${kind} is refused.`);
    changeOnce(round, {
      plan,
      others: [bytesOf(other, validity), foreignOf(kind, index, validity)],
      seed: seed + index,
    });
  }
  return counts;
}

/** Of the kinds in their order, so that each stands in each one's place. */
function foreignOf(kind: Intent["kind"], index: number, validity: Validity): Uint8Array {
  const other = fuzzedKinds[(fuzzedKinds.indexOf(kind) + index) % fuzzedKinds.length] ?? kind;
  return bytesOf(fc.sample(anyOf(other), { seed: index, numRuns: 1 })[0] as Intent, validity);
}

interface RoundPlan {
  readonly plan: FuzzPlan;
  readonly others: readonly [Uint8Array, Uint8Array];
  readonly seed: number;
}

function changeOnce(round: Round, { plan, others, seed }: RoundPlan): void {
  const { bytes, counts } = round;
  const roll = dice(seed);
  const structural = [...structuralChanges(bytes, others)];
  for (const change of some(structural, plan.structural, roll)) {
    if (tryBytes(round, change, roll(8) === 0)) counts.structural += 1;
  }
  for (let made = 0; made < plan.random; made += 1) {
    const change = randomChange(bytes, others[roll(2)] ?? bytes, roll);
    if (tryBytes(round, change, roll(8) === 0)) counts.random += 1;
  }
  const [answer, foreign] = [answerOf(bytes), answerOf(others[roll(2)] ?? bytes)];
  for (let made = 0; made < plan.answers; made += 1) {
    const { name, body } = changedAnswer(answer, foreign, roll);
    note(round, name, body);
    counts.answers += 1;
  }
}

/** So many of a list, spread over all of it. */
function some<T>(all: readonly T[], count: number, roll: (bound: number) => number): readonly T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  const first = roll(step);
  return all.filter((_, index) => index % step === first).slice(0, count);
}

/** @returns whether the bytes are other ones at all */
function tryBytes(round: Round, { name, bytes: make }: Change, keepsTxId: boolean): boolean {
  const bytes = make();
  if (Buffer.compare(bytes, round.bytes) === 0) return false;
  note(round, name, answerOf(bytes, keepsTxId ? sha256(round.bytes) : sha256(bytes)));
  return true;
}

function note(round: Round, name: string, body: string): void {
  const { counts, intent } = round;
  const outcome = attempt(round, body);
  if (outcome === "refused") counts.refused += 1;
  else if (outcome === "same bytes") counts.sameBytes += 1;
  else if (outcome === "choice") counts.choices += 1;
  else throw new Error(`${intent.kind}, ${name}: accepted although ${outcome}. ${body}`);
}

/** Returns the result for an answer; any other text is the fault of an accepted one. */
function attempt({ verify, intent, bytes }: Round, body: string): "refused" | "same bytes" | "choice" | (string & {}) {
  const verification = verified(verify, intent, body);
  if (verification?.kind !== "same") return "refused";
  const accepted = hexToBytes(verification.rawDataHex);
  if (verification.txId !== sha256(accepted)) return "the txID is not that of the bytes";
  if (verification.intent !== intent) return "the intent is another one";
  if (Buffer.compare(accepted, bytes) === 0) return "same bytes";
  return wrongWith(accepted, bytes, HEAD_TIMESTAMP) ?? "choice";
}

/** As an answer of a gateway comes in; undefined when it is refused before its bytes are looked at. */
function verified(verify: Verify, intent: Intent, body: string): Verification | undefined {
  try {
    const built = readAnswer({ endpoint: "builder", body }, parseBuiltTransaction);
    return verify(built, intent, { headTimestamp: HEAD_TIMESTAMP });
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

function bytesOf(intent: Intent, validity: Validity): Uint8Array {
  return hexToBytes(builtFromIntent(intent, validity).rawDataHex);
}

/** As a builder of the node answers; what cannot be shown is not. */
function answerOf(bytes: Uint8Array, txID = sha256(bytes)): string {
  return printJson({ visible: false, txID, raw_data: shown(bytes), raw_data_hex: bytesToHex(bytes) });
}

function shown(bytes: Uint8Array) {
  try {
    return rawDataToJson(decodeRawData(bytes).raw, false);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return {};
  }
}

const DAY_MS = 86_400_000n;
const [REFERENCE_BYTES, REFERENCE_HASH, EXPIRATION, TIMESTAMP] = [1, 4, 8, 14];
const CHOSEN = [REFERENCE_BYTES, REFERENCE_HASH, EXPIRATION, TIMESTAMP];

/**
 * Returns the fault of accepting these bytes in place of the requested ones. Undefined if only reference block, bounded
 * expiration and timestamp differ. It shares no code with the verification.
 *
 * @param head - chain time of the newest block, ms
 */
function wrongWith(accepted: Uint8Array, asked: Uint8Array, head: number): string | undefined {
  const [found, expected] = [readFields(accepted), readFields(asked)];
  if (found === undefined || expected === undefined) return "they are not the shortest encoding of a message";
  if (!isSame(withoutChoices(found), withoutChoices(expected))) return "they say something else";
  const numbers = found.map(({ number }) => number);
  if (numbers.some((it, at) => it < (numbers[at - 1] ?? 0))) return "their fields are in another order";
  return choiceProblem(found, BigInt(head));
}

function isSame(some: readonly WireField[], others: readonly WireField[]): boolean {
  return Buffer.compare(writeFields(some), writeFields(others)) === 0;
}

function withoutChoices(fields: readonly WireField[]): readonly WireField[] {
  return fields.filter(({ number }) => !CHOSEN.includes(number));
}

function choiceProblem(fields: readonly WireField[], head: bigint): string | undefined {
  const once = (number: number): WireField | undefined => {
    const all = fields.filter((it) => it.number === number);
    return all.length === 1 ? all[0] : undefined;
  };
  const expiration = numberIn(once(EXPIRATION));
  if (once(REFERENCE_BYTES)?.value.length !== 2) return "the reference has not 2 bytes";
  if (once(REFERENCE_HASH)?.value.length !== 8) return "the reference hash has not 8 bytes";
  if (expiration === undefined) return "there is no expiration";
  if (expiration <= head || expiration > head + DAY_MS) return "the expiration is out of bounds";
  const hasTimestamp = fields.some((it) => it.number === TIMESTAMP);
  return hasTimestamp && (numberIn(once(TIMESTAMP)) ?? -1n) < 1n ? "the timestamp is no time" : undefined;
}

function numberIn(field: WireField | undefined): bigint | undefined {
  return field?.wire === VARINT ? readVarint(field.value) : undefined;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
