import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { buildCliIfStale } from "../../../scripts/build/cli.mjs";
import { startTenPaths } from "../../../test/support/gateway/minimal-gateway.ts";
import { DATABASE_PASSWORD, startPostgres } from "../../../test/support/postgres/server.ts";
import type { JournalEntry } from "../../client/src/transaction-state/journal-entry.ts";
import { JournalFile } from "../../node/src/journal/journal-file.ts";
import { toBase58 } from "../../tron/src/primitives/address.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../tron/src/primitives/json.ts";
import { generatePrivateKey } from "../../tron/src/transaction/signature.ts";
import { messageDigest } from "../../tron/src/typed-data/message.ts";
import { signMessageDigest } from "../../tron/src/typed-data/message-signature.ts";
import { commands } from "../src/command-table.ts";
import { outputSchema } from "../src/output-schema.ts";
import { CommandChain } from "./support/chain.ts";
import { schemaFaults } from "./support/schema-faults.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const ARTIFACT = join(root, "samples/build/contracts/Leaf.json");

/** A signature of the message "Hi". */
const SIGNATURE = `0x${signMessageDigest(messageDigest(Buffer.from("Hi")), generatePrivateKey())}`;

const soon = (ms: number): Promise<false> => wait(ms, false);

/** Exit code and lines of one run of the built program. */
interface ProgramRun {
  readonly exitCode: number;
  readonly lines: readonly JsonObject[];
  readonly last: JsonObject;
}

