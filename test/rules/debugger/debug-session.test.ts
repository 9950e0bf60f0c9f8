import assert from "node:assert/strict";
import { CompiledContracts, TraceSources } from "../../../packages/client/src/traces.ts";
import type { Debuggee } from "../../../src/features/debugger/debuggee.ts";
import { type ScriptedSession, type StoppedAt, scriptedSession } from "../../support/debugger/debug-client.ts";
import { debuggedTransfer, LEAF_PATH, leafLine } from "../../support/debugger/debugged-leaf.ts";
import { debuggeeOf } from "../../support/debugger/debugged-run.ts";

const MOVED = [
  "_move(msg.sender, to, value);",
  "if (to == address(0))",
  "uint256 balance = balanceOf[from];",
  "if (balance < value) revert",
  "balanceOf[from] = balance - value;",
  "balanceOf[to] += value;",
  "emit Transfer(from, to, value);",
];

describe("debugger over the Debug Adapter Protocol", () => {
  let session: ScriptedSession;
  const open = async (value: bigint): Promise<void> => {
    const debuggee = await debuggedTransfer(value);
    session = await scriptedSession(async () => debuggee);
  };
  const breakAt = (...breakpoints: readonly object[]) => ({
    source: { path: LEAF_PATH },
    breakpoints: breakpoints as { line: number }[],
  });
  const lineOf = (stop: StoppedAt | "terminated"): number | "terminated" => (stop === "terminated" ? stop : stop.line);

  afterEach(() => session.close());

  it("steps into every statement of a transfer that runs, and back to the first one", async () => {
    await open(5n);
    const lines: (number | "terminated")[] = [];
    let stop = await session.launch({ stopAtEnd: true });
    while (stop !== "terminated" && stop.reason !== "pause") {
      lines.push(stop.line);
      stop = await session.move("stepIn");
    }

    const expected = [...MOVED, "_move(msg.sender, to, value);", "return true;"].map(leafLine);
    assert.deepEqual(lines, expected);
    const back: (number | "terminated")[] = [];
    for (let step = 0; step < 2; step += 1) back.push(lineOf(await session.move("stepBack")));
    assert.deepEqual(back, ["return true;", "_move(msg.sender, to, value);"].map(leafLine));
  });

  it("stops at the breakpoint of a line in both directions, with the calls that lead there", async () => {
    await open(5n);
    const line = leafLine("balanceOf[to] += value;");
    const stop = await session.launch({}, async (client) => {
      const { body } = await client.setBreakpointsRequest(breakAt({ line }, { line: leafLine("// SPDX") }));
      assert.deepEqual(
        body.breakpoints.map(({ verified, line: found }) => [verified, found]),
        [
          [true, line],
          [true, leafLine("_grow(msg.sender, supply);")],
        ],
      );
    });

    assert.deepEqual(stop, { reason: "breakpoint", text: undefined, name: "Leaf._move", line });
    assert.deepEqual(
      (await session.stack()).map((it) => `${it.name} ${it.line} ${it.source?.path === LEAF_PATH}`),
      [`Leaf._move ${line} true`, `Leaf.transfer ${leafLine("_move(msg.sender, to, value);")} true`],
    );
    assert.equal(lineOf(await session.move("stepOut")), leafLine("_move(msg.sender, to, value);"));
    assert.equal(lineOf(await session.move("reverseContinue")), line);
    assert.equal(lineOf(await session.move("stepBack")), leafLine("balanceOf[from] = balance - value;"));
    assert.equal(lineOf(await session.move("reverseContinue")), leafLine("_move(msg.sender, to, value);"));
    assert.equal(lineOf(await session.move("next")), line);
    assert.equal(lineOf(await session.move("continue")), "terminated");
  });

  it("stops at the statement that fails, with the decoded reason", async () => {
    await open(2n ** 200n);

    const stop = await session.launch({}, (client) => client.setExceptionBreakpointsRequest({ filters: ["uncaught"] }));

    assert.ok(stop !== "terminated");
    assert.equal(stop.reason, "exception");
    assert.equal(stop.line, leafLine("revert NotEnoughLeaves"));
    assert.match(stop.text ?? "", /NotEnoughLeaves/);
    const { body } = await session.client.exceptionInfoRequest({ threadId: 1 });
    assert.equal(body.exceptionId, "NotEnoughLeaves");
    assert.equal(body.breakMode, "unhandled");
    assert.equal(lineOf(await session.move("stepBack")), leafLine("if (balance < value) revert"));
  });

  it("shows the call of a frame, and restarts it", async () => {
    await open(5n);
    await session.launch({}, (client) =>
      client.setBreakpointsRequest(breakAt({ line: leafLine("emit Transfer(from") })),
    );

    const [top, caller] = await session.stack();
    const { body } = await session.client.scopesRequest({ frameId: top?.id ?? 0 });
    const scope = body.scopes.find(({ name }) => name === "Global");
    const variables = await session.client.variablesRequest({ variablesReference: scope?.variablesReference ?? 0 });

    assert.ok(variables.body.variables.some(({ name, value }) => name === "msg.sender" && value.startsWith("T")));
    assert.equal(caller?.name, "Leaf.transfer");
    assert.equal(lineOf(await session.move("restartFrame", { frameId: top?.id })), leafLine("if (to == address(0))"));
  });

  it("refuses a run that cannot be loaded with its reason", async () => {
    session = await scriptedSession(async () => {
      throw new Error("no block has this transaction {id}");
    });
    await session.client.initializeRequest();

    await assert.rejects(session.client.launchRequest({}), /no block has this transaction/);
  });
});

