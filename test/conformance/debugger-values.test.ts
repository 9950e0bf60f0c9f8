import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type DebugScope, scopesAt } from "../../packages/client/src/debugger/values.ts";
import { selectorOf } from "../../packages/tron/src/abi.ts";
import type { Trace, Word } from "../../packages/tron/src/traces.ts";
import { installCompilers } from "../../scripts/install/on-demand.mjs";
import { contractFixture } from "../support/chain/contract-fixture.ts";
import {
  compileForDebugger,
  type DebugSetting,
  debugFrame,
  traceWithValues,
} from "../support/debugger/debugged-contract.ts";
import { FEATURES_CONTRACT } from "../support/debugger/features-contract.ts";
import { noCounts, runLogged, runSource } from "../support/debugger/run-logged.ts";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
type Price is uint64;
contract Base { uint128 internal low = 7; }
contract Main is Base {
    enum Mode { Off, On }
    struct Item { uint64 id; bool isOpen; string name; uint16[] parts; }
    bool flag = true;
    Mode mode = Mode.On;
    Price price = Price.wrap(99);
    int16 minus = -5;
    bytes4 tag = 0x11223344;
    string short = "abc";
    string long = "a text that is longer than the thirty-one bytes of one slot";
    uint16[20] fixedList;
    Item[] items;
    mapping(address => uint256) balances;
    mapping(string => mapping(uint8 => Item)) nested;
    uint256 transient counter;
    uint256 immutable limit;
    bytes2 constant MARK = 0x0102;
    uint64 constant PERIOD = 2 * DAY;
    uint64 constant DAY = 1 days;
    constructor(uint256 most) { limit = most; }
    function run(uint256 x, string calldata name) external payable returns (uint256) {
        fixedList[18] = 500;
        items.push();
        items[0].id = 12;
        items[0].parts.push(3);
        items[0].parts.push(4);
        balances[msg.sender] = x + limit;
        nested[name][2].name = "deep";
        counter = 3;
        try this.fail(x) {} catch {}
        return low;
    }
    function fail(uint256 x) external {
        balances[msg.sender] = x;
        low = 8;
        require(x == 0, "always");
    }
}`;
const OWN = { version: "0.8.37", path: createRequire(import.meta.url).resolve("solc") };

function scopeOf(scopes: readonly DebugScope[], kind: DebugScope["kind"]): DebugScope {
  const found = scopes.find((it) => it.kind === kind);
  assert.ok(found);
  return found;
}

type Shown = string | { readonly [name: string]: Shown };

/** Values with everything inside, by name. */
function shown(values: ReturnType<DebugScope["variables"]>): { readonly [name: string]: Shown } {
  return Object.fromEntries(
    values.map(({ name, text, children }) => [name, children === undefined ? text : shown(children())]),
  );
}

const UNTOUCHED = "not available: the run did not touch this slot";

describe("values of a debugged run", () => {
  let trace: Trace;
  let frameAt: (frame: number) => ReturnType<typeof debugFrame>;
  /** Last instruction of a frame. */
  const endOf = (frame: number): number => trace.steps?.frame.lastIndexOf(frame) ?? 0;
  const stateAt = (frame: number, step: number): { readonly [name: string]: Shown } =>
    shown(scopeOf(scopesAt(frameAt(frame), step), "state").variables());

  before(async () => {
    const setting = { version: OWN.version, isOptimized: false, isViaIr: false };
    const build = compileForDebugger({ "Main.sol": SOURCE }, setting, OWN.path);
    assert.ok(build);
    const fixture = await contractFixture();
    const word = (value: number): string => value.toString(16).padStart(64, "0");
    const { address: to } = await fixture.deploy(build.bytecode("Main.sol", "Main") + word(1_000));
    const name = Buffer.from("key").toString("hex").padEnd(64, "0");
    const data = `${selectorOf("run(uint256,string)")}${word(5)}${word(64)}${word(3)}${name}`;
    trace = await traceWithValues(fixture, { to, data, value: 20 });
    frameAt = (frame) => debugFrame(trace, frame, build.sources);
  });

  it("decodes state variables of every type at the end of a run", () => {
    assert.equal(trace.result, "SUCCESS");
    const { balances, fixedList, ...rest } = stateAt(0, endOf(0));
    assert.deepEqual(rest, {
      low: "7",
      flag: "true",
      mode: "Mode.On",
      price: "99",
      minus: "-5",
      tag: "0x11223344",
      short: UNTOUCHED,
      long: UNTOUCHED,
      items: { "[0]": { id: "12", isOpen: "false", name: UNTOUCHED, parts: { "[0]": "3", "[1]": "4" } } },
      nested: { '["key"]': { "[2]": { id: UNTOUCHED, isOpen: UNTOUCHED, name: '"deep"', parts: UNTOUCHED } } },
      counter: "3",
      limit: "1000",
      MARK: "0x0102",
      PERIOD: "172800",
      DAY: "86400",
    });
    // The failed call hashed its own sender.
    assert.deepEqual(Object.values(balances ?? {}), ["1005", "0"]);
    assert.deepEqual(Object.entries(fixedList ?? {}).slice(15, 19), [
      ["[15]", UNTOUCHED],
      ["[16]", "0"],
      ["[17]", "0"],
      ["[18]", "500"],
    ]);
  });

  it("shows what a failing call wrote until it fails, and the former values afterwards", () => {
    const failed = trace.frames.findIndex(({ outcome }) => outcome === "reverted");
    const [first = 0] = [trace.steps?.frame.indexOf(failed)];
    assert.equal(stateAt(failed, first).low, "7");
    assert.equal(stateAt(failed, endOf(failed)).low, "8");
    assert.equal(stateAt(0, endOf(0)).low, "7");
    assert.deepEqual(Object.values(stateAt(failed, endOf(failed)).balances ?? {}), ["1005", "5"]);
  });

  it("reads slots that the run did not touch from the state before it", () => {
    const word = `${Buffer.from("abc").toString("hex").padEnd(62, "0")}06` as Word;
    const scopes = scopesAt({ ...frameAt(0), readStorage: () => word }, endOf(0));
    const values = shown(scopeOf(scopes, "state").variables());
    assert.equal(values.short, '"abc"');
  });

  it("decodes call data, coins and energy", () => {
    const scopes = scopesAt(frameAt(0), endOf(0));
    assert.deepEqual(shown(scopeOf(scopes, "call-data").variables()), { x: "5", name: '"key"' });
    const global = shown(scopeOf(scopes, "global").variables());
    assert.equal(global["msg.value"], "20");
    assert.equal(global["block.number"], `${trace.blockNumber}`);
    assert.ok(Number(global["energy.used"]) > 0);
  });
});

const isFull = process.env.FINALITY_RANDOM === "full";
const COMPILERS = join(import.meta.dirname, "../../scripts/compilers/node_modules");
/** Random contracts for each of 15 settings. */
const CONTRACTS = 14;

function allSettings(): readonly DebugSetting[] {
  return ["0.6.12", "0.8.20", "0.8.35", OWN.version].flatMap((version) => {
    const pipelines = version === "0.6.12" ? [{ isViaIr: false }] : [{ isViaIr: false }, { isViaIr: true }];
    const settings = pipelines.flatMap((it) => [false, true].map((isOptimized) => ({ version, isOptimized, ...it })));
    // The compiler has no ETHDebug with its optimizer.
    const ethdebug = { version, isOptimized: false, isViaIr: true, hasEthdebug: true };
    return version === OWN.version ? [...settings, ethdebug] : settings;
  });
}

describe("values beside logs of random contracts", () => {
  const counts = noCounts();

  it("are equal where they are shown: legacy, optimized", async () => {
    const setting = { version: OWN.version, isOptimized: true, isViaIr: false, isShort: true };
    await runLogged([11], setting, OWN.path, counts);
    assert.ok(counts.equal > 100, `${counts.equal} values`);
  });

  for (const [at, setting] of (isFull ? allSettings() : []).entries())
    it(`are equal in ${CONTRACTS} more: ${Object.values(setting).join(", ")}`, async () => {
      await installCompilers();
      const isOwn = setting.version === OWN.version;
      const compiler = isOwn ? OWN.path : join(COMPILERS, `solc-${setting.version}`, "index.js");
      const seeds = Array.from({ length: CONTRACTS }, (_, seed) => 1_000 * (at + 1) + seed);
      await runLogged(seeds, setting, compiler, counts);
      if (setting.version !== "0.6.12")
        await runSource({ source: FEATURES_CONTRACT, name: "features" }, setting, compiler, counts);
    }).timeout(1_200_000);

  it("are never wrong", () => {
    assert.deepEqual(counts.wrong, []);
    const { equal, contracts, tooDeep, missing } = counts;
    if (isFull) process.stdout.write(`${JSON.stringify({ contracts, tooDeep, equal, missing: [...missing] })}\n`);
  });
});
