import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, type FileHandle, mkdir, mkdtemp, open, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { loadProduct } from "../../../../test/support/simulated-host/load-sources.ts";
import { Machine, mount } from "../../../../test/support/simulated-host/machine.ts";
import { fakeBytes, TRANSFER } from "../../../../test/support/tracking/journal-entries.ts";
import { submitTransaction } from "../../../client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../client/src/tracking/transaction-tracker.ts";
import { isChainError } from "../../../tron/src/errors/chain-error.ts";
import { JournalFile } from "../../src/journal/journal-file.ts";
import type { OpenFile } from "../../src/storage/durable-file.ts";

const NEXT_STEPS = {
  ENOSPC: /Free some space on that disk, then try again\.$/,
  EDQUOT: /Free some space on that disk, then try again\.$/,
  EROFS: /read-only: make it writable, or start the editor with another --user-data-dir, then try again\.$/,
  EACCES: /Give your user write access to that folder, then try again\.$/,
  EPERM: /Give your user write access to that folder, then try again\.$/,
  EIO: /The disk reports a fault: check it before you send anything\.$/,
} as const;

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: simulated, write`), { code });
}

/** Returns an `open` that fails at the given step after a number of writes. */
function failing(code: string, step: "open" | "write" | "datasync", writes = 0): OpenFile {
  let left = writes;
  return async (path, flags, mode) => {
    if (step === "open") throw failure(code);
    const handle = await open(path, flags, mode);
    return new Proxy(handle, {
      get(target, name) {
        if (name === step && left-- <= 0) return () => Promise.reject(failure(code));
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }) as FileHandle;
  };
}

describe("JournalFile on a failing disk", () => {
  let folder: string;
  let journal: JournalFile | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-disk-"));
  });

  afterEach(async () => {
    await journal?.close();
    await rm(folder, { recursive: true });
  });

  /** Sends a payment; returns its error and the number of requests. */
  async function pay(openFile?: OpenFile): Promise<{ readonly error: unknown; readonly requests: readonly string[] }> {
    journal = new JournalFile(folder, { onFollowError: assert.ifError, openFile });
    const [clock, gateway] = [new FakeClock(), new FakeGateway()];
    const log = new TransactionTracker({ store: journal, clock, gatewayFor: async () => gateway });
    const context = { network: "test", intent: TRANSFER, expiration: 1_767_225_660_000, solidHeight: 0 };
    const signed = { ...fakeBytes(1), signatures: [] };
    const error = await submitTransaction({ log, gateway, clock }, signed, context).catch((thrown: unknown) => thrown);
    return { error, requests: gateway.requests };
  }

  /** Closes the journal and loads it again. */
  async function reopened() {
    await journal?.close();
    journal = new JournalFile(folder);
    return await journal.load();
  }

  for (const [code, nextStep] of Object.entries(NEXT_STEPS)) {
    for (const step of ["open", "write", "datasync"] as const) {
      it(`sends nothing and reports cause and next step for ${code} at ${step}`, async () => {
        const { error, requests } = await pay(failing(code, step));

        assert.ok(isChainError(error) && error.code === "JOURNAL_UNWRITABLE");
        assert.match(error.message, new RegExp(`journal\\.jsonl could not be written \\(${code}: `));
        assert.match(error.message, nextStep);
        assert.deepEqual(requests, []);
      });
    }
  }

  it("sends nothing and keeps the signed bytes when it is full after them", async () => {
    // A new journal begins with an empty line.
    const { error, requests } = await pay(failing("ENOSPC", "write", 2));

    assert.ok(isChainError(error) && error.code === "JOURNAL_UNWRITABLE");
    assert.deepEqual(requests, []);
    const { entries } = await reopened();
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ["signed"],
    );
  });

  it("shows all valid entries when damaged lines cannot be saved", async () => {
    journal = new JournalFile(folder, { onFollowError: assert.ifError });
    await journal.append([{ kind: "seen-in-pool", txId: fakeBytes(2).txId, at: 1 }]);
    await appendFile(journal.file, "garbage\n");
    await mkdir(join(folder, "journal.quarantine-1.jsonl"));

    const { entries, warnings } = await journal.load();

    assert.equal(entries.length, 1);
    assert.match(warnings[0] ?? "", /1 damaged lines of the journal could not be saved\. .*\./);
  });

  it("saves a torn line only when there is space, and shows all other entries", async () => {
    const { JournalFile: Simulated } = await loadProduct();
    const clock = new FakeClock(0);
    const machine = new Machine(clock, {});
    mount(machine);
    const [path, entry] = [machine.open(1), { kind: "seen-in-pool", txId: fakeBytes(2).txId, at: 1 } as const];
    await new Simulated(path).append([entry]);
    const file = machine.create(join(path, "journal.jsonl"));
    file.bytes = Buffer.concat([file.bytes, Buffer.from('{"v":1,"kind":"sig')]);
    const load = async () => {
      const loading = new Simulated(path).load();
      await clock.advance(1_000);
      return await loading;
    };

    machine.room = 5;
    const full = await load();
    assert.deepEqual(full.entries, [entry]);
    assert.match(full.warnings[0] ?? "", /1 damaged lines .*Free some space on that disk, then try again\.$/);
    assert.deepEqual(machine.names(path), ["journal.jsonl"]);

    machine.room = 1_000;
    assert.deepEqual((await load()).entries, [entry]);
    assert.deepEqual(machine.names(path), ["journal.jsonl", "journal.quarantine-1.jsonl"]);
  });

  it("sends nothing after a partial write, and writes the next line whole", async () => {
    let cut = true;
    const openFile: OpenFile = async (path, flags, mode) => {
      const handle = await open(path, flags, mode);
      const write = handle.write.bind(handle);
      const torn = (bytes: Buffer) => (cut ? write(bytes.subarray(0, bytes.length - 20)) : write(bytes));
      return Object.assign(handle, { write: torn });
    };

    const { error, requests } = await pay(openFile);
    cut = false;
    await journal?.append([{ kind: "seen-in-pool", txId: fakeBytes(2).txId, at: 1 }]);

    assert.match(String(error), /only \d+ of \d+ bytes fit on the disk/);
    assert.deepEqual(requests, []);
    const { entries, warnings } = await reopened();
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ["seen-in-pool"],
    );
    assert.equal(warnings.length, 1);
    assert.ok((await readdir(folder)).includes("journal.quarantine-1.jsonl"));
  });

  // Only Linux has a device that is always full. Other systems rely on the cases above.
  if (existsSync("/dev/full")) {
    it("sends nothing and reports a full device", async () => {
      await symlink("/dev/full", join(folder, "journal.jsonl"));

      const { error, requests } = await pay();

      assert.ok(isChainError(error) && error.code === "JOURNAL_UNWRITABLE");
      assert.match(error.message, /ENOSPC.*Free some space on that disk/);
      assert.deepEqual(requests, []);
    });
  }
});
