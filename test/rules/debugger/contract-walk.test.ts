import assert from "node:assert/strict";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Debuggee } from "../../../src/features/debugger/debuggee.ts";
import { type ScriptedSession, type StoppedAt, scriptedSession } from "../../support/debugger/debug-client.ts";
import { WALK_PATH, type WalkFixture, walkFixture, walkLine } from "../../support/debugger/debugged-walk.ts";

/** Lines of `Shop.buy` by a proxy, in the order in which they run. */
const BOUGHT: readonly (readonly [name: string, text: string])[] = [
  ["Owned.onlyOwner", 'require(msg.sender == owner, "not the owner");'],
  ["Shop.buy", "uint256 sum = price * count;"],
  ["Shop.buy", "orders.push("],
  ["Shop.buy", 'console.log("sum", sum);'],
  ["console.log", "(bool done, )"],
  ["Shop.buy", 'console.log("sum", sum);'],
  ["Shop.buy", "uint256 before = till.pay"],
  ["Till.pay", "if (amount > limit)"],
  ["Till.pay", "require(amount != 13"],
  ["Till.pay", "assert(amount != 17)"],
  ["Till.pay", "paid[payer] += amount"],
  ["Till.pay", "return paid[payer]"],
  ["Shop.buy", "uint256 before = till.pay"],
  ["Shop.buy", "revenue = revenue + sum.doubled()"],
  ["Sums.doubled", "return value * 2"],
  ["Shop.buy", "revenue = revenue + sum.doubled()"],
  ["Shop.buy", "return before;"],
  ["Owned.onlyOwner", "passed += 1;"],
];

const BUY = "buy(uint256,uint256)";
const SOURCE = { path: WALK_PATH };

