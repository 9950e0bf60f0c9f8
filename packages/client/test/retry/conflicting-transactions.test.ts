import assert from "node:assert/strict";
import * as fc from "fast-check";
import { chainId } from "../../../../test/support/tracking/chain-places.ts";
import { anyIntent, intentKinds, OWNER, RECIPIENT, VALIDITY } from "../../../../test/support/tracking/intents.ts";
import { evidence } from "../../../../test/support/tracking/proven.ts";
import {
  ALICE,
  adopted,
  BOB,
  blockReference,
  signedPart,
  TRANSFER,
  tracked,
  txId,
} from "../../../../test/support/tracking/tracked.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { bytesToHex, type Hex, type TxId } from "../../../tron/src/primitives/bytes.ts";
import { rawDataFromIntent } from "../../../tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../../tron/src/transaction/intent.ts";
import { intentFromRawData } from "../../../tron/src/transaction/intent-contract.ts";
import { contractEntry, decodeRawData, encodeRawData } from "../../../tron/src/transaction/raw-data-codec.ts";
import type { ChainId } from "../../src/gateway/network.ts";
import { conflictsOf, conflictWith, intentKey, unsettledEquals } from "../../src/retry/conflicting-transactions.ts";
import type { RecordedOutcome } from "../../src/transaction-state/journal-entry.ts";
import type { TrackingState } from "../../src/transaction-state/tracked-transaction.ts";

const block = blockReference(1);
const absence = { ...evidence(), provenAt: 5_000 };
const found = (state: TrackingState, intent = TRANSFER, network = "Local chain"): number =>
  unsettledEquals([tracked({ state })], { network }, intent).length;

