import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTenPaths } from "../../../test/support/gateway/minimal-gateway.ts";
import { type Address, parseAddress, toBase58 } from "../../tron/src/primitives/address.ts";
import { hex, type TxId } from "../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, type RunInput, run, runJson } from "./support/test-terminal.ts";

const ARTIFACT = readFileSync(new URL("../../../samples/build/contracts/Leaf.json", import.meta.url), "utf8");
/** Account that the chain does not have. */
const NEW = parseAddress(`41${"5e".repeat(20)}`);
/** A known account, and an address with the same beginning and end. */
const FRIEND = "TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13";
const SIMILAR = "TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13";

describe("finality send, without a call file", () => {
  let chain: CommandChain;
  let folder: string;
  let bob: Address;

  beforeEach(async () => {
    chain = await CommandChain.start();
    bob = chain.address(1);
    folder = mkdtempSync(join(tmpdir(), "finality-pay-"));
    writeFileSync(join(folder, "finality.config.json"), JSON.stringify({ addresses: { Bob: toBase58(bob) } }));
  });

  afterEach(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const input = (more: RunInput = {}): RunInput => ({
    folder,
    ...more,
    env: { ...chain.env, FINALITY_JOURNAL: "journal", KEY: chain.privateKey(0) },
  });
  const args = (...more: readonly string[]) => ["send", "--local", "--key-env", "KEY", ...more];
  const send = (...more: readonly string[]) => runJson(args("--yes", ...more), input());
  const mine = () => chain.post("/local/mine", { blocks: 40 });
  const review = (events: readonly JsonObject[]): string => `${events[0]?.title}\n${events[0]?.detail}`;

  async function coinsOf(address: Address): Promise<number> {
    const { balance = 0 } = await chain.post("/wallet/getaccount", { address });
    return Number(balance);
  }

  async function wait(line: JsonObject): Promise<number> {
    await mine();
    return (await runJson(["wait", String(partOf(line, "result").txId), "--local"], input())).exitCode;
  }

  it("sends coins with a memo, and the review names the recipient, the cost and the memo", async () => {
    const before = await coinsOf(bob);
    const { exitCode, line, events } = await send("--to", "Bob", "--amount", "1.5", "--memo", "rent");
    const waited = await wait(line);

    assert.deepEqual([exitCode, waited, (await coinsOf(bob)) - before], [0, 0, 1_500_000]);
    assert.match(review(events), new RegExp(`\nTo: ${toBase58(bob)}\nAmount: .*1.5.*\nMemo: rent\nCosts: .*memo`));
  });

  it("names the fee of a recipient that the chain does not have", async () => {
    const { line, events } = await send("--to", toBase58(NEW), "--amount", "2");
    const waited = await wait(line);

    assert.deepEqual([waited, await coinsOf(NEW)], [0, 2_000_000]);
    assert.match(review(events), /\nCosts: .*new account/);
  });

  it("refuses the same payment while the first one may still be executed", async () => {
    const first = await send("--to", "Bob", "--amount", "1");
    const again = await send("--to", "Bob", "--amount", "1", "--expiry", "90");
    await mine();
    await runJson(["wait", String(partOf(first.line, "result").txId), "--local"], input());
    const later = await send("--to", "Bob", "--amount", "1");

    const { code, txId } = partOf(again.line, "error");
    assert.deepEqual([again.exitCode, code, txId], [4, "EQUAL_TRANSACTION_ALIVE", partOf(first.line, "result").txId]);
    assert.equal(later.exitCode, 0);
  });

  it("warns of a recipient that looks like a known one, and refuses --yes then", async () => {
    writeFileSync(join(folder, "finality.config.json"), JSON.stringify({ addresses: { Friend: FRIEND } }));
    const refused = await send("--to", SIMILAR, "--amount", "1");
    const confirmed = await run(args("--to", SIMILAR, "--amount", "1"), input({ answers: ["yes"] }));

    assert.deepEqual([refused.exitCode, partOf(refused.line, "error").code], [4, "NOT_CONFIRMED"]);
    assert.match(String(partOf(refused.line, "error").cause), /warning/);
    assert.match(confirmed.output, new RegExp(`^Send 1 .*\n\n⚠ .*${FRIEND}.*\nNetwork: `, "s"));
    assert.equal(confirmed.exitCode, 0);
  });

  it("transfers TRC-20 tokens by their decimals, and pins the decimals", async () => {
    const leaf = toBase58(await chain.deployLeaf());
    const { exitCode, line, events } = await send("--to", "Bob", "--amount", "2.5", "--token", leaf);
    const waited = await wait(line);
    const second = await send("--to", "Bob", "--amount", "1", "--token", leaf);
    const tooMuch = await send("--to", "Bob", "--amount", "999999999", "--token", leaf);

    assert.deepEqual([exitCode, waited], [0, 0]);
    assert.match(review(events), /^Transfer 2\.5 “LEAF” to .*\?\n/);
    assert.match(review(events), /\nAmount: 2\.5 “LEAF” = 2500000 units, 6 decimals reported by .*\nFee limit: /);
    assert.match(review(second.events), /6 decimals the same as at its first use here/);
    assert.deepEqual([tooMuch.exitCode, partOf(tooMuch.line, "error").code], [1, "CALL_WOULD_FAIL"]);
  });

  it("transfers TRC-10 tokens in their smallest units", async () => {
    await issueToken();
    const paid = await send("--to", "Bob", "--amount", "5", "--token", "1000001");
    const waited = await wait(paid.line);
    const tooMuch = await send("--to", "Bob", "--amount", "5000000", "--token", "1000001");
    const fine = await send("--to", "Bob", "--amount", "0.5", "--token", "1000001");

    assert.deepEqual([paid.exitCode, waited], [0, 0]);
    assert.match(review(paid.events), /^Send 5 units of token 1000001\?\n[\s\S]*\nAmount: 5 units/);
    assert.deepEqual([tooMuch.exitCode, partOf(tooMuch.line, "error").code], [1, "CALL_WOULD_FAIL"]);
    assert.deepEqual([fine.exitCode, partOf(fine.line, "error").code], [2, "USAGE"]);
  });

  it("deploys an artifact by its arguments or by a call file, and names the address of the contract", async () => {
    mkdirSync(join(folder, "build/contracts"), { recursive: true });
    writeFileSync(join(folder, "build/contracts/Leaf.json"), ARTIFACT);
    const calls = [{ contract: "Leaf", function: "constructor", arguments: ["7"] }];
    writeFileSync(join(folder, "deploy.finality.jsonc"), JSON.stringify({ calls }));
    const deployed = await send("--contract", "Leaf", "--function", "constructor", "--arguments", '["1000"]');
    const waited = await wait(deployed.line);
    const { contract } = partOf(deployed.line, "result");
    const called = await send(
      "--contract",
      String(contract),
      "--function",
      "transfer(address,uint256)",
      "--arguments",
      '["Bob", "40"]',
      "--fee-limit",
      "100000000",
    );
    const fromFile = await send("deploy.finality.jsonc");

    assert.deepEqual([deployed.exitCode, waited, called.exitCode, fromFile.exitCode], [0, 0, 0, 0]);
    assert.match(
      review(deployed.events),
      /^Deploy “Leaf”\?\n[\s\S]*\nArtifact: Leaf \(build\/contracts\/Leaf\.json\)\n/,
    );
    assert.match(review(called.events), /\nFee limit: 100/);
    assert.match(review(fromFile.events), /“supply”: 7\n/);
  });

  it("pays through the ten documented paths, and names the path that TRC-10 tokens need", async () => {
    const leaf = toBase58(await chain.deployLeaf());
    await using front = await startTenPaths(chain.chain.baseUrl, "404");
    const testNetworks = [new URL(front.url).host];
    writeFileSync(join(folder, "finality.config.json"), JSON.stringify({ testNetworks }));
    const pay = (...more: readonly string[]) =>
      runJson(["send", "--to", toBase58(bob), "--network", front.url, "--key-env", "KEY", "--yes", ...more], input());
    const coins = await pay("--amount", "1");
    const { output } = await run(
      ["send", "--to", toBase58(bob), "--amount", "2", "--network", front.url, "--key-env", "KEY", "--yes"],
      input(),
    );
    const tokens = await pay("--amount", "1", "--token", leaf);
    const trc10 = await pay("--amount", "1", "--token", "1000001");
    await mine();
    const { txId } = partOf(tokens.line, "result");
    const waited = await runJson(["wait", String(txId), "--network", front.url], input());

    assert.deepEqual([coins.exitCode, tokens.exitCode, waited.exitCode], [0, 0, 0]);
    assert.ok(output.endsWith(` --network ${front.url}\n`), output);
    assert.deepEqual([trc10.exitCode, partOf(trc10.line, "error").code], [3, "PATH_NOT_SERVED"]);
  });

  it("refuses arguments that exclude each other, are incomplete or no amount", async () => {
    const wrong = [
      [],
      ["--to", "Bob"],
      ["--to", "Bob", "--amount", "1", "--contract", "Leaf"],
      ["--to", "Bob", "--amount", "1", "--token", toBase58(bob), "--memo", "x"],
      ["--to", "Mallory", "--amount", "1"],
      ["--to", "Bob", "--amount", "1,5"],
      ["--contract", "Leaf"],
      ["--contract", "Leaf", "--function", "transfer", "--arguments", "5]"],
    ];

    for (const more of wrong) {
      const { exitCode, line } = await send(...more);
      assert.equal(exitCode, 2, JSON.stringify([more, line]));
    }
  });

  /** Issues 1,000,000 units of a TRC-10 token to the first account. */
  async function issueToken(): Promise<void> {
    const now = Date.now();
    const body = {
      owner_address: chain.address(0),
      name: Buffer.from("Coupon").toString("hex"),
      abbr: Buffer.from("CPN").toString("hex"),
      total_supply: 1_000_000,
      trx_num: 1,
      num: 1,
      start_time: now + 3_600_000,
      end_time: now + 7_200_000,
      description: "",
      url: Buffer.from("https://coupon.example").toString("hex"),
      precision: 2,
    };
    const { txID, raw_data_hex: rawDataHex } = await chain.post("/wallet/createassetissue", body);
    await chain.broadcast(chain.signBytes({ txId: String(txID) as TxId, rawDataHex: hex(String(rawDataHex)) }));
    await chain.post("/local/mine", { blocks: 3 });
  }
});