describe("debugger across contracts", () => {
  let contracts: WalkFixture;
  let bought: Debuggee;
  let caught: Debuggee;
  let counted: Debuggee;
  let session: ScriptedSession;
  before(async () => {
    contracts = await walkFixture();
    bought = await contracts.debug(contracts.proxy, BUY, 3n, 4n);
    caught = await contracts.debug(contracts.shop, "tryToBuy(uint256)", 17n);
    counted = await contracts.debug(contracts.shop, "count(uint256)", 3n);
  });
  const open = async (debuggee: Debuggee): Promise<void> => {
    session = await scriptedSession(async () => debuggee);
  };
  const breakAt = (text: string, options: Partial<DebugProtocol.SourceBreakpoint> = {}) =>
    session.client.setBreakpointsRequest({ source: SOURCE, breakpoints: [{ line: walkLine(text), ...options }] });
  const locationOf = (stop: StoppedAt | "terminated"): string =>
    stop === "terminated" ? stop : `${stop.name.replace(/ \(.*\)$/, "")} ${stop.line}`;
  const stopsOf = async (): Promise<readonly string[]> => {
    const locations: string[] = [];
    for (let stop = await session.move("continue"); stop !== "terminated"; stop = await session.move("continue"))
      locations.push(locationOf(stop));
    return locations;
  };
  afterEach(() => session.close());

  it("reaches each statement of a proxy, a library, a modifier and another contract in order", async () => {
    await open(bought);
    const locations: string[] = [];
    for (let stop = await session.launch({}); stop !== "terminated"; stop = await session.move("stepIn"))
      locations.push(locationOf(stop));

    assert.deepEqual(
      locations.filter((it) => !it.startsWith("Proxy.")),
      BOUGHT.map(([name, text]) => `${name} ${walkLine(text)}`),
    );
    assert.deepEqual(session.output, ["sum 12"]);
  });

  it("shows the calls across contracts, and steps back over a call", async () => {
    await open(bought);
    const stop = await session.launch({}, () => breakAt("paid[payer] += amount"));

    assert.ok(stop !== "terminated" && stop.reason === "breakpoint");
    const names = (await session.stack()).map(({ name, line }) => `${name} ${line}`);
    assert.deepEqual(names, [
      `Till.pay ${walkLine("paid[payer] += amount")}`,
      `Shop.buy (delegatecall) ${walkLine("uint256 before = till.pay")}`,
      `Proxy.fallback ${walkLine("let done := delegatecall")}`,
    ]);
    const till = walkLine("uint256 before = till.pay");
    assert.equal(locationOf(await session.move("stepOut")), `Shop.buy ${till}`);
    assert.equal(locationOf(await session.move("next")), `Shop.buy ${walkLine("revenue = revenue + sum.doubled()")}`);
    await session.client.setBreakpointsRequest({ source: SOURCE, breakpoints: [] });
    assert.equal(locationOf(await session.move("stepBack")), `Shop.buy ${till}`);
  });

  it("evaluates in each frame, stops at a line if its condition is true, and prints values", async () => {
    await open(counted);
    const stop = await session.launch({}, () => breakAt("values[round] = round", { condition: "round == 2" }));
    const evaluate = async (expression: string, frame = 0): Promise<string> => {
      const frameId = (await session.stack())[frame]?.id ?? 0;
      return (await session.client.evaluateRequest({ expression, frameId, context: "watch" })).body.result;
    };

    assert.equal(locationOf(stop), `Shop.count ${walkLine("values[round] = round")}`);
    assert.deepEqual(
      [await evaluate("round"), await evaluate("rounds * 2 + 1"), await evaluate("revenue")],
      ["2", "7", "0"],
    );
    await assert.rejects(evaluate("nothing"), /nothing/);
    await assert.rejects(evaluate("1 +".repeat(100_000)), /longer/);
    await breakAt("sum += values[at];", { logMessage: "at {at} of {values.length}: {missing}" });
    assert.equal(await session.move("continue"), "terminated");
    assert.equal(session.output.length, 3);
    assert.match(session.output[2] ?? "", /^at 2 of 3: <.*missing.*>$/);
  });

  it("stops where a condition has no value, and says why once", async () => {
    await open(counted);
    const line = walkLine("values[round] = round");
    const stop = await session.launch({}, () => breakAt("values[round] = round", { condition: "unknown > 1" }));

    assert.equal(locationOf(stop), `Shop.count ${line}`);
    assert.equal(locationOf(await session.move("continue")), `Shop.count ${line}`);
    assert.equal(session.output.filter((it) => it.includes("unknown")).length, 1);
  });

  it("stops at functions by name, and prints logpoints without a stop", async () => {
    await open(bought);
    const stop = await session.launch({}, async (client) => {
      await breakAt("return before;", { logMessage: "passed" });
      const { body } = await client.setFunctionBreakpointsRequest({
        breakpoints: [{ name: "Sums.doubled" }, { name: "nothing" }],
      });
      assert.deepEqual(
        body.breakpoints.map(({ verified }) => verified),
        [true, false],
      );
    });

    assert.equal(locationOf(stop), `Sums.doubled ${walkLine("return value * 2")}`);
    assert.ok(stop !== "terminated" && stop.reason === "function breakpoint");
    assert.deepEqual(await stopsOf(), []);
    assert.deepEqual(session.output, ["sum 12", "passed"]);
  });

  it("counts hits from the beginning of the run, and refuses another hit count", async () => {
    await open(counted);
    const first = await session.launch({ stopOnEntry: true }, () =>
      breakAt("values[round] = round", { hitCondition: "% 2" }),
    );
    assert.equal(locationOf(first), `Shop.count ${walkLine("new uint256[](rounds)")}`);
    const line = walkLine("values[round] = round");

    assert.equal(locationOf(await session.move("continue")), `Shop.count ${line}`);
    await breakAt("values[round] = round", { hitCondition: "3" });
    assert.equal(locationOf(await session.move("continue")), `Shop.count ${line}`);
    await breakAt("values[round] = round");
    assert.deepEqual(
      [locationOf(await session.move("reverseContinue")), locationOf(await session.move("reverseContinue"))],
      [`Shop.count ${line}`, `Shop.count ${line}`],
    );
    const { body } = await breakAt("values[round] = round", { hitCondition: "often" });
    assert.deepEqual(
      body.breakpoints.map(({ verified, message }) => [verified, message]),
      [[false, "Write a hit count as 3, >= 3, > 3, < 3 or % 3."]],
    );
  });

  it("stops at failures that a caller catches if the filter says so", async () => {
    await open(caught);
    const stop = await session.launch({}, (client) =>
      client.setExceptionBreakpointsRequest({ filters: ["uncaught", "panics"] }),
    );

    assert.equal(locationOf(stop), `Till.pay ${walkLine("assert(amount != 17)")}`);
    const { body } = await session.client.exceptionInfoRequest({ threadId: 1 });
    assert.equal(body.breakMode, "always");
    await session.client.setExceptionBreakpointsRequest({ filters: ["uncaught", "reverts"] });
    assert.deepEqual(
      [locationOf(await session.move("reverseContinue")), locationOf(await session.move("continue"))],
      [`Shop.tryToBuy ${walkLine("try till.pay")}`, "terminated"],
    );
  });

  it("stops at a custom error by name", async () => {
    await open(await contracts.debug(contracts.shop, "tryToBuy(uint256)", 170n));
    const errors = (condition: string) =>
      session.client.customRequest("setExceptionBreakpoints", {
        filters: [],
        filterOptions: [{ filterId: "errors", condition }],
      });
    const stop = await session.launch({}, () => errors("Other, TooMuch"));

    assert.equal(locationOf(stop), `Till.pay ${walkLine("revert TooMuch")}`);
    await errors("Other");
    assert.equal(locationOf(await session.move("reverseContinue")), `Shop.tryToBuy ${walkLine("try till.pay")}`);
    assert.equal(locationOf(await session.move("continue")), "terminated");
  });

  it("stops after the write of a watched variable", async () => {
    await open(bought);
    await session.launch({}, () => breakAt("paid[payer] += amount"));
    const [top, caller] = await session.stack();
    const scopes = await session.client.scopesRequest({ frameId: caller?.id ?? 0 });
    const state = scopes.body.scopes.find(({ name }) => name === "State") ?? assert.fail();
    const listed = { variablesReference: state.variablesReference };
    const info = await session.client.dataBreakpointInfoRequest({ ...listed, name: "revenue" });
    assert.match(String(info.body.dataId), /^T\w{33}\/revenue$/);
    const other = await session.client.customRequest("dataBreakpointInfo", { name: "amount", frameId: top?.id });
    assert.equal(other.body.dataId, null);
    await session.client.setDataBreakpointsRequest({ breakpoints: [{ dataId: String(info.body.dataId) }] });

    const stop = await session.move("continue");

    assert.equal(locationOf(stop), `Shop.buy ${walkLine("revenue = revenue + sum.doubled()")}`);
    assert.ok(stop !== "terminated" && stop.reason === "data breakpoint");
    assert.equal(stop.text, "revenue: 0 → 24");
  });

  it("steps by instruction, lists the code, and reads memory", async () => {
    await open(bought);
    await session.launch({}, () => breakAt('console.log("sum", sum);'));
    const before = (await session.stack())[0]?.instructionPointerReference ?? assert.fail();
    const { body } = await session.client.disassembleRequest({
      memoryReference: before,
      instructionOffset: -2,
      instructionCount: 4,
    });
    assert.equal(body?.instructions.length, 4);
    assert.equal(body?.instructions[2]?.address, before);
    assert.equal(body?.instructions[2]?.line, walkLine('console.log("sum", sum);'));
    await session.move("stepIn", { granularity: "instruction" });
    const after = (await session.stack())[0];
    assert.equal(after?.instructionPointerReference, body?.instructions[3]?.address);

    const scopes = await session.client.scopesRequest({ frameId: after?.id ?? 0 });
    const machine = scopes.body.scopes.find(({ name }) => name === "Machine") ?? assert.fail();
    const { variables } = (await session.client.variablesRequest(machine)).body;
    const memory = variables.find(({ name }) => name === "memory")?.memoryReference ?? assert.fail();
    const read = await session.client.customRequest("readMemory", { memoryReference: memory, offset: 64, count: 32 });
    const pointer = Buffer.from(String(read.body.data), "base64");
    assert.equal(pointer.length, 32);
    assert.ok(pointer.readUInt32BE(28) >= 128, pointer.toString("hex"));
  });
});
