import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeEntry } from "../../packages/client/src/journal/journal-codec.ts";
import type { JournalEntry, RecordedOutcome } from "../../packages/client/src/transaction-state/journal-entry.ts";
import { type Address, parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import type { BlockId, BlockReference } from "../../packages/tron/src/primitives/block.ts";
import { type Hex, sha256, type TxId } from "../../packages/tron/src/primitives/bytes.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Upper limit of the age of transactions of today; ms. */
const TODAY = 31 * MINUTE;

export const ALICE: Address = parseAddress("410000000000000000000000000000000000000a11");
export const BOB: Address = parseAddress("410000000000000000000000000000000000000b0b");
export const CAROL: Address = parseAddress("410000000000000000000000000000000000000ca0");

/** One transaction of the story: when it was signed, and what became of it. */
interface Chapter {
  readonly name: string;
  readonly age: number;
  readonly to: Address;
  readonly coins: bigint;
  readonly label?: string;
  readonly answers: readonly RecordedOutcome[];
  readonly later?: (at: number) => readonly JournalFact[];
}

type JournalFact = JournalEntry extends infer E ? (E extends JournalEntry ? Omit<E, "txId"> : never) : never;

const accepted: RecordedOutcome = { kind: "accepted" };
const lost: RecordedOutcome = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "the connection was reset" };
const poor: RecordedOutcome = {
  kind: "rejected",
  code: "CONTRACT_VALIDATE_ERROR",
  message: "Contract validate error : Validate TransferContract error, balance is not sufficient.",
};

/** A transaction in each state, as a journal would tell it. */
export const CHAPTERS: readonly Chapter[] = [
  { name: "unknown", age: 40 * SECOND, to: BOB, coins: 250n, answers: [lost] },
  { name: "rejected", age: 3 * MINUTE, to: CAROL, coins: 20_000n, answers: [poor] },
  { name: "pending", age: 2 * SECOND, to: BOB, coins: 2n, answers: [accepted] },
  {
    name: "included",
    age: 9 * SECOND,
    to: CAROL,
    coins: 12n,
    answers: [accepted],
    later: (at) => [inHead(at + 3 * SECOND, 1_204)],
  },
  {
    name: "final",
    age: 5 * MINUTE,
    to: BOB,
    coins: 1n,
    label: "Rent",
    answers: [accepted],
    later: (at) => [final(at + 57 * SECOND, 1_187)],
  },
  {
    name: "resent",
    age: 9 * MINUTE,
    to: CAROL,
    coins: 75n,
    answers: [lost, accepted],
    later: (at) => [final(at + 63 * SECOND, 1_102)],
  },
  {
    name: "failed",
    age: 12 * MINUTE,
    to: BOB,
    coins: 3n,
    answers: [accepted],
    later: (at) => [failed(at + 60 * SECOND, 1_044)],
  },
  {
    name: "older",
    age: 2 * DAY,
    to: CAROL,
    coins: 500n,
    answers: [accepted],
    later: (at) => [final(at + 58 * SECOND, 310)],
  },
];

/** Transactions in states that the tree of the documentation does not show: never sent, proven absent, and replaced after that. */
export const FURTHER_CHAPTERS: readonly Chapter[] = [
  { name: "signed", age: 20 * SECOND, to: BOB, coins: 8n, answers: [] },
  {
    name: "absent",
    age: 20 * MINUTE,
    to: CAROL,
    coins: 9n,
    answers: [lost],
    later: (at) => [absent(at + 4 * MINUTE)],
  },
  {
    name: "replaced",
    age: 30 * MINUTE,
    to: BOB,
    coins: 11n,
    answers: [lost],
    later: (at) => [absent(at + 4 * MINUTE), { kind: "replaced", at: at + 5 * MINUTE, by: storyTxId("final") }],
  },
];

