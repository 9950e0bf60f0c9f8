import assert from "node:assert/strict";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { COINS, NETWORK, party } from "../../../../test/support/incoming/incoming-fixture.ts";
import type { BlockId, BlockReference } from "../../../tron/src/primitives/block.ts";
import { chainKey, type IncomingEntry, type IncomingWatch, type Payment } from "../../src/incoming/incoming-entry.ts";
import { IncomingLedger } from "../../src/incoming/incoming-ledger.ts";

const SHOP = party(20);
const OF = chainKey({ network: NETWORK });

/** Returns the block at a height of the chain, or of a fork of it. */
function block(number: number, fork = "a"): BlockReference {
  return { number, id: `${number.toString(16).padStart(16, "0")}${fork.repeat(48)}` as BlockId, timestamp: number };
}

function watch(number: number, after = block(10), change: Partial<IncomingWatch> = {}): IncomingWatch {
  const id = number.toString(16).padStart(16, "0");
  return { id, network: NETWORK, address: SHOP, token: COINS, after, at: 1, ...change };
}

function payment(number: number, amount: bigint, of: BlockReference): Payment {
  return { txId: fakeTxId(number), path: "contract", from: party(1), to: SHOP, token: COINS, amount, block: of };
}

const GROUP = "1".padStart(16, "0");

/** Returns the entries of a read for these watches, from one block to another. */
function read(
  watches: readonly IncomingWatch[],
  [after, to]: readonly [BlockReference, BlockReference],
  payments: readonly Payment[] = [],
  group = GROUP,
): readonly IncomingEntry[] {
  return [
    { kind: "group", group, of: OF, ids: watches.map(({ id }) => id) },
    { kind: "read", group, after, to, at: to.number, payments },
  ];
}

function forked(from: BlockReference, to: BlockReference): IncomingEntry {
  return { kind: "forked", of: OF, from: from.id, to, at: 50 };
}

function ledgerOf(watches: readonly IncomingWatch[], ...entries: readonly (readonly IncomingEntry[])[]) {
  const ledger = new IncomingLedger();
  ledger.fold([...watches.map((it): IncomingEntry => ({ kind: "begun", watch: it })), ...entries.flat()]);
  const status = ({ id }: IncomingWatch) => ledger.get(id) ?? assert.fail(id);
  return { ledger, status, received: (it: IncomingWatch) => ledger.receivedBy(status(it)) };
}

const numbers = (blocks: readonly BlockReference[]): readonly number[] => blocks.map(({ number }) => number);