describe("every command of the built program", () => {
  const printed: JsonObject[] = [];
  let program: string;
  let folder: string;
  let chain: CommandChain;

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), "finality-clean-"));
    program = join(folder, "finality.cjs");
    copyFileSync(await buildCliIfStale(root), program);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    chain = await CommandChain.start();
  });

  afterEach(() => chain.close());

  /** Runs the program in the clean folder. The schema accepts each line, and standard error is empty. */
  async function invoke(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ProgramRun> {
    const child = spawn(process.execPath, [program, ...args, "--json"], { cwd: folder, env });
    child.stdin.end();
    const [output, report] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    assert.equal(report, "", args.join(" "));
    const lines = output.trimEnd().split("\n").map(parseJson).filter(isJsonObject);
    for (const line of lines) assert.deepEqual(schemaFaults(line), [], args.join(" "));
    printed.push(...lines);
    const last = lines.at(-1);
    assert.ok(last !== undefined && child.exitCode !== null);
    return { exitCode: child.exitCode, lines, last };
  }

  /** Writes an expired transaction that was lost, as the editor or the program would. Returns its txID. */
  async function writeLost(journal: string, network: string): Promise<string> {
    const { intent, signed, expiration } = chain.transfer();
    const { blockID } = await chain.post("/wallet/getblockbynum", { num: 0 });
    const { txId } = signed;
    const file = new JournalFile(journal);
    await file.append([
      { ...signed, kind: "signed", at: 1, network, chain: String(blockID), intent, expiration, solidHeight: 0 },
      { kind: "broadcast-started", txId, at: 2, attempt: 1, endpoint: chain.chain.baseUrl },
    ] as readonly JournalEntry[]);
    await file.close();
    return txId;
  }

  /** Makes blocks until a run ends. */
  async function whileMining(run: Promise<ProgramRun>): Promise<ProgramRun> {
    const ended = run.then(() => true);
    for (let isDone = false; !isDone; isDone = await Promise.race([ended, soon(200)]))
      await chain.post("/local/mine", { blocks: 3 });
    return await run;
  }

  /** Runs the commands that use a network, from a lost answer to a proof. Returns their exit codes. */
  async function walk(name: string, network: readonly string[], setLost: (isLost: boolean) => Promise<unknown>) {
    const journal = join(folder, `journal of ${name.replace(":", " ")}`);
    const leaf = toBase58(await chain.deployLeaf());
    const bob = toBase58(chain.address(1));
    const calls = [{ contract: leaf, function: "transfer", arguments: [bob, "1"], caller: toBase58(chain.address(0)) }];
    mkdirSync(join(folder, "out"), { recursive: true });
    copyFileSync(ARTIFACT, join(folder, "out", "Leaf.json"));
    writeFileSync(join(folder, "pay.finality.jsonc"), JSON.stringify({ calls }));
    const expected = calls.map((call) => ({ ...call, expect: { result: true } }));
    writeFileSync(join(folder, "pay.test.finality.jsonc"), JSON.stringify({ calls: expected }));
    writeFileSync(join(folder, "finality.config.json"), JSON.stringify({ testNetworks: [name] }));
    const env = { ...chain.env, FINALITY_JOURNAL: journal, KEY: chain.privateKey(0) };
    const on = (...args: readonly string[]) => invoke([...args, ...network], env);
    const lost = await writeLost(journal, name);
    const codes: Record<string, number> = {};

    codes.doctor = (await on("doctor")).exitCode;
    codes.events = (await on("events", leaf, "--from", "1")).exitCode;
    codes.estimate = (await on("estimate", "pay.finality.jsonc")).exitCode;
    codes.test = (await on("test", "pay.test.finality.jsonc")).exitCode;
    await setLost(true);
    const sent = await on("send", "pay.finality.jsonc", "--key-env", "KEY", "--yes", "--wait", "--timeout", "1");
    await setLost(false);
    codes.send = sent.exitCode;
    const txId = String(isJsonObject(sent.last.result) ? sent.last.result.txId : "");
    codes.resend = (await on("resend", txId, "--yes")).exitCode;
    await chain.post("/local/mine", { blocks: 40 });
    codes.wait = (await on("wait", txId)).exitCode;
    codes.track = (await on("track", txId)).exitCode;
    const proof = await on("proof", lost);
    codes.proof = proof.exitCode;
    writeFileSync(
      join(folder, "proof.json"),
      JSON.stringify(isJsonObject(proof.last.result) && proof.last.result.proof),
    );
    codes.recheck = (await on("recheck", "proof.json")).exitCode;
    const paid = on("send", "--to", bob, "--amount", "1.5", "--key-env", "KEY", "--yes", "--wait");
    codes.payment = (await whileMining(paid)).exitCode;
    writeFileSync(join(folder, `${journal.length}.csv`), `recipient,amount\n${bob},1\n`);
    const rows = on("run", `${journal.length}.csv`, "--key-env", "KEY", "--yes", "--expiry", "36000");
    codes.run = (await whileMining(rows)).exitCode;
    writeFileSync(join(folder, "wrong.csv"), `recipient,amount\n${bob},"1,5"\n`);
    codes.refusedRun = (await on("run", "wrong.csv", "--key-env", "KEY", "--yes")).exitCode;
    codes.runs = (await invoke(["runs"], env)).exitCode;
    return codes;
  }

  const WALKED = {
    doctor: 0,
    events: 0,
    estimate: 0,
    test: 0,
    send: 6,
    resend: 0,
    wait: 0,
    track: 0,
    proof: 0,
    recheck: 0,
    payment: 0,
    run: 0,
    refusedRun: 4,
    runs: 0,
  };

  it("works with the embedded chain in a clean folder with Node alone", async function () {
    this.timeout(120_000);
    const fault = { name: "reset-before", path: "*/broadcast*" };
    const setLost = (isLost: boolean) => chain.post("/local/faults", { faults: isLost ? [fault] : [] });

    assert.deepEqual(await walk("Local chain", ["--local"], setLost), WALKED);
    const { blockID } = await chain.post("/wallet/getblockbynum", { num: 0 });
    const domain = {
      chainId: BigInt(`0x${String(blockID).slice(-8)}`).toString(),
      verifyingContract: chain.address(1),
    };
    const fields = [
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ];
    const types = { EIP712Domain: fields, Order: [{ name: "count", type: "uint8" }] };
    const data = { types, primaryType: "Order", domain, message: { count: "1" } };
    writeFileSync(join(folder, "order.json"), JSON.stringify(data));
    const env = { ...chain.env, KEY: chain.privateKey(0) };
    const key = ["--key-env", "KEY", "--yes"];
    const typed = await invoke(["typed-data", "sign", "order.json", "--local", "--journal", "typed", ...key], env);
    const message = await invoke(["message", "sign", "--text", "Hi", ...key], env);

    assert.deepEqual([typed.exitCode, message.exitCode], [0, 4]);
  });

  it("works through the ten documented paths", async function () {
    this.timeout(120_000);
    await using front = await startTenPaths(chain.chain.baseUrl, "404");
    const setLost = async (isLost: boolean): Promise<void> => {
      front.broadcasts = isLost ? "lost" : "pass";
    };

    assert.deepEqual(await walk(new URL(front.url).host, ["--network", front.url], setLost), WALKED);
  });

  it("works without a network, and reports a mistake of each command", async function () {
    this.timeout(120_000);
    const setup = [{ deploy: "Leaf", name: "Leaves", arguments: ["1000"], caller: "Alice" }];
    const calls = [{ contract: "Leaves", function: "transfer", arguments: ["Bob", "2000"], caller: "Alice" }];
    writeFileSync(join(folder, "trace.finality.jsonc"), JSON.stringify({ setup, calls }));
    const tests = calls.map((call) => ({ ...call, expect: { revert: true } }));
    writeFileSync(join(folder, "coverage.finality.jsonc"), JSON.stringify({ setup, calls: tests }));
    for (const [from, to] of [
      [ARTIFACT, "covered/Leaf.json"],
      [join(root, "samples/contracts/Leaf.sol"), "contracts/Leaf.sol"],
    ] as const)
      cpSync(from, join(folder, to));
    const alone: Readonly<Record<string, readonly string[]>> = {
      explain: ["--text", "REVERT opcode executed"],
      decode: ["--text", "a9059cbb"],
      networks: [],
      schema: [],
      completion: ["bash"],
      chain: ["--flags"],
      mcp: ["--journal", "proposals"],
      message: ["verify", "--text", "Hi", "--signature", SIGNATURE],
      trace: ["trace.finality.jsonc", "--embedded"],
      coverage: ["coverage.finality.jsonc", "--artifacts", "covered"],
    };
    for (const [name, args] of Object.entries(alone))
      assert.equal((await invoke([name, ...args], {})).exitCode, 0, name);
    for (const { name } of commands) {
      const { exitCode, last } = await invoke([name, "--mistake"], {});
      assert.deepEqual([exitCode, isJsonObject(last.error) && last.error.code], [2, "USAGE"], name);
    }
  });

  it("starts a chain, and warns of a journal with a damaged line", async () => {
    const child = spawn(process.execPath, [program, "chain", "--port", "0", "--accounts", "1", "--json"], {
      cwd: folder,
    });
    const lines = createInterface(child.stdout);
    for (const signal of [undefined, "SIGTERM"] as const) {
      if (signal !== undefined) child.kill(signal);
      const [line] = (await once(lines, "line")) as [string];
      const json = parseJson(line);
      assert.ok(isJsonObject(json));
      assert.deepEqual(schemaFaults(json), []);
      printed.push(json);
    }
    const journal = join(folder, "damaged");
    mkdirSync(journal);
    writeFileSync(join(journal, "journal.jsonl"), '{"v":1,"kind":"sig');

    const { lines: warned } = await invoke(["track", "ab".repeat(32), "--local", "--journal", journal], chain.env);

    assert.equal(warned[0]?.event, "warning");
  });

  it("starts a worker of a PostgreSQL store, which ends when nothing is left to do", async function () {
    this.timeout(120_000);
    const server = await startPostgres({ fsync: false });
    try {
      const env = { ...chain.env, PGPASSWORD: DATABASE_PASSWORD, KEY: chain.privateKey(0) };
      const args = [
        "worker",
        "--local",
        "--store",
        server.createDatabase(),
        "--key-env",
        "KEY",
        "--exit-when-finished",
      ];
      const { exitCode, lines } = await invoke(args, env);

      assert.deepEqual([exitCode, lines[0]?.event, lines[0]?.level], [0, "log", "info"]);
    } finally {
      server.stop();
    }
  });

  it("prints every kind of line that the schema has", () => {
    const { anyOf } = outputSchema;
    assert.ok(Array.isArray(anyOf));
    const ajv = new Ajv2020();
    const unseen = (anyOf as readonly JsonObject[]).filter((kind) => {
      const accepts = ajv.compile({ ...outputSchema, anyOf: [kind] });
      return !printed.some((line) => accepts(line));
    });
    const outcomes = new Set(printed.filter(({ ok }) => ok !== undefined).map(({ command, ok }) => `${command} ${ok}`));

    assert.deepEqual(unseen, []);
    assert.equal(outcomes.size, 2 * commands.length);
  });
});