/** Final payments of the last half hour, for a long list; they are older than those of the story. */
export function longStory(count: number): readonly Chapter[] {
  const [first, last] = [13 * MINUTE, 30 * MINUTE];
  return Array.from({ length: count }, (_, index) => ({
    name: `payment ${index}`,
    age: Math.floor(first + ((last - first) * index) / count),
    to: index % 2 === 0 ? BOB : CAROL,
    coins: BigInt(index + 100),
    answers: [accepted],
    later: (at: number) => [final(at + 57 * SECOND, 1_000)],
  }));
}

/** The txID that the story gives to one of its transactions. */
export function storyTxId(name: string): TxId {
  return Buffer.from(sha256(Buffer.from(name))).toString("hex") as TxId;
}

/** Writes the story into the journal of a workbench that was not opened yet. */
export function writeStory(
  dataDir: string,
  network: string,
  now: number,
  chapters: readonly Chapter[] = CHAPTERS,
): void {
  const folder = join(dataDir, "server", "data", "User", "globalStorage", "finality.finality");
  const entries = chapters.flatMap((chapter) => entriesOf(chapter, network, now));
  mkdirSync(folder, { recursive: true });
  const lines = entries.map((entry, index) => encodeEntry(entry, { writer: "story", sequence: index + 1 }));
  writeFileSync(join(folder, "journal.jsonl"), `${lines.join("\n")}\n`);
}

/** The list parts the days: just after midnight the story of today took less time. */
function ofToday(age: number, now: number): number {
  const sinceMidnight = now - new Date(now).setHours(0, 0, 0, 0);
  return Math.floor(age * Math.min(1, sinceMidnight / TODAY));
}

function entriesOf(
  { name, age, to, coins, label, answers, later }: Chapter,
  network: string,
  now: number,
): JournalEntry[] {
  const txId = storyTxId(name);
  const at = now - (age < DAY ? ofToday(age, now) : age);
  const intent = { kind: "transfer", owner: ALICE, to, amount: sun(coins * 1_000_000n) } as const;
  const endpoint = "https://api.shasta.example";
  const facts: JournalFact[] = [
    {
      kind: "signed",
      at,
      network,
      intent,
      rawDataHex: "00" as Hex,
      signatures: ["00" as Hex],
      expiration: at + MINUTE,
      solidHeight: 1_000,
      ...(label === undefined ? {} : { label }),
    },
    ...answers.flatMap((outcome, index): JournalFact[] => [
      { kind: "broadcast-started", at: at + 30 + index * 5 * SECOND, attempt: index + 1, endpoint },
      { kind: "broadcast-answered", at: at + 62 + index * 5 * SECOND, attempt: index + 1, endpoint, outcome },
    ]),
    ...(later?.(at) ?? []),
  ];
  return facts.map((fact) => ({ ...fact, txId }) as JournalEntry);
}

function inHead(at: number, number: number): JournalFact {
  return { kind: "seen-in-head", at, block: block(number, at) };
}

function final(at: number, number: number): JournalFact {
  return { kind: "solidified", at, block: block(number, at - 54 * SECOND), outcome: { kind: "success" } };
}

function failed(at: number, number: number): JournalFact {
  const outcome = { kind: "failed", result: "REVERT", message: "maxProfit limit violation" } as const;
  return { kind: "solidified", at, block: block(number, at - 54 * SECOND), outcome };
}

function absent(at: number): JournalFact {
  return {
    kind: "proven-absent",
    at,
    network: "Shasta",
    endpoint: "https://api.shasta.example",
    expiration: at - MINUTE,
    solidHeight: 1_000,
    parentId: block(1_000, at).id,
    first: block(1_001, at - 2 * MINUTE),
    last: block(1_030, at - MINUTE),
    count: 30,
    digest: Buffer.from(sha256(Buffer.from("ids"))).toString("hex") as Hex,
  };
}

function block(number: number, timestamp: number): BlockReference {
  return {
    number,
    timestamp: timestamp - (timestamp % 3_000),
    id: number.toString(16).padStart(16, "0").padEnd(64, "0") as BlockId,
  };
}