describe("unsettledEquals", () => {
  it("finds an equal payment until it is final, rejected, proven absent or replaced", () => {
    const states: readonly (readonly [TrackingState, count: number])[] = [
      [{ kind: "signed" }, 1],
      [{ kind: "unknown", reason: "" }, 1],
      [{ kind: "pending" }, 1],
      [{ kind: "included", block }, 1],
      [{ kind: "solidified", block, outcome: { kind: "success" } }, 0],
      [{ kind: "rejected", code: "SIGERROR", message: "", retry: "sign-again" }, 0],
      [{ kind: "proven-absent", from: 1, to: 2 }, 0],
      [{ kind: "replaced", by: txId("1") }, 0],
    ];

    for (const [state, count] of states) assert.equal(found(state), count, state.kind);
  });

  it("finds a rejected payment when a later answer reports that a node has seen it", () => {
    const outcomes: readonly RecordedOutcome[] = [
      { kind: "rejected", code: "SERVER_BUSY", message: "Server busy." },
      { kind: "already-known", message: "Dup transaction." },
    ];
    const attempts = outcomes.map((outcome, index) => ({
      number: index + 1,
      endpoint: "https://gateway.test",
      startedAt: index,
      answeredAt: index,
      outcome,
    }));
    const state: TrackingState = {
      kind: "rejected",
      code: "SERVER_BUSY",
      message: "Server busy.",
      retry: "another-node",
    };

    assert.equal(unsettledEquals([tracked({ state, attempts })], { network: "Local chain" }, TRANSFER).length, 1);
    assert.equal(
      unsettledEquals([tracked({ state, attempts: attempts.slice(0, 1) })], { network: "Local chain" }, TRANSFER)
        .length,
      0,
    );
  });

  it("M1: reports a payment that another window saw rejected after the recheck as conflicting", () => {
    const outcome: RecordedOutcome = { kind: "rejected", code: "SIGERROR", message: "sig error" };
    const attempts = [{ number: 1, endpoint: "https://gateway.test", startedAt: 1, answeredAt: 2, outcome }];
    const state: TrackingState = { kind: "rejected", code: "SIGERROR", message: "sig error", retry: "sign-again" };
    const refused = tracked({ state, attempts });
    const count = (lookedFor?: readonly TxId[], acknowledged: readonly TxId[] = []): number =>
      conflictsOf([refused], { network: "Local chain", intent: TRANSFER, rechecked: lookedFor, acknowledged }).length;

    assert.deepEqual([count([]), count([refused.txId]), count([], [refused.txId]), count()], [1, 0, 0, 0]);
  });

  it("ignores a payment with another network, amount, owner or recipient", () => {
    const pending: TrackingState = { kind: "pending" };

    assert.equal(found(pending, TRANSFER, "Main"), 0);
    assert.equal(found(pending, { kind: "transfer", owner: ALICE, to: BOB, amount: sun(2n) }), 0);
    assert.equal(found(pending, { kind: "transfer", owner: BOB, to: ALICE, amount: sun(1_500_000n) }), 0);
  });

  it("finds an equal payment with another memo or permission", () => {
    assert.equal(found({ kind: "pending" }, { ...TRANSFER, memo: "00" as Hex, permissionId: 2 }), 1);
  });

  it("compares fields in any order", () => {
    const reordered = { amount: sun(1_500_000n), to: BOB, owner: ALICE, kind: "transfer" } as const;

    assert.equal(found({ kind: "pending" }, reordered), 1);
  });

  it("ignores a foreign transaction, whose intent is unknown", () => {
    assert.deepEqual(
      unsettledEquals([adopted({ state: { kind: "pending" } })], { network: "Local chain" }, TRANSFER),
      [],
    );
  });

  it("compares contract, data and value of a call, and not its fee limit", () => {
    const call: Intent = {
      kind: "contract-call",
      owner: ALICE,
      contract: BOB,
      data: "a9059cbb" as Hex,
      callValue: sun(0n),
      feeLimit: sun(1n),
    };
    const signed = { ...signedPart(call) };
    const equals = (change: Partial<Intent>): number =>
      unsettledEquals([tracked({ state: { kind: "pending" }, signed })], { network: "Local chain" }, {
        ...call,
        ...change,
      } as Intent).length;

    assert.deepEqual([equals({}), equals({ feeLimit: sun(2n) })], [1, 1]);
    assert.deepEqual(
      [equals({ data: "ff" as Hex }), equals({ callValue: sun(1n) }), equals({ contract: ALICE })],
      [0, 0, 0],
    );
  });

  it("H1: finds an equal payment on the same chain under another network name", () => {
    const [chain, other] = [chainId("a"), chainId("b")];
    const lost = tracked({ network: "Provider A", chain, state: { kind: "unknown", reason: "" } });
    const equals = (network: string, here?: ChainId): number =>
      unsettledEquals([lost], { network, ...(here === undefined ? {} : { chain: here }) }, TRANSFER).length;

    assert.equal(equals("Provider B", chain), 1);
    assert.equal(equals("Provider A (renamed)", chain), 1);
    assert.equal(equals("Provider B", other), 1, "the gateway reported the chain");
    assert.equal(equals("Provider A", other), 1, "a name that means another chain now");
  });

  it("H1: compares the local time when a payment was executed on another chain", () => {
    const executed: TrackingState = { kind: "solidified", block: blockReference(1), outcome: { kind: "success" } };
    const there = tracked({ network: "Provider A", chain: chainId("a"), state: executed, changedAt: 5_000 });
    const here = { network: "Provider B", chain: chainId("b") };
    const count = (at: number): number => unsettledEquals([there], here, TRANSFER, { height: 1_000, at }).length;

    assert.deepEqual([count(4_999), count(5_000), count(5_001)], [1, 1, 0]);
    assert.equal(unsettledEquals([there], here, TRANSFER).length, 0);
  });

  it("H1: finds an equal payment on every network but the local chain when a chain is unknown", () => {
    const old = tracked({ network: "Provider A", state: { kind: "unknown", reason: "" } });

    assert.equal(unsettledEquals([old], { network: "Provider B" }, TRANSFER).length, 1);
    assert.equal(unsettledEquals([old], { network: "Provider B", chain: chainId("a") }, TRANSFER).length, 1);
    assert.equal(unsettledEquals([{ ...old, chain: chainId("a") }], { network: "Provider B" }, TRANSFER).length, 1);
    assert.equal(unsettledEquals([old], { network: "Local chain", chain: chainId("c") }, TRANSFER).length, 0);
    assert.equal(unsettledEquals([{ ...old, network: "Local chain" }], { network: "Provider B" }, TRANSFER).length, 0);
  });
});

