import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type IncomingEntry,
  type IncomingWatch,
  type Payment,
  payment,
} from "../../../../packages/client/src/incoming/incoming-entry.ts";
import type { BlockId } from "../../../../packages/tron/src/primitives/block.ts";
import { IncomingPayments } from "../../../../src/host/incoming/incoming-payments.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { COINS, NETWORK, party } from "../../../support/incoming/incoming-fixture.ts";

const GROUP = "00000000000000aa";

function block(number: number) {
  return { number, id: number.toString(16).padStart(64, "0") as BlockId, timestamp: number * 3_000 };
}

describe("IncomingPayments", () => {
  let folder: string;
  const windows: IncomingPayments[] = [];
  const reported: Payment[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "incoming-"));
    reported.length = 0;
  });
  afterEach(async () => {
    await Promise.all(windows.splice(0).map((it) => it.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<IncomingPayments> {
    const opened = new IncomingPayments({
      folder,
      clock: new FakeClock(),
      networkFor: ({ network }) => network,
      changed: ({ payments }) => reported.push(...payments),
      watched: () => undefined,
      failed: (message, error) => assert.fail(`${message} ${error}`),
    });
    windows.push(opened);
    await opened.load();
    return opened;
  }

  const begin = (payments: IncomingPayments): Promise<IncomingWatch> =>
    payments.begin({ network: NETWORK, address: party(2), token: COINS, after: block(1), at: 5 });

  function readOf(after: number, to: number, ...amounts: readonly string[]): IncomingEntry {
    const payments = amounts.map((amount, at) => {
      const path = `log ${at}`;
      const from = party(1);
      return payment({ txId: block(to).id, path, from, to: party(2), token: COINS, amount, block: block(to) });
    });
    const { number, id } = block(after);
    return { kind: "read", group: GROUP, after: { number, id }, to: block(to), at: 6, payments };
  }

  const group = (...watches: readonly IncomingWatch[]): IncomingEntry => {
    return { kind: "group", group: GROUP, of: `network ${NETWORK}`, ids: watches.map(({ id }) => id) };
  };
  const received = (payments: IncomingPayments, { id }: IncomingWatch): bigint | undefined => {
    const standing = payments.ledger.get(id);
    return standing && payments.ledger.receivedBy(standing);
  };
  const file = () => join(folder, "incoming", "payments.jsonl");

  it("restores payments after a restart without reporting them again", async () => {
    const first = await open();
    const watch = await begin(first);
    await first.add([group(watch), readOf(1, 2, "5", "7")]);
    assert.equal(reported.length, 2);

    const second = await open();
    assert.deepEqual([received(second, watch), reported.length], [12n, 2]);
  });

  it("counts a payment once when two windows read the same blocks", async () => {
    const [first, second] = [await open(), await open()];
    const watch = await begin(first);
    await Promise.all([first.add([group(watch), readOf(1, 2, "5")]), second.add([group(watch), readOf(1, 2, "5")])]);
    await first.add([readOf(2, 4, "1"), readOf(1, 2, "5")]);

    assert.equal(received(first, watch), 6n);
    assert.equal(received(await open(), watch), 6n);
  });

  it("reads all blocks for a watch that began during a read", async () => {
    const first = await open();
    const watch = await begin(first);
    await first.add([group(watch), readOf(1, 3)]);
    const late = await begin(first);
    await first.add([readOf(3, 9, "4")]);

    assert.equal(first.ledger.get(late.id)?.readTo.number, 1);
  });

  it("loses only a torn line, which is read from the chain again", async () => {
    const first = await open();
    const watch = await begin(first);
    await first.add([group(watch), readOf(1, 2, "5")]);
    const whole = readFileSync(file(), "utf8");
    await first.add([readOf(2, 3, "6")]);
    const torn = readFileSync(file(), "utf8").slice(0, whole.length + 60);
    await Promise.all(windows.splice(0).map((it) => it.close()));
    writeFileSync(file(), torn);

    const second = await open();
    assert.deepEqual([received(second, watch), second.ledger.get(watch.id)?.readTo.number], [5n, 2]);
    await second.add([readOf(2, 3, "6")]);
    assert.equal(received(await open(), watch), 11n);
  });

  it("ignores damaged lines, foreign lines and lines of newer versions", async () => {
    const first = await open();
    const watch = await begin(first);
    appendFileSync(
      file(),
      `{"v":2,"it":{"kind":"read"}}\n__proto__\n{"v":1,"it":{"kind":"begun","watch":{"id":"x"}}}\n`,
    );
    await first.add([group(watch), readOf(1, 2, "5")]);

    assert.deepEqual([received(first, watch), first.ledger.list().length], [5n, 1]);
  });

  it("restores a removed file from a window's memory", async () => {
    const first = await open();
    const watch = await begin(first);
    await first.add([group(watch), readOf(1, 2, "5")]);
    rmSync(file());
    await begin(first);

    const second = await open();
    assert.deepEqual([received(second, watch), second.ledger.list().length], [5n, 2]);
  });

  it("keeps all totals when the file is rewritten", async () => {
    const first = await open();
    const watch = await begin(first);
    const reads = Array.from({ length: 3_000 }, (_, at) => readOf(at + 1, at + 2, ...(at % 100 === 0 ? ["1"] : [])));
    await first.add([group(watch), ...reads]);
    await first.add([group(watch), readOf(3_001, 3_002, "1")]);

    const lines = readFileSync(file(), "utf8").trim().split("\n");
    assert.ok(lines.length < 20, `${lines.length} lines`);
    const second = await open();
    assert.deepEqual([received(second, watch), second.ledger.get(watch.id)?.readTo.number], [31n, 3_002]);
    await second.add([group(watch), readOf(3_002, 3_003, "2")]);
    await first.add([readOf(3_003, 3_004, "1")]);
    assert.equal(received(first, watch), 34n);
  });
});
