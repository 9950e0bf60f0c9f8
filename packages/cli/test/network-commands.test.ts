import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalEntry } from "../../client/src/transaction-state/journal-entry.ts";
import { JournalFile } from "../../node/src/journal/journal-file.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, run, runJson } from "./support/test-terminal.ts";

const UNKNOWN = "ab".repeat(32);
const NILE = { name: "nile", baseUrl: "https://nile.example.org" };
const config = (content: object): { readonly "finality.config.json": string } => ({
  "finality.config.json": JSON.stringify(content),
});

describe("finality networks", () => {
  it("lists the networks of the configuration with their marks", async () => {
    const mainnet = { name: "mainnet", baseUrl: "https://api.example.org", production: true };
    const content = { networks: [NILE, mainnet], network: "nile", testNetworks: ["nile", "mainnet"] };

    const { output } = await run(["networks"], { files: config(content) });
    const { line } = await runJson(["networks"], { files: config(content) });

    assert.match(
      output,
      /^nile {2}https:\/\/nile\.example\.org {2}\(default, test network\)\nmainnet .*\(real money\)\n$/,
    );
    assert.equal(partOf(line, "result").default, "nile");
  });

  it("refuses a credential or another unknown field in the configuration", async () => {
    for (const content of [
      { apiKey: "top-secret" },
      { networks: [{ ...NILE, privateKey: "top-secret" }] },
      { networks: 7 },
    ]) {
      const { exitCode, line } = await runJson(["networks"], { files: config(content) });

      assert.deepEqual([exitCode, partOf(line, "error").code], [2, "CONFIG_MALFORMED"], JSON.stringify(content));
      assert.doesNotMatch(JSON.stringify(line), /top-secret/);
    }
  });
});

describe("network of a command", () => {
  it("has to be chosen, and has to exist", async () => {
    for (const args of [["doctor"], ["doctor", "--network", "shasta"]]) {
      const { exitCode, line } = await runJson(args);

      assert.deepEqual([exitCode, partOf(line, "error").code], [2, "NETWORK_MISSING"]);
    }
  });

  it("receives a key only if the arguments or the environment have its origin", async () => {
    const env = { FINALITY_API_KEY: "top-secret" };
    const { exitCode, line } = await runJson(["track", UNKNOWN, "--network", "nile"], {
      env,
      files: config({ networks: [NILE] }),
    });

    const { code, next } = partOf(line, "error");
    assert.deepEqual([exitCode, code], [2, "CREDENTIAL_UNBOUND"]);
    assert.match(String(next), /FINALITY_KEY_ORIGINS/);
    assert.doesNotMatch(JSON.stringify(line), /top-secret/);
  });

  it("refuses a key in place of a file descriptor, and does not repeat it", async () => {
    const { exitCode, line } = await runJson(["doctor", "--network", NILE.baseUrl, "--api-key-fd", "top-secret"]);

    assert.deepEqual([exitCode, partOf(line, "error").code], [2, "USAGE"]);
    assert.doesNotMatch(JSON.stringify(line), /top-secret/);
  });

  it("is the URL of the argument, whatever the configuration calls so", async () => {
    const url = "http://api.example.org";
    const files = config({ networks: [{ ...NILE, name: url }] });

    const { line } = await runJson(["doctor", "--network", url], { files });

    assert.equal(partOf(line, "error").code, "URL_NOT_ALLOWED");
  });

  it("is not reached through http without encryption", async () => {
    const { exitCode, line } = await runJson(["doctor", "--network", "http://api.example.org"]);

    assert.deepEqual([exitCode, partOf(line, "error").code], [2, "URL_NOT_ALLOWED"]);
  });
});