describe("conflictWith", () => {
  const replaced = tracked({ txId: txId("a"), state: { kind: "proven-absent", from: 101, to: 121 }, absence });
  const candidate = { network: "Local chain", txId: txId("c"), intent: TRANSFER };
  const executedAt = (height: number) =>
    tracked({
      txId: txId("b"),
      state: { kind: "solidified", block: blockReference(height), outcome: { kind: "success" } },
    });

  it("forbids a replacement when an equal payment was executed after the replaced one was signed", () => {
    const conflictAt = (height: number, replaces?: TxId) =>
      conflictWith({ ...candidate, ...(replaces && { replaces }) }, [replaced, executedAt(height)])?.txId;

    assert.equal(conflictAt(101, replaced.txId), txId("b"));
    assert.equal(conflictAt(100, replaced.txId), undefined);
    assert.equal(conflictAt(101), undefined, "a payment of its own");
  });
});

const CALL: Intent = {
  kind: "contract-call",
  owner: OWNER,
  contract: RECIPIENT,
  data: "a9059cbb" as Hex,
  callValue: sun(0n),
  feeLimit: sun(1n),
};

/** Defaults that are equal to a missing field. */
const DEFAULTS: { readonly [field: string]: unknown } = {
  memo: "",
  permissionId: 0,
  tokenId: 0n,
  tokenValue: 0n,
  lockPeriod: 0n,
};

/** Returns the same intent with other optional fields written or omitted. */
function respelled(intent: Intent): fc.Arbitrary<Intent> {
  const optional = OPTIONAL_FIELDS[intent.kind] ?? [];
  const choices = optional.map((name) =>
    fc
      .constantFrom(undefined, DEFAULTS[name], (intent as unknown as Record<string, unknown>)[name])
      .map((value) => ({ [name]: value })),
  );
  const permissions =
    intent.kind === "permission-update"
      ? fc.constantFrom(undefined, "" as Hex).map((operations) => ({
          ownerPermission: { ...intent.ownerPermission, operations },
        }))
      : fc.constant({});
  return fc.tuple(permissions, ...choices).map((parts) => Object.assign({}, intent, ...parts) as Intent);
}

const COMMON = ["memo", "permissionId"];
const OPTIONAL_FIELDS: Partial<Record<Intent["kind"], readonly string[]>> = {
  "contract-call": [...COMMON, "tokenId", "tokenValue"],
  delegate: [...COMMON, "lockPeriod"],
};

