import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../tron/src/primitives/json.ts";
import { partOf, run, runJson } from "./support/test-terminal.ts";

const SAMPLES = join(import.meta.dirname, "../../../samples");

const setup = [{ deploy: "Leaf", name: "Leaves", arguments: ["1000"], caller: "Alice" }];
const transfer = (amount: string, expect: JsonObject): JsonObject => ({
  contract: "Leaves",
  function: "transfer",
  arguments: ["Bob", amount],
  caller: "Alice",
  expect,
});

describe("finality coverage", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "finality-coverage-"));
    cpSync(join(SAMPLES, "build/contracts/Leaf.json"), join(folder, "build/contracts/Leaf.json"));
    cpSync(join(SAMPLES, "contracts/Leaf.sol"), join(folder, "contracts/Leaf.sol"));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (...calls: readonly JsonObject[]): void =>
    writeFileSync(join(folder, "leaf.finality.jsonc"), JSON.stringify({ setup, calls }));
  const lcov = (): string => readFileSync(join(folder, "coverage/lcov.info"), "utf8");
  const lineOf = (text: string): number =>
    readFileSync(join(SAMPLES, "contracts/Leaf.sol"), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1;

  it("writes which lines the setup and the tests of call files executed", async () => {
    write(transfer("5", { result: true }));

    const { exitCode, line } = await runJson(["coverage", "."], { folder });

    const { files, lcov: written } = partOf(line, "result");
    const [file] = Array.isArray(files) ? files.filter(isJsonObject) : [];
    assert.deepEqual([exitCode, written, file?.file], [0, "coverage/lcov.info", "contracts/Leaf.sol"]);
    const moved = lineOf("balanceOf[from] = balance - value");
    assert.ok(moved > 0);
    assert.match(lcov(), /^SF:contracts\/Leaf\.sol$/m);
    assert.match(lcov(), new RegExp(`^DA:${moved},[1-9]`, "m"));
    assert.match(lcov(), /^FNDA:0,Leaf\.approve$/m);
  });

  it("ends with code 1 if a test fails, and writes the coverage too", async () => {
    write(transfer("5", { revert: true }));

    const { exitCode, output } = await run(["coverage", "leaf.finality.jsonc", "--lcov", "out.info"], { folder });

    assert.equal(exitCode, 1);
    assert.match(output, /^FAILED .*[\s\S]*^\d+ of \d+ +\d+ of \d+ +contracts\/Leaf\.sol/m);
    assert.match(readFileSync(join(folder, "out.info"), "utf8"), /^SF:/m);
  });

  it("counts what a command executes on the chain of CHAIN_URL", async () => {
    const { bytecode } = JSON.parse(readFileSync(join(SAMPLES, "build/contracts/Leaf.json"), "utf8"));
    const script = `const url = process.env.CHAIN_URL + "/wallet/triggerconstantcontract";
const owner_address = "410000000000000000000000000000000000000001";
const data = ${JSON.stringify(String(bytecode).replace(/^0x/, ""))} + (1000).toString(16).padStart(64, "0");
fetch(url, { method: "POST", body: JSON.stringify({ owner_address, data }) }).then(async (it) => process.stdout.write(await it.text()));`;
    writeFileSync(join(folder, "script.cjs"), script);

    const { exitCode, report } = await run(["coverage", "--", process.execPath, "script.cjs"], { folder });

    assert.equal(exitCode, 0, report);
    assert.match(report, /"constant_result"/);
    assert.match(lcov(), /^FNDA:1,Leaf\.constructor$/m);
  });

  it("ends with code 1 if the command fails, and 2 if there is neither a file nor a command", async () => {
    const failed = await run(["coverage", "--", process.execPath, "-e", "process.exitCode = 3"], { folder });
    const empty = await run(["coverage"], { folder });

    assert.deepEqual([failed.exitCode, empty.exitCode], [1, 2], failed.report);
  });

  it("says what is missing if no artifact has source maps", async () => {
    write(transfer("5", { result: true }));
    rmSync(join(folder, "contracts"), { recursive: true });

    const { exitCode, report } = await run(["coverage", "."], { folder });

    assert.equal(exitCode, 2);
    assert.match(report, /source maps/);
  });
});
