import assert from "node:assert/strict";
import { once } from "node:events";
import type { FileEstimate } from "../../../../packages/client/src/labels/file-estimate.ts";
import type { TransactionState } from "../../../../src/public/api.ts";
import { commands, EventEmitter, editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { txId } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/tasks/tasks.ts");
type TerminalModule = typeof import("../../../../src/features/tasks/task-terminal.ts");
const { runTask } = await loadWithEditor<TestedModule>("src/features/tasks/tasks.ts");
const { TaskTerminal } = await loadWithEditor<TerminalModule>("src/features/tasks/task-terminal.ts");

const [LISTED, UNLISTED] = [txId("1"), txId("2")];
const block = { number: 7, timestamp: 0 };
const success: TransactionState = { kind: "solidified", block, outcome: { kind: "success" } };
const estimates: readonly FileEstimate[] = [
  {
    ...{ file: "a.sol", line: 1, column: 1, name: "A.f()", energy: undefined, before: undefined },
    ...{ kind: "fails", text: "reverts", problems: [] },
  },
];

/** Services with one transaction, whose states a test sets, and the lines that a task prints. */
function window(first: TransactionState = { kind: "pending" }) {
  let state = first;
  const changed = new EventEmitter<readonly string[]>();
  const tracked: unknown[] = [];
  const lines: string[] = [];
  const cancelling = new AbortController();
  const of = (id: string) => ({ txId: id, state });
  const services = {
    networks: { get: (name = "Nile") => ({ name }) },
    ready: async () => undefined,
    transactions: {
      list: () => [of(LISTED)],
      get: (id: string) => (id === LISTED || tracked.length > 0 ? of(id) : undefined),
      track: async (id: string, options: unknown) => {
        tracked.push([id, options]);
        return of(id);
      },
      onDidChange: changed.event,
    },
    estimateFiles: async function* () {
      yield* estimates;
    },
  };
  return {
    ...{ tracked, lines, cancelling },
    become: (next: TransactionState, id = LISTED) => {
      state = next;
      changed.fire([id]);
    },
    run: (task: Parameters<typeof runTask>[1]) =>
      runTask(services as never, task, {
        folder: { name: "work" } as never,
        print: (line) => lines.push(line),
        signal: cancelling.signal,
      }),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("runTask", () => {
  beforeEach(() => {
    editor.reset();
    commands.ran.length = 0;
  });

  it("waits for the newest transaction and prints each state once", async () => {
    const { run, become, lines } = window();
    const code = run({ task: "wait", txId: undefined, network: undefined });
    await settled();

    become({ kind: "included", block });
    become({ kind: "included", block });
    become(success, UNLISTED);
    become(success);

    assert.equal(await code, 0);
    assert.deepEqual(lines, [LISTED, "pending", "included in block 7, not final", "final: success, block 7"]);
  });

  it("tracks a transaction of the named network that is not in the list", async () => {
    const { run, tracked } = window(success);

    assert.equal(await run({ task: "wait", txId: UNLISTED, network: "Shasta" }), 0);
    assert.deepEqual(tracked, [[UNLISTED, { network: "Shasta" }]]);
  });

  it("ends a wait when the user cancels", async () => {
    const { run, cancelling } = window();
    const code = run({ task: "wait", txId: LISTED, network: undefined });
    await settled();

    cancelling.abort(new Error("cancelled"));

    await assert.rejects(code, /cancelled/);
  });

  it("starts the local chain and prints its URL and accounts", async () => {
    const { run, lines } = window();
    commands.results["finality.startLocalChain"] = {
      baseUrl: "http://127.0.0.1:9090",
      accounts: [{ label: "Alice", address: "TAlice" }],
    };

    assert.equal(await run({ task: "chain" }), 0);
    assert.deepEqual(lines, ["The local chain is ready at http://127.0.0.1:9090.", "  Alice  TAlice"]);
  });

  it("prints estimates and exits with the code of the worst", async () => {
    const { run, lines } = window();

    assert.equal(await run({ task: "estimate", files: undefined, tolerance: 0 }), 1);
    assert.deepEqual(lines, ["a.sol:1:1: error: A.f(): reverts"]);
  });

  it("runs nothing in Restricted Mode", async () => {
    const { run, lines } = window();
    editor.trusted = false;

    for (const task of ["chain", "wait", "estimate"] as const)
      assert.equal(await run({ task, txId: LISTED, network: undefined, files: undefined, tolerance: 0 } as never), 1);

    assert.deepEqual(commands.ran, []);
    assert.match(lines[0] ?? "", /Restricted Mode/);
  });
});

describe("TaskTerminal", () => {
  it("writes lines without control characters and closes with the exit code", async () => {
    const terminal = new TaskTerminal(async (print) => {
      print("a\u001b[2Jb\nc");
      return 5;
    });
    const written: string[] = [];
    terminal.onDidWrite((text) => written.push(text));
    const closed = new Promise((resolve) => terminal.onDidClose(resolve));

    terminal.open();

    assert.equal(await closed, 5);
    assert.match(written.join(""), /^a.*b c\r\n$/);
    assert.ok(!written.join("").includes("\u001b"));
  });

  it("prints the reason of a failure", async () => {
    const terminal = new TaskTerminal(() => Promise.reject(new Error("There is no network Evil.")));
    const written: string[] = [];
    terminal.onDidWrite((text) => written.push(text));
    const closed = new Promise((resolve) => terminal.onDidClose(resolve));

    terminal.open();

    assert.equal(await closed, 1);
    assert.deepEqual(written, ["There is no network Evil.\r\n"]);
  });

  it("aborts the work when the user closes it", async () => {
    const terminal = new TaskTerminal(async (_print, signal) => {
      await once(signal, "abort");
      throw signal.reason;
    });
    const written: string[] = [];
    terminal.onDidWrite((text) => written.push(text));
    const closed = new Promise((resolve) => terminal.onDidClose(resolve));

    terminal.open();
    terminal.close();

    assert.equal(await closed, 1);
    assert.deepEqual(written, []);
  });
});