describe("intentKey", () => {
  it("L16: treats a token ID of 0 and a token value of 0 as no token", () => {
    const spelled = [
      CALL,
      { ...CALL, tokenId: 0n },
      { ...CALL, tokenValue: 0n },
      { ...CALL, tokenId: 0n, tokenValue: 0n },
      { ...CALL, tokenId: undefined } as unknown as Intent,
    ];

    assert.equal(new Set(spelled.map(bytesOf)).size, 1);
    assert.equal(new Set(spelled.map(intentKey)).size, 1);
    assert.notEqual(intentKey(CALL), intentKey({ ...CALL, tokenId: 1_000_001n }));
  });

  it("L16: returns equal keys for equal bytes when optional fields are present or absent", () => {
    for (const kind of intentKinds) {
      const pairs = anyIntent(kind).chain((it) => fc.tuple(fc.constant(it), respelled(it)));
      void fc.assert(
        fc.property(pairs, ([intent, other]) => {
          const [one, two] = [tryBytes(intent), tryBytes(other)];
          if (one === undefined || one !== two) return;
          assert.equal(intentKey(other), intentKey(intent));
        }),
        { numRuns: 200 },
      );
    }
  });

  it("T7: returns equal keys for fields that the chain ignores", () => {
    const delegate: Intent = {
      kind: "delegate",
      owner: OWNER,
      resource: "ENERGY",
      amount: sun(5n),
      receiver: RECIPIENT,
    };
    const vote: Intent = { kind: "vote", owner: OWNER, votes: [{ witness: RECIPIENT, count: 1n }] };

    for (const [plain, message] of [
      [delegate, { lock: false, lockPeriod: 7n }],
      [vote, { support: true }],
    ] as const) {
      const read = intentOfChanged(plain, message);
      assert.equal(read.kind, plain.kind);
      assert.notEqual(bytesOf(read), bytesOf(plain));
      assert.equal(intentKey(read), intentKey(plain));
    }
    const locked = (lockPeriod: bigint): Intent => ({ ...delegate, lockPeriod });
    assert.equal(intentKey(locked(0n)), intentKey(locked(86_400n)));
    assert.notEqual(intentKey(locked(7n)), intentKey(delegate));
    assert.notEqual(intentKey(locked(7n)), intentKey(locked(8n)));
  });

  it("L16: ignores the order of votes", () => {
    const votes = [OWNER, RECIPIENT].map((witness) => ({ witness, count: 1n }));
    const vote = (cast: typeof votes): Intent => ({ kind: "vote", owner: OWNER, votes: cast });

    assert.equal(intentKey(vote(votes)), intentKey(vote(votes.toReversed())));
    assert.notEqual(intentKey(vote(votes)), intentKey(vote(votes.slice(1))));
  });

  it("L16: returns different keys for permissions with other keys or operations", () => {
    const owner = { name: "owner", threshold: 1n, keys: [{ address: OWNER, weight: 1n }] };
    const active = { ...owner, name: "active", operations: "01".padEnd(64, "0") as Hex };
    const update = (changed: object, changedOwner: object = {}): Intent => ({
      kind: "permission-update",
      owner: OWNER,
      ownerPermission: { ...owner, ...changedOwner },
      activePermissions: [{ ...active, ...changed }],
    });
    const updates = [
      update({}),
      update({ keys: [{ address: RECIPIENT, weight: 1n }] }),
      update({ operations: "02".padEnd(64, "0") as Hex }),
      update({}, { keys: [{ address: RECIPIENT, weight: 1n }] }),
    ];

    assert.equal(new Set(updates.map(intentKey)).size, updates.length);
  });

  it("L16: returns different keys for intents with different bytes", () => {
    void fc.assert(
      fc.property(anyIntent(), anyIntent(), (one, two) => {
        const plain = (it: Intent): Intent => withoutMargin(it);
        assert.equal(intentKey(one) === intentKey(two), bytesOf(plain(one)) === bytesOf(plain(two)));
      }),
      { numRuns: 300 },
    );
  });

  it("L16: replaces invalid UTF-16 in a name as the encoded bytes do", () => {
    const deploy = (name: string): Intent => ({
      kind: "contract-creation",
      owner: OWNER,
      name,
      bytecode: "60" as Hex,
      abi: "" as Hex,
      callValue: sun(0n),
      feeLimit: sun(1n),
      userPercent: 100n,
      originEnergyLimit: 1n,
    });
    const asset = (tokenId: string): Intent => ({
      kind: "token-transfer",
      owner: OWNER,
      to: RECIPIENT,
      tokenId,
      amount: 1n,
    });

    assert.equal(bytesOf(asset("a\ud800")), bytesOf(asset("a\ufffd")));
    assert.equal(intentKey(asset("a\ud800")), intentKey(asset("a\ufffd")));
    assert.equal(intentKey(deploy("a\ud800")), intentKey(deploy("a\ufffd")));
  });
});

function withoutMargin({ memo: _memo, permissionId: _permission, ...rest }: Intent): Intent {
  return ("feeLimit" in rest ? { ...rest, feeLimit: sun(0n) } : rest) as Intent;
}

/** Returns the intent of bytes that differ in these fields of the contract message. */
function intentOfChanged(intent: Intent, change: object): Intent {
  const raw = rawDataFromIntent(intent, VALIDITY);
  const [contract] = decodeRawData(encodeRawData(raw)).contracts;
  if (contract?.type === undefined || contract.message === undefined) assert.fail();
  raw.contract = [contractEntry(contract.type, Object.assign(contract.message, change))];
  return intentFromRawData(decodeRawData(encodeRawData(raw)));
}

function bytesOf(intent: Intent): string {
  return bytesToHex(encodeRawData(rawDataFromIntent(intent, VALIDITY)));
}

/** Returns undefined if the intent cannot be encoded. */
function tryBytes(intent: Intent): string | undefined {
  try {
    return bytesOf(intent);
  } catch {
    return undefined;
  }
}