describe("debugger without lines", () => {
  let session: ScriptedSession;
  const open = async (debuggee: Debuggee): Promise<void> => {
    session = await scriptedSession(async () => debuggee);
  };
  afterEach(() => session.close());

  it("shows a contract without artifacts as its instructions, and steps by instruction", async () => {
    const { run } = await debuggedTransfer(2n ** 200n);
    await open(debuggeeOf(run.trace, new TraceSources(new CompiledContracts()), "/none"));
    const stop = await session.launch({}, (client) => client.setExceptionBreakpointsRequest({ filters: ["uncaught"] }));

    assert.ok(stop !== "terminated" && stop.reason === "exception");
    const [top] = await session.stack();
    assert.equal(top?.source?.path, undefined);
    const sourceReference = top?.source?.sourceReference ?? 0;
    const { body } = await session.client.sourceRequest({ sourceReference });
    assert.match(body.content.split("\n")[(top?.line ?? 0) - 1] ?? "", /REVERT$/);
    const before = await session.move("stepBack");
    assert.ok(before !== "terminated" && before.line < stop.line);
  });

  it("never shows a file whose text is not the compiled one", async () => {
    const debuggee = await debuggedTransfer(5n);
    const files = new Map([...debuggee.files].map(([name, { text }]) => [name, { text }]));
    await open({ ...debuggee, files, differing: new Set([LEAF_PATH]) });
    await session.launch({}, async (client) => {
      const { body } = await client.setBreakpointsRequest({ source: { path: LEAF_PATH }, breakpoints: [{ line: 34 }] });
      assert.deepEqual(
        body.breakpoints.map(({ verified, message }) => [verified, message]),
        [[false, "The source differs: this file was changed after it was compiled."]],
      );
    });

    const [top] = await session.stack();
    assert.equal(top?.source?.path, undefined);
    const { body } = await session.client.sourceRequest({ sourceReference: top?.source?.sourceReference ?? 0 });
    assert.match(body.content, /contract Leaf \{/);
  });

  it("writes names and values of a contract without control characters", async () => {
    const debuggee = await debuggedTransfer(5n);
    const hostile = "\u001b[31mLeaf\u202e\n[link](command:x)";
    await open({ ...debuggee, title: hostile, contractName: () => hostile, failureText: () => hostile });
    await session.launch({});
    const { body } = await session.client.threadsRequest();

    const names = [body.threads[0]?.name ?? "", ...(await session.stack()).map(({ name }) => name)];
    for (const name of names) assert.doesNotMatch(name, /[\p{Cc}\u202e]/u);
  });

  it("refuses requests before a run is loaded, and those about a frame that is gone", async () => {
    await open(await debuggedTransfer(5n));
    await session.client.initializeRequest();
    await assert.rejects(session.client.stackTraceRequest({ threadId: 1 }), /No run is loaded/);
    await session.launch({});
    const [top] = await session.stack();
    await session.move("next");

    await assert.rejects(session.client.scopesRequest({ frameId: (top?.id ?? 0) + 50 }), /no longer there/);
    await assert.rejects(session.client.sourceRequest({ sourceReference: 4_000 }), /no such source/);
    await assert.rejects(
      session.client.customRequest("readMemory", { memoryReference: "x", count: 9 }),
      /no such memory/,
    );
  });
});