describe("IncomingLedger", () => {
  const [first, second] = [watch(1), watch(2, block(12))];

  it("applies a read only to the watches at the block after which it began", () => {
    const { status } = ledgerOf([first, second], read([first, second], [block(10), block(11)]));

    assert.deepEqual([status(first).readTo, status(second).readTo], [block(11), block(12)]);
  });

  it("applies a read to no watch that was stopped or is on another chain", () => {
    const other = watch(3, block(10), { network: "Other" });
    const stopped: IncomingEntry = { kind: "stopped", id: first.id, at: 5 };
    const { status } = ledgerOf([first, other], [stopped], read([first, other], [block(10), block(11)]));

    assert.deepEqual([status(first).readTo, status(other).readTo], [block(10), block(10)]);
  });

  it("reads on for a resumed watch from the block where it was stopped, on the path that led there", () => {
    const end = (kind: "stopped" | "resumed"): IncomingEntry => ({ kind, id: first.id, at: 5 });
    const both = [first, watch(3)];
    const begun = read(both, [block(10), block(11)]);
    const { ledger, status } = ledgerOf(both, begun, [end("stopped")], read(both, [block(11), block(12)]));
    assert.deepEqual([status(first).readTo, status(first).stoppedAt], [block(11), 5]);

    ledger.fold([end("resumed")]);
    assert.equal(ledger.isActive(status(first)), true);
    assert.deepEqual(numbers(ledger.pathTo(block(11))), [11, 10]);
    ledger.fold(read([first], [block(11), block(12)], [payment(1, 5n, block(12))], "2".padStart(16, "0")));
    assert.deepEqual([status(first).readTo, ledger.receivedBy(status(first))], [block(12), 5n]);
  });

  it("does not resume a watch that was removed from the list", () => {
    const entries = (["hidden", "resumed"] as const).map((kind): IncomingEntry => ({ kind, id: first.id, at: 5 }));
    const { ledger, status } = ledgerOf([first], entries);

    assert.equal(ledger.isActive(status(first)), false);
  });

  it("returns a payment as new once when two groups read its block", () => {
    const both = [first, watch(3)];
    const paid = [payment(1, 5n, block(11))];
    const { ledger, received } = ledgerOf(both);
    const [one, two] = both.map((it, index) => {
      return ledger.fold(read([it], [block(10), block(11)], paid, String(index + 1).padStart(16, "0"))).payments;
    });

    assert.deepEqual([one?.length, two?.length], [1, 0]);
    assert.deepEqual(both.map(received), [5n, 5n]);
  });

  it("stores the first time at which a watch was hidden, and stops it", () => {
    const hidden = (at: number): IncomingEntry => ({ kind: "hidden", id: first.id, at });
    const { status } = ledgerOf([first], [hidden(5), hidden(6)]);

    assert.deepEqual(status(first), { watch: first, readTo: block(10), readAt: 1, stoppedAt: 5, hiddenAt: 5 });
  });

  it("knows the groups that were introduced, and no others", () => {
    const { ledger } = ledgerOf([first], read([first], [block(10), block(11)]));

    assert.deepEqual([ledger.hasGroup(GROUP), ledger.hasGroup("2".padStart(16, "0"))], [true, false]);
  });

  it("takes payments after a fork back until they are found again, also in the same block", () => {
    const paid = [payment(1, 5n, block(12))];
    const forth = [
      ...read([first], [block(10), block(11)], [payment(2, 3n, block(11))]),
      ...read([first], [block(11), block(12)], paid),
    ];
    const back = [forked(block(12), block(11))];

    const { received, status } = ledgerOf([first], forth, back);
    assert.equal(received(first), 3n);
    assert.deepEqual([status(first).readTo, status(first).watch.after], [block(11), block(10)]);
    const again = ledgerOf([first], forth, back, read([first], [block(11), block(12)], paid));
    assert.equal(again.received(first), 8n);
  });

  it("counts payments after a fork that is before the start of a watch", () => {
    const { received, status } = ledgerOf(
      [first, second],
      read([first], [block(10), block(12)]),
      [forked(block(12), block(10))],
      read([first, second], [block(10), block(11, "b")], [payment(1, 7n, block(11, "b"))]),
    );

    assert.deepEqual(status(second).watch, { ...second, after: block(10) });
    assert.deepEqual([received(first), received(second)], [7n, 7n]);
  });

  it("keeps watches at blocks before a fork where they are", () => {
    const late = watch(3);
    const steps = [
      ...read([first, late], [block(10), block(11)]),
      ...read([first], [block(11), block(12)]),
      ...read([first], [block(12), block(13)]),
    ];
    const { status } = ledgerOf([first, late], steps, [forked(block(13), block(12))]);

    assert.deepEqual([status(first).readTo, status(late).readTo], [block(12), block(11)]);
  });

  it("stores since when the chain of a watch is missing, until it is read again", () => {
    const parted = (at: number): IncomingEntry => ({ kind: "parted", of: OF, from: block(10).id, at });
    const { ledger, status } = ledgerOf([first], [parted(5), parted(6)]);
    assert.equal(status(first).partedAt, 5);

    ledger.fold(read([first], [block(10), block(11)]));

    assert.equal(status(first).partedAt, undefined);
  });

  it("forgets the reverted blocks of a path", () => {
    const steps = [10, 11, 12].flatMap((number) => read([first], [block(number), block(number + 1)]));
    const { ledger } = ledgerOf([first], steps, [forked(block(13), block(12))]);

    assert.deepEqual(numbers(ledger.pathTo(block(12))), [12, 11, 10]);
    assert.deepEqual(numbers(ledger.pathTo(block(13))), [13], "an unknown position");
  });

  it("stores the ten newest positions of a long path, every second older one, and the first", () => {
    const start = watch(1, block(0));
    const steps = Array.from({ length: 40 }, (_, number) => read([start], [block(number), block(number + 1)]));
    const { ledger } = ledgerOf([start], ...steps);

    const recent = Array.from({ length: 18 }, (_, index) => 40 - index);
    const older = Array.from({ length: 12 }, (_, index) => 22 - 2 * index);
    assert.deepEqual(numbers(ledger.pathTo(block(40))), [...recent, ...older]);
  });

  it("writes each of many payments once, at most 200 in a line", () => {
    const paid = Array.from({ length: 201 }, (_, index) => payment(index, 1n, block(11)));
    const { ledger } = ledgerOf([first], read([first], [block(10), block(11)], paid));

    const lines = ledger.entries().flatMap((it) => (it.kind === "found" ? it.payments.length : []));
    assert.deepEqual(lines, [200, 1]);
  });

  it("gives the same ledger from its own entries", () => {
    const paid = [payment(1, 5n, block(11)), payment(2, 6n, block(12))];
    const steps = [
      ...read([first], [block(10), block(11)], paid.slice(0, 1)),
      ...read([first], [block(11), block(12)], paid.slice(1)),
    ];
    const { ledger } = ledgerOf([first, second], steps, [forked(block(12), block(11))]);
    const copy = new IncomingLedger();

    copy.fold(ledger.entries());

    assert.deepEqual(copy.list(), ledger.list());
    assert.deepEqual(
      copy.list().map((it) => copy.paymentsOf(it)),
      ledger.list().map((it) => ledger.paymentsOf(it)),
    );
    assert.deepEqual(
      copy.list().map((it) => copy.receivedBy(it)),
      [5n, 0n],
    );
    assert.deepEqual(copy.pathTo(block(11)), ledger.pathTo(block(11)));
  });
});
