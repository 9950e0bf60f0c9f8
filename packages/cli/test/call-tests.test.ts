import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBase58 } from "../../tron/src/primitives/address.ts";
import { isJsonObject, type JsonObject } from "../../tron/src/primitives/json.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, run, runJson } from "./support/test-terminal.ts";

const ARTIFACT = readFileSync(new URL("../../../samples/build/contracts/Leaf.json", import.meta.url), "utf8");

const setup = [
  { deploy: "Leaf", name: "Leaves", arguments: ["1000"], caller: "Alice" },
  { contract: "Leaves", function: "transfer", arguments: ["Bob", "300"], caller: "Alice" },
];
const call = (method: string, inputs: readonly string[], expect: JsonObject, more: JsonObject = {}): JsonObject => ({
  contract: "Leaves",
  function: method,
  arguments: inputs,
  caller: "Bob",
  expect,
  ...more,
});

describe("finality test", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "finality-test-"));
    mkdirSync(join(folder, "build/contracts"), { recursive: true });
    writeFileSync(join(folder, "build/contracts/Leaf.json"), ARTIFACT);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, ...calls: readonly JsonObject[]): void =>
    writeFileSync(join(folder, name), JSON.stringify({ setup, calls }, undefined, 1));
  const testsOf = (line: JsonObject): readonly JsonObject[] => {
    const { tests } = partOf(line, "result");
    return Array.isArray(tests) ? tests.filter(isJsonObject) : assert.fail();
  };

  it("passes calls whose result, events, revert and energy are as expected, each after the setup of its file", async () => {
    const sent = [{ event: "Transfer", contract: "Leaves", arguments: { from: "Bob", value: 5 } }];
    write(
      "a.finality.jsonc",
      call("balanceOf", ["Bob"], { result: 300 }),
      call("transfer", ["Carol", "5"], { result: true, events: sent, energyAtMost: 40_000 }),
      call("balanceOf", ["Carol"], { result: "0" }),
      call("transfer", ["Carol", "301"], { revert: true }),
      call("transfer", ["Carol", "1"], {}),
    );
    write("b.finality.jsonc", call("balanceOf", ["Alice"], { result: ["700"] }));

    const { exitCode, line, events } = await runJson(["test", "."], { folder });

    const { passed, failed, network } = partOf(line, "result");
    assert.deepEqual([exitCode, passed, failed, network, events.length], [0, 6, 0, "Embedded chain", 6]);
    assert.match(String(testsOf(line)[1]?.energy), /^\d{4,}$/);
  });

  it("passes the example of the documentation", async () => {
    const page = readFileSync(new URL("../../../docs/call-tests.md", import.meta.url), "utf8");
    const [, example = ""] = /^```jsonc\n([\s\S]*?)^```$/m.exec(page) ?? [];
    writeFileSync(join(folder, "a.finality.jsonc"), example);

    const { exitCode, line } = await runJson(["test", "."], { folder });

    assert.deepEqual([exitCode, partOf(line, "result").passed], [0, 3], JSON.stringify(line));
  });

  it("names line, column, expected and actual value of each difference", async () => {
    write("a.finality.jsonc", call("balanceOf", ["Bob"], { result: 301 }, { label: "all of Bob" }));

    const { exitCode, line } = await runJson(["test", "a.finality.jsonc"], { folder });
    const { output } = await run(["test", "a.finality.jsonc"], { folder });

    const [test] = testsOf(line);
    const at = readFileSync(join(folder, "a.finality.jsonc"), "utf8").split("\n").indexOf('    "result": 301');
    const place = { line: at + 1, column: 15 };
    const message = "leaves is 300, expected 301.";
    assert.deepEqual([exitCode, test?.status, test?.name], [1, "failed", "all of Bob"]);
    assert.deepEqual(test?.differences, [{ ...place, message, expected: "301", actual: "300" }]);
    assert.match(output, /^FAILED {2}a\.finality\.jsonc:\d+ {2}all of Bob {2}[\d,]+ energy\n {8}a\.finality\.jsonc:/);
    assert.match(output, /\n0 tests passed, 1 failed\n$/);
  });

  it("decodes the reason of a revert, with names of accounts", async () => {
    write("a.finality.jsonc", call("transfer", ["Carol", "301"], {}));

    const { line } = await runJson(["test", "."], { folder });

    const message = /"message":"([^"]+)"/.exec(JSON.stringify(testsOf(line)))?.[1] ?? "";
    assert.match(message, /^The call reverts: .+\.$/);
  });

  it("reports a call that cannot be made", async () => {
    write("a.finality.jsonc", call("melt", [], {}), call("balanceOf", ["Bob"], { results: 1 }));

    const { exitCode, line } = await runJson(["test", "."], { folder });

    assert.deepEqual([exitCode, testsOf(line).map(({ status }) => status)], [1, ["unusable", "unusable"]]);
    assert.match(JSON.stringify(testsOf(line)[1]?.differences), /An expectation has no \\"results\\"/);
  });

  it("writes JUnit XML, in which text of a file is no markup", async () => {
    const label = 'a "quoted" <b> & \u0001 ]]>';
    write("a.finality.jsonc", call("balanceOf", ["Bob"], { result: 1 }, { label }), call("melt", [], {}));
    write("b.finality.jsonc", call("balanceOf", ["Bob"], { result: 300 }));

    const { exitCode, output } = await run(["test", ".", "--junit", "results.xml"], { folder });

    const xml = readFileSync(join(folder, "results.xml"), "utf8");
    assert.equal(exitCode, 1);
    assert.match(output, /\n1 test passed, 2 failed\n$/);
    assert.match(
      xml,
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="finality" tests="3" failures="1" errors="1">\n/,
    );
    assert.match(xml, /<testsuite name="a\.finality\.jsonc" tests="2" failures="1" errors="1">/);
    assert.match(xml, /name="a &quot;quoted&quot; &lt;b&gt; &amp; \uFFFD \]\]&gt;"/);
    assert.match(xml, /<failure message="leaves is 300, expected 1\." type="failed">a\.finality\.jsonc:\d+:\d+ /);
    assert.match(xml, /<error message="The call cannot be made: /);
  });

  it("prints workflow commands of GitHub, and no text of a file as a command", async () => {
    const label = "50 %, a:b\n::set-env name=PATH::x ##[add-path]/x";
    write("a.finality.jsonc", call("balanceOf", ["Bob"], { result: 1 }, { label }));

    const { output } = await run(["test", ".", "--annotations", "github"], { folder });

    const lines = output.trimEnd().split("\n");
    const [, token = ""] = /^::stop-commands::([0-9a-f-]{36})$/.exec(lines[0] ?? "") ?? [];
    const end = lines.indexOf(`::${token}::`);
    assert.ok(end > 1);
    assert.deepEqual(
      lines.slice(end + 1).map((it) => it.replace(/line=\d+,col=\d+/, "line=N,col=N")),
      [
        "::error file=a.finality.jsonc,line=N,col=N,title=50 %25%2C a%3Ab %3A%3Aset-env name=PATH%3A%3Ax ##[add-path]/x::leaves is 300, expected 1.",
      ],
    );
    const wrong = await run(["test", ".", "--annotations", "github", "--json"], { folder });
    assert.equal(wrong.exitCode, 2);
  });

  it("refuses files without a test, and stops at a setup that fails", async () => {
    writeFileSync(join(folder, "a.finality.jsonc"), JSON.stringify({ calls: [{ contract: "A", function: "f" }] }));
    const none = await runJson(["test", "."], { folder });
    writeFileSync(
      join(folder, "a.finality.jsonc"),
      JSON.stringify({ setup: [{ deploy: "Tree" }], calls: [call("balanceOf", ["Bob"], {})] }),
    );
    const failed = await runJson(["test", "."], { folder });

    assert.deepEqual([none.exitCode, partOf(none.line, "error").code], [2, "INPUT_UNREADABLE"]);
    assert.deepEqual([failed.exitCode, partOf(failed.line, "error").code], [2, "SETUP_FAILED"]);
  });

  it("tests a contract on a network without the setup, and asks for a caller", async () => {
    const chain = await CommandChain.start();
    try {
      const leaf = toBase58(await chain.deployLeaf());
      const { caller: _, ...read } = call("totalSupply", [], { result: 1_000_000_000 }, { contract: leaf });
      write("a.finality.jsonc", read);
      const input = { folder, env: chain.env };

      const without = await runJson(["test", ".", "--local"], input);
      const named = await runJson(["test", ".", "--local", "--caller", leaf], input);
      await chain.post("/local/faults", { faults: [{ name: "constant-calls-off" }] });
      const off = await runJson(["test", ".", "--local", "--caller", leaf], input);

      assert.deepEqual(
        [without, named, off].map(({ exitCode }) => exitCode),
        [1, 0, 3],
      );
      assert.match(JSON.stringify(testsOf(without.line)), /names no caller: use --caller ADDRESS/);
      assert.equal(testsOf(off.line)[0]?.status, "unavailable");
    } finally {
      await chain.close();
    }
  });
});
