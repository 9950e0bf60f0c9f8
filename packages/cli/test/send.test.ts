import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printKeystore } from "../../client/src/keys/keystore.ts";
import { JournalFile } from "../../node/src/journal/journal-file.ts";
import { type Address, toBase58 } from "../../tron/src/primitives/address.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import { parsePrivateKey } from "../../tron/src/transaction/signature.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, type RunInput, run, runJson } from "./support/test-terminal.ts";

const ARTIFACT = readFileSync(new URL("../../../samples/build/contracts/Leaf.json", import.meta.url), "utf8");
const SIGNATURE = new URL("../../tron/src/transaction/signature.ts", import.meta.url).pathname;

describe("finality send", () => {
  let chain: CommandChain;
  let leaf: Address;
  let folder: string;

  beforeEach(async () => {
    chain = await CommandChain.start();
    leaf = await chain.deployLeaf();
    folder = mkdtempSync(join(tmpdir(), "finality-send-"));
    mkdirSync(join(folder, "build/contracts"), { recursive: true });
    writeFileSync(join(folder, "build/contracts/Leaf.json"), ARTIFACT);
    const call = { label: "Pay Bob", contract: toBase58(leaf), function: "transfer", arguments: ["Bob", "5"] };
    writeFileSync(join(folder, "pay.finality.jsonc"), JSON.stringify({ calls: [call] }));
    writeFileSync(
      join(folder, "finality.config.json"),
      JSON.stringify({ addresses: { Bob: toBase58(chain.address(1)) } }),
    );
  });

  afterEach(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const input = (more: RunInput = {}): RunInput => ({
    folder,
    ...more,
    env: { ...chain.env, FINALITY_JOURNAL: "journal", KEY: chain.privateKey(0), OTHER: chain.privateKey(1) },
  });
  const LOCAL = ["send", "pay.finality.jsonc", "--local"];
  const WITH_KEY = [...LOCAL, "--key-env", "KEY"];
  const send = (...args: readonly string[]) => runJson([...WITH_KEY, "--yes", ...args], input());
  const faults = (...list: readonly JsonObject[]) => chain.post("/local/faults", { faults: list });
  const mine = () => chain.post("/local/mine", { blocks: 40 });
  const waitFor = (line: JsonObject, name: "result" | "error" = "result") =>
    runJson(["wait", String(partOf(line, name).txId), "--local"], input());

  /** Returns the tokens of Bob. */
  async function balance(): Promise<number> {
    const owner = chain.address(1);
    const { constant_result: result } = await chain.post("/wallet/triggerconstantcontract", {
      owner_address: owner,
      contract_address: leaf,
      function_selector: "balanceOf(address)",
      parameter: owner.slice(2).padStart(64, "0"),
    });
    return Number.parseInt(String(Array.isArray(result) ? result[0] : ""), 16);
  }

  async function journalKinds(): Promise<readonly string[]> {
    const journal = new JournalFile(join(folder, "journal"));
    const { entries } = await journal.load();
    await journal.close();
    return entries.map(({ kind }) => kind);
  }

  it("prints the review, writes the journal before it sends, and reports the txID", async () => {
    const { exitCode, line, events } = await send();
    const kinds = await journalKinds();
    await mine();
    const waited = await waitFor(line);

    assert.deepEqual([exitCode, partOf(line, "result").state], [0, "pending"]);
    assert.match(String(events[0]?.detail), /Sends: no coins\nFee limit: .*\nContract: T/);
    assert.deepEqual(kinds.slice(0, 3), ["signed", "broadcast-started", "broadcast-answered"]);
    assert.deepEqual([waited.exitCode, partOf(waited.line, "result").state], [0, "solidified"]);
    assert.equal(await balance(), 5);
  });

  it("signs nothing if the user does not confirm the review", async () => {
    const no = await run(WITH_KEY, input({ answers: ["no"] }));
    const kinds = await journalKinds();
    const yes = await run(WITH_KEY, input({ answers: ["yes"] }));

    assert.deepEqual([no.exitCode, kinds, yes.exitCode], [4, [], 0]);
    assert.match(no.output, /^Call “transfer” on “T\w+”\?\n\nNetwork: Local chain\n/);
    assert.match(no.report, /NOT_CONFIRMED/);
  });

  it("refuses --yes on a network that is not marked as a test network", async () => {
    const args = ["send", "pay.finality.jsonc", "--network", chain.chain.baseUrl, "--key-env", "KEY", "--yes"];
    const { exitCode, line } = await runJson(args, input());

    assert.deepEqual([exitCode, partOf(line, "error").code], [4, "NOT_CONFIRMED"]);
    assert.deepEqual(await journalKinds(), []);
  });

  it("wallet-cli#997: after a lost answer the outcome is unknown, and the same command again sends nothing", async () => {
    await faults({ name: "lost-answer", path: "*/broadcast*", count: 1 });
    const first = await send();
    const again = await send();
    await mine();
    const waited = await waitFor(first.line);

    assert.deepEqual([first.exitCode, partOf(first.line, "result").state], [6, "unknown"]);
    const { code, retry, txId } = partOf(again.line, "error");
    assert.deepEqual([again.exitCode, code, retry], [4, "EQUAL_TRANSACTION_ALIVE", "track-first"]);
    assert.equal(txId, partOf(first.line, "result").txId);
    assert.deepEqual([waited.exitCode, await balance()], [0, 5]);
  });

  it("tips#66: DUP_TRANSACTION_ERROR hides the first answer, so the outcome stays unknown until a block shows it", async () => {
    await faults({ name: "duplicate-cache" }, { name: "lost-answer", path: "*/broadcast*", count: 1 });
    const first = await send();
    const txId = String(partOf(first.line, "result").txId);
    const resent = await runJson(["resend", txId, "--local", "--yes"], input());
    const again = await send();
    await mine();
    const waited = await waitFor(first.line);

    assert.deepEqual([first.exitCode, partOf(first.line, "result").state], [6, "unknown"]);
    assert.deepEqual([resent.exitCode, partOf(resent.line, "result").state], [6, "unknown"]);
    assert.match(String(partOf(resent.line, "result").why), /closed before an answer/);
    assert.deepEqual([again.exitCode, partOf(again.line, "error").code], [4, "EQUAL_TRANSACTION_ALIVE"]);
    assert.deepEqual([waited.exitCode, await balance()], [0, 5]);
  });

  it("tronweb#658: an expiry that is too short is refused by the node, and the next command pays once", async () => {
    const first = await send("--expiry", "1");
    const again = await send();
    await mine();
    const paid = await waitFor(again.line);

    assert.deepEqual([first.exitCode, partOf(first.line, "result").state], [4, "rejected"]);
    assert.match(String(partOf(first.line, "result").why), /^TRANSACTION_EXPIRATION_ERROR/);
    assert.deepEqual([again.exitCode, paid.exitCode, await balance()], [0, 0, 5]);
  });

  it("never twice: a lost request is proven absent before the next command pays", async () => {
    await faults({ name: "reset-before", path: "*/broadcast*", count: 1 });
    const first = await send();
    const again = await send();
    await mine();
    // As if it had been sent long ago: the search begins when the expiration should have passed.
    const journal = join(folder, "journal", "journal.jsonl");
    writeFileSync(journal, readFileSync(journal, "utf8").replaceAll(/"at":\d{13}/g, '"at":1'));
    const waited = await waitFor(first.line);
    const third = await send();
    await mine();
    const paid = await waitFor(third.line);

    assert.deepEqual([first.exitCode, partOf(again.line, "error").code], [6, "EQUAL_TRANSACTION_ALIVE"]);
    assert.deepEqual([waited.exitCode, partOf(waited.line, "result").state], [1, "provenAbsent"]);
    assert.deepEqual([third.exitCode, paid.exitCode, await balance()], [0, 0, 5]);
  });

  it("resend sends the same bytes again after a lost request", async () => {
    await faults({ name: "reset-before", path: "*/broadcast*", count: 1 });
    const { line } = await send();
    const txId = String(partOf(line, "result").txId);
    const declined = await run(["resend", txId, "--local"], input({ answers: ["no"] }));
    const again = await runJson(["resend", txId, "--local", "--yes"], input());
    const foreign = await runJson(["resend", "ab".repeat(32), "--local", "--yes"], input());
    await mine();
    const paid = await waitFor(again.line);

    assert.deepEqual([declined.exitCode, again.exitCode, paid.exitCode, await balance()], [4, 0, 0, 5]);
    assert.deepEqual([foreign.exitCode, partOf(foreign.line, "error").code], [2, "NOT_IN_JOURNAL"]);
  });

  it("never twice: of two commands at the same moment one sends", async () => {
    const both = await Promise.all([send(), send("--expiry", "90")]);
    await mine();
    const sent = both.filter(({ line }) => line.ok === true);

    assert.equal(sent.length, 1);
    assert.equal(await balance(), 5);
  });

  it("signs nothing for a URL that serves another chain than before", async () => {
    const name = new URL(chain.chain.baseUrl).host;
    const addresses = { Bob: toBase58(chain.address(1)) };
    writeFileSync(join(folder, "finality.config.json"), JSON.stringify({ addresses, testNetworks: [name] }));
    mkdirSync(join(folder, "journal"));
    const pin = { key: chain.chain.baseUrl, value: `${"0".repeat(16)}${"ab".repeat(24)}` };
    writeFileSync(join(folder, "journal", "chains.jsonl"), `${JSON.stringify(pin)}\n`);
    const args = ["send", "pay.finality.jsonc", "--network", chain.chain.baseUrl, "--key-env", "KEY", "--yes"];

    const { exitCode, line } = await runJson(args, input());

    assert.deepEqual([exitCode, partOf(line, "error").code, await journalKinds()], [3, "CHAIN_CHANGED", []]);
  });

  it("warns of a contract whose code is not that of its artifact, and refuses --yes then", async () => {
    const { abi } = JSON.parse(ARTIFACT);
    rmSync(join(folder, "build"), { recursive: true });
    mkdirSync(join(folder, "deployments/nile"), { recursive: true });
    const record = { address: toBase58(leaf), abi, bytecode: "0x6001600255" };
    writeFileSync(join(folder, "deployments/nile/Leaf.json"), JSON.stringify(record));

    const { exitCode, line, events } = await send();

    assert.match(String(events[0]?.detail), /⚠ According to this gateway, the code at this address is not that of /);
    assert.deepEqual([exitCode, partOf(line, "error").code], [4, "NOT_CONFIRMED"]);
  });

  it("opens a keystore with the password of the terminal", async () => {
    const key = parsePrivateKey(chain.privateKey(0));
    writeFileSync(join(folder, "key.json"), await printKeystore(key, "correct", 1_024));
    const args = [...LOCAL, "--keystore", "key.json", "--yes"];

    const wrong = await run(args, input({ answers: ["wrong"] }));
    const right = await run(args, input({ answers: ["correct"] }));

    assert.match(wrong.report, /KEYSTORE_PASSWORD_WRONG/);
    assert.deepEqual([wrong.exitCode, right.exitCode], [4, 0]);
    assert.doesNotMatch(right.output + right.report, new RegExp(chain.privateKey(0)));
  });

  it("signs with another program, and refuses the signature of another key", async () => {
    const program = (key: string): string => `#!${process.execPath}
      import { signTransactionId, parsePrivateKey } from ${JSON.stringify(SIGNATURE)};
      import { readFileSync } from "node:fs";
      const { txId } = JSON.parse(readFileSync(0, "utf8"));
      console.log(signTransactionId(txId, parsePrivateKey(${JSON.stringify(key)})));`;
    const file = join(folder, "signer.mjs");
    const external = () => {
      const args = [...LOCAL, "--signer", "signer.mjs", "--address", toBase58(chain.address(0)), "--yes"];
      return runJson(args, input());
    };
    writeFileSync(file, program(chain.privateKey(1)));
    chmodSync(file, 0o755);
    const foreign = await external();
    rmSync(join(folder, "journal"), { recursive: true });
    writeFileSync(file, program(chain.privateKey(0)));
    const own = await external();

    assert.deepEqual([foreign.exitCode, partOf(foreign.line, "error").code], [4, "SIGNATURE_FOREIGN"]);
    assert.deepEqual([own.exitCode, partOf(own.line, "result").state], [0, "pending"]);
  });

  it("refuses a call that would fail, a read-only function, and a key in an argument", async () => {
    const failing = await runJson([...LOCAL, "--key-env", "OTHER", "--yes"], input());
    const inArgument = await runJson([...LOCAL, "--key-env", chain.privateKey(0)], input());
    const reading = { contract: toBase58(leaf), function: "balanceOf", arguments: ["Bob"] };
    writeFileSync(join(folder, "pay.finality.jsonc"), JSON.stringify({ calls: [reading] }));
    const read = await send();

    assert.deepEqual([failing.exitCode, partOf(failing.line, "error").code], [1, "CALL_WOULD_FAIL"]);
    assert.deepEqual([read.exitCode, partOf(read.line, "error").code], [2, "CALL_UNUSABLE"]);
    assert.equal(inArgument.exitCode, 2);
    assert.doesNotMatch(JSON.stringify(inArgument.line), new RegExp(chain.privateKey(0)));
  });
});