describe("commands on the embedded chain", () => {
  let chain: CommandChain;
  let folder: string;

  beforeEach(async () => {
    chain = await CommandChain.start();
    folder = mkdtempSync(join(tmpdir(), "finality-cli-"));
  });

  afterEach(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const onChain = (args: readonly string[], isInteractive = false) =>
    [
      [
        ...args,
        "--local",
        ...(args[0] === "track" || args[0] === "wait" || args[0] === "proof" ? ["--journal", folder] : []),
      ],
      { env: chain.env, isInteractive },
    ] as const;

  it("doctor reports each check as progress, and a network that can be used", async () => {
    const { exitCode, line, events } = await runJson(...onChain(["doctor"]));

    const { usable, checks } = partOf(line, "result");
    assert.deepEqual([exitCode, usable], [0, true]);
    assert.ok(Array.isArray(checks) && events.length >= checks.length);
  });

  it("doctor exits with 1 and names the failed check if nothing listens", async () => {
    await chain.close();

    const { exitCode, output } = await run(...onChain(["doctor"]));

    assert.equal(exitCode, 1);
    assert.match(output, /^failed {3}Connection: /m);
  });

  it("track reports an unknown transaction with exit code 6", async () => {
    const { exitCode, line } = await runJson(...onChain(["track", UNKNOWN]));

    const { state, final } = partOf(line, "result");
    assert.deepEqual([exitCode, state, final], [6, "unknown", false]);
  });

  it("track reports pool and head as not final", async () => {
    const { signed } = chain.transfer();
    await chain.broadcast(signed);
    const pending = await runJson(...onChain(["track", signed.txId]));
    await chain.post("/local/mine");
    const included = await runJson(...onChain(["track", signed.txId]));

    assert.deepEqual([pending.exitCode, partOf(pending.line, "result").state], [6, "pending"]);
    assert.deepEqual([included.exitCode, partOf(included.line, "result").final], [6, false]);
  });

  it("wait ends when the transaction is solidified, and shows progress on a terminal only", async () => {
    const { signed } = chain.transfer();
    await chain.broadcast(signed);
    await chain.post("/local/mine", { blocks: 30 });

    const { exitCode, line } = await runJson(...onChain(["wait", signed.txId]));
    const inCi = await run(...onChain(["wait", signed.txId]));
    const onTerminal = await run(...onChain(["wait", signed.txId], true));

    const { state, outcome, timedOut } = partOf(line, "result");
    assert.deepEqual([exitCode, state, outcome, timedOut], [0, "solidified", { kind: "success" }, false]);
    assert.match(inCi.output, /^solidified: success, block \d+\n$/);
    assert.deepEqual([inCi.report, onTerminal.report.endsWith(inCi.output)], ["", true]);
  });

  it("wait names a network that does not answer, and goes on", async () => {
    await chain.post("/local/faults", { faults: [{ name: "http-status", status: 403 }] });
    const { exitCode, events } = await runJson(...onChain(["wait", UNKNOWN, "--timeout", "1"]));

    assert.equal(exitCode, 6);
    assert.match(JSON.stringify(events), /"event":"warning","message":"[^"]*403/);
  });

  it("wait exits with 6 when the time is over", async () => {
    const { exitCode, line } = await runJson(...onChain(["wait", UNKNOWN, "--timeout", "1"]));

    assert.deepEqual([exitCode, partOf(line, "result").timedOut], [6, true]);
  });

  it("proof proves that an expired transaction is in no block, and recheck confirms it", async () => {
    const { intent, signed, expiration } = chain.transfer();
    const network = "Local chain";
    const entry: JournalEntry = { ...signed, kind: "signed", at: 1, network, intent, expiration, solidHeight: 0 };
    const journal = new JournalFile(folder);
    const { txId } = signed;
    await journal.append([
      entry,
      { kind: "broadcast-started", txId, at: 2, attempt: 1, endpoint: chain.chain.baseUrl },
    ]);
    await journal.close();
    await chain.post("/local/mine", { blocks: 30 });

    const { exitCode, line } = await runJson(...onChain(["proof", signed.txId]));
    const proof = join(folder, "proof.json");
    writeFileSync(proof, JSON.stringify(partOf(line, "result").proof));
    const files = { "proof.json": JSON.stringify(partOf(line, "result").proof), "wrong.json": "{}" };
    const alone = await runJson(["recheck", "proof.json"], { files });
    const again = await runJson(["recheck", "proof.json", "--local"], { files, env: chain.env });
    const wrong = await runJson(["recheck", "wrong.json"], { files });
    const tracked = await runJson(...onChain(["track", signed.txId]));

    assert.equal(exitCode, 0);
    assert.deepEqual([alone.exitCode, partOf(alone.line, "result").kind], [0, "alone"]);
    assert.deepEqual([again.exitCode, partOf(again.line, "result").kind], [0, "confirmed"]);
    assert.deepEqual([wrong.exitCode, partOf(wrong.line, "result").kind], [1, "refused"]);
    assert.deepEqual([tracked.exitCode, partOf(tracked.line, "result").state], [1, "provenAbsent"]);
  });

  it("refuses to track a transaction of the journal on another network", async () => {
    const { intent, signed, expiration } = chain.transfer();
    const journal = new JournalFile(folder);
    await journal.append([{ ...signed, kind: "signed", at: 1, network: "nile", intent, expiration, solidHeight: 0 }]);
    await journal.close();

    const { exitCode, line } = await runJson(...onChain(["track", signed.txId]));

    assert.deepEqual([exitCode, partOf(line, "error").code], [2, "NETWORK_DIFFERS"]);
  });

  it("track and wait refuse a URL that answers for another chain than at its first use", async () => {
    const args = ["--network", chain.chain.baseUrl, "--journal", folder];
    const first = await runJson(["track", UNKNOWN, ...args]);
    const pins = join(folder, "chains.jsonl");
    writeFileSync(pins, readFileSync(pins, "utf8").replace(/"value":"\w{64}"/, `"value":"${"0".repeat(64)}"`));
    const changed = await Promise.all(["track", "wait"].map((it) => runJson([it, UNKNOWN, ...args])));

    assert.equal(first.exitCode, 6);
    for (const { exitCode, line } of changed)
      assert.deepEqual([exitCode, partOf(line, "error").code], [3, "CHAIN_CHANGED"]);
  });

  it("reports damaged lines of the journal, which are saved beside it", async () => {
    writeFileSync(join(folder, "journal.jsonl"), '{"v":1,"kind":"sig');

    const { events } = await runJson(...onChain(["track", UNKNOWN]));

    assert.deepEqual(
      events.map(({ event }) => event),
      ["warning"],
    );
    assert.match(String(events[0]?.message), /journal\.quarantine-1\.jsonl/);
  });

  it("proof refuses a transaction that the journal does not have", async () => {
    const { exitCode, line } = await runJson(...onChain(["proof", UNKNOWN]));

    assert.deepEqual([exitCode, partOf(line, "error").code], [1, "PROOF_MISSING"]);
  });
});
