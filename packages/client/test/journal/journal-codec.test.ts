import assert from "node:assert/strict";
import fc from "fast-check";
import { chainId } from "../../../../test/support/tracking/chain-places.ts";
import {
  ACCEPTED,
  ALICE,
  answeredEntry,
  BOB,
  blockReference,
  DUPLICATE,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TIMED_OUT,
  TRANSFER,
  trackedFromEntries,
} from "../../../../test/support/tracking/journal-entries.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import type { Intent } from "../../../tron/src/transaction/intent.ts";
import { decodeLine, encodeEntry, superfluousEntries } from "../../src/journal/journal-codec.ts";
import type { JournalEntry } from "../../src/transaction-state/journal-entry.ts";

const mark = { writer: "w1", sequence: 7 };
const { txId } = fakeBytes(1);
const at = 5;
const MOST = 2n ** 63n - 1n;
const KEYS = [{ address: BOB, weight: MOST }];
const permission = { name: "owner", threshold: 1n, keys: KEYS, operations: "00ff" as Hex };

const intents: readonly Intent[] = [
  { ...TRANSFER, memo: "00ff" as Hex, permissionId: 2 },
  { kind: "token-transfer", owner: ALICE, to: BOB, tokenId: "1000001", amount: MOST },
  {
    kind: "contract-call",
    owner: ALICE,
    contract: BOB,
    data: "a9059cbb" as Hex,
    callValue: sun(0n),
    feeLimit: sun(MOST),
    tokenId: 1_000_001n,
    tokenValue: 5n,
  },
  {
    kind: "contract-creation",
    owner: ALICE,
    name: "",
    bytecode: "60" as Hex,
    abi: "" as Hex,
    callValue: sun(1n),
    feeLimit: sun(2n),
    userPercent: 100n,
    originEnergyLimit: 3n,
  },
  { kind: "stake", owner: ALICE, resource: "ENERGY", amount: sun(1n) },
  { kind: "unstake", owner: ALICE, resource: "BANDWIDTH", amount: sun(1n) },
  { kind: "withdraw", owner: ALICE },
  { kind: "delegate", owner: ALICE, resource: "ENERGY", amount: sun(1n), receiver: BOB, lockPeriod: 86_400n },
  { kind: "undelegate", owner: ALICE, resource: "ENERGY", amount: sun(1n), receiver: BOB },
  {
    kind: "permission-update",
    owner: ALICE,
    ownerPermission: permission,
    witnessPermission: { name: "w", threshold: 1n, keys: KEYS },
    activePermissions: [permission, permission],
  },
  { kind: "vote", owner: ALICE, votes: [{ witness: BOB, count: 9n }] },
];

const entries: readonly JournalEntry[] = [
  ...intents.map((intent) => signedEntry(1, { intent, label: "rent\nfor May" })),
  { kind: "adopted", txId, at, network: "test", label: "theirs" },
  { kind: "adopted", txId, at, network: "test", chain: chainId("a") },
  startedEntry(txId),
  ...[ACCEPTED, DUPLICATE, TIMED_OUT, rejected("SIGERROR", "“bad”\n")].map((it) => answeredEntry(txId, it)),
  answeredEntry(txId, { kind: "unknown", code: "GATEWAY_UNAUTHORIZED", message: "401", turnedAway: true }),
  answeredEntry(txId, ACCEPTED, { answeredTxId: txId, raw: '{"result":true}' }),
  { kind: "head-time", txId, at, time: 9 },
  { kind: "seen-in-pool", txId, at },
  { kind: "not-found", txId, at, time: 9 },
  { kind: "outcome-told", txId, at, endpoint: "https://other.test", outcome: { kind: "success" } },
  { kind: "seen-in-head", txId, at, block: { number: 3, timestamp: 9 } },
  { kind: "seen-in-head", txId, at, block: blockReference(3), outcome: { kind: "success" } },
  { kind: "lost-from-head", txId, at },
  {
    kind: "solidified",
    txId,
    at,
    block: blockReference(3),
    outcome: { kind: "failed", result: "REVERT", message: "" },
  },
  {
    kind: "solidified",
    txId,
    at,
    block: blockReference(3),
    outcome: { kind: "failed", result: "REVERT", message: "", data: "08c379a0" as Hex, dataLength: 5_000 },
  },
  {
    kind: "seen-in-head",
    txId,
    at,
    block: blockReference(3),
    outcome: {
      kind: "failed",
      result: "OUT_OF_ENERGY",
      message: "Not enough energy",
      energy: { used: 42_857, staked: 1, owner: 2, fee: 17_998_680 },
    },
  },
  {
    kind: "proven-absent",
    txId,
    at,
    network: "test",
    endpoint: "https://gateway.test",
    expiration: 9,
    solidHeight: 2,
    parentId: blockReference(2).id,
    first: blockReference(3),
    last: blockReference(4),
    count: 2,
    digest: "ab".repeat(32) as Hex,
    blockIds: [blockReference(3).id, blockReference(4).id],
  },
  { kind: "replaced", txId, at, by: fakeBytes(2).txId },
  { kind: "hidden", txId, at },
];

describe("journal codec", () => {
  it("M1b: reads a 4xx status that an earlier version stored as a rejection as turned away", () => {
    for (const code of ["GATEWAY_HTTP_STATUS", "GATEWAY_UNAUTHORIZED", "GATEWAY_RATE_LIMITED"]) {
      const decoded = decodeLine(encodeEntry(answeredEntry(txId, rejected(code, "it answered 403")), mark));

      assert.ok(decoded.kind === "entry" && decoded.entry.kind === "broadcast-answered");
      const expected = { kind: "unknown", code, message: "it answered 403", turnedAway: true };
      assert.deepEqual(decoded.entry.outcome, expected);
    }
  });

  for (const entry of entries) {
    const name = entry.kind === "signed" ? `signed ${entry.intent.kind}` : entry.kind;
    it(`writes and reads ${name}`, () => {
      const line = encodeEntry(entry, mark);

      assert.ok(!line.includes("\n"));
      assert.deepEqual(decodeLine(line), { kind: "entry", entry, mark });
    });
  }

  it("covers every kind of entry and every kind of intent", () => {
    const kinds = new Set(entries.map((it) => it.kind));
    assert.equal(kinds.size, 14);
    assert.equal(new Set(intents.map((it) => it.kind)).size, 11);
  });

  it("writes amounts as decimal text", () => {
    const most: Intent = { kind: "transfer", owner: ALICE, to: BOB, amount: sun(MOST) };
    const line = encodeEntry(signedEntry(1, { intent: most }), mark);

    assert.match(line, /"amount":"9223372036854775807"/);
  });

  for (const [name, change] of [
    ["a newer version", { v: 2 }],
    ["a kind of entry that it does not know", { kind: "proven-alive" }],
    ["a kind of intent that it does not know", { intent: { kind: "freeze-v3", owner: ALICE } }],
  ] as const) {
    it(`reports ${name} as newer, not as malformed`, () => {
      const line = lineWith(change);

      assert.deepEqual(decodeLine(line), { kind: "newer" });
    });
  }

  for (const [name, change] of [
    ["a txID that is none", { txId: "00" }],
    ["an amount that is a number", { intent: { ...TRANSFER, amount: 5 } }],
    ["a missing expiration", { expiration: undefined }],
    ["a signature that is not hex", { signatures: ["xy"] }],
    ["no version", { v: undefined }],
    ["a kind that is a name of every object", { kind: 5 }],
  ] as const) {
    it(`reports a reason for ${name}`, () => {
      const line = lineWith(change);

      const decoded = decodeLine(line);

      assert.equal(decoded.kind, "malformed");
      assert.match(decoded.kind === "malformed" ? decoded.reason : "", /line\./);
    });
  }

  it("returns no entry and does not throw for random and truncated lines", () => {
    const whole = encodeEntry(signedEntry(1), mark);
    const cut = fc.nat(whole.length - 1).map((length) => whole.slice(0, length));
    const anything = fc.oneof(fc.string(), fc.json(), cut, fc.constant('{"v":1,"w":"","n":0,"kind":"__proto__"}'));

    fc.assert(
      fc.property(anything, (line) => {
        assert.notEqual(decodeLine(line).kind, "entry");
      }),
    );
  });
});

describe("superfluousEntries", () => {
  const sent = [signedEntry(1), startedEntry(txId), answeredEntry(txId, ACCEPTED)];
  const seen = (time: number): JournalEntry => ({ kind: "seen-in-head", txId, at: time, block: blockReference(time) });
  const pooled: JournalEntry = { kind: "seen-in-pool", txId, at: 3_000 };
  const final = (time: number): JournalEntry => ({
    ...{ kind: "solidified", txId, at: time, block: blockReference(3) },
    outcome: { kind: "success" },
  });

  it("returns the repeated sightings of a final transaction, and nothing else", () => {
    const entries = [...sent, pooled, seen(3_001), seen(3_002), final(3_003), final(3_004)];

    const superfluous = superfluousEntries(entries);

    assert.deepEqual(
      [...superfluous].map(({ kind }) => kind),
      ["seen-in-head", "solidified"],
    );
    assert.ok(sent.every((entry) => !superfluous.has(entry)));
    const left = entries.filter((entry) => !superfluous.has(entry));
    assert.deepEqual(trackedFromEntries(left, txId), trackedFromEntries(entries, txId));
  });

  it("returns nothing of a transaction that is not final", () => {
    assert.equal(superfluousEntries([...sent, pooled, seen(3_001), seen(3_002)]).size, 0);
  });
});

/** Returns the line of a signed entry with changed fields; `undefined` removes a field. */
function lineWith(change: object): string {
  const fields: object = { ...JSON.parse(encodeEntry(signedEntry(1), mark)), ...change };
  return JSON.stringify(fields, (_name, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}
