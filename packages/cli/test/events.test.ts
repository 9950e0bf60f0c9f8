import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSignature } from "../../tron/src/abi/abi-signature.ts";
import { encodeCall } from "../../tron/src/abi/encode-abi.ts";
import { type Address, toBase58 } from "../../tron/src/primitives/address.ts";
import { sun } from "../../tron/src/primitives/amount.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import type { Intent } from "../../tron/src/transaction/intent.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, runJson } from "./support/test-terminal.ts";

const TRANSFER = "transfer(address,uint256)";

describe("finality events", () => {
  let chain: CommandChain;
  let folder: string;
  let leaf: Address;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-events-"));
    chain = await CommandChain.start();
    leaf = await chain.deployLeaf();
    await chain.post("/local/mine", { blocks: 2 });
  });

  afterEach(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Transfers tokens in a block of its own. */
  async function transfer(to: Address, amount: bigint): Promise<void> {
    const data = encodeCall(TRANSFER, parseSignature(TRANSFER).parameters, [to, amount]);
    const owner = chain.address(0);
    const [callValue, feeLimit] = [sun(0n), sun(100_000_000n)];
    const call: Intent = { kind: "contract-call", owner, contract: leaf, data, callValue, feeLimit };
    const answer = await chain.broadcast(chain.sign(call));
    assert.equal(answer.result, true, JSON.stringify(answer));
    await chain.post("/local/mine", { blocks: 20 });
  }

  async function events(...args: readonly string[]) {
    const {
      exitCode,
      events: progress,
      line,
    } = await runJson(["events", toBase58(leaf), "--local", ...args], { env: chain.env });
    const printed = progress.filter(({ event }) => event === "event");
    return { exitCode, line, values: printed.map(amountOf), printed };
  }

  const amountOf = (event: JsonObject): unknown => (event.arguments as readonly JsonObject[])[2]?.value;

  it("prints the events of a range with their names from the chain", async () => {
    await transfer(chain.address(1), 5n);

    const { exitCode, line, values, printed } = await events("--from", "1");

    assert.equal(exitCode, 0);
    assert.deepEqual(values, ["1000000000", "5"]);
    assert.deepEqual(
      printed.map(({ name, contract, removed }) => [name, contract, removed]),
      [1, 2].map(() => ["Transfer", toBase58(leaf), false]),
    );
    assert.deepEqual([partOf(line, "result").events, partOf(line, "result").complete], [2, true]);
  });

  it("continues from the stored position, and prints each event once", async () => {
    const state = join(folder, "state.jsonl");
    const first = await events("--from", "1", "--state", state);
    const second = await events("--state", state);
    await transfer(chain.address(1), 7n);
    const third = await events("--state", state);

    assert.deepEqual([first.values, second.values, third.values], [["1000000000"], [], ["7"]]);
  });

  it("prints only events with the required value, by name or position", async () => {
    await transfer(chain.address(1), 5n);
    await transfer(chain.address(0), 6n);
    const to = toBase58(chain.address(1));
    const only = (...args: readonly string[]) => events("--from", "1", "--name", "Transfer", ...args);

    assert.deepEqual((await only("--argument", `1=${to}`)).values, ["5"]);
    assert.deepEqual((await only("--argument", "2=6")).values, ["6"]);
    assert.deepEqual((await events("--from", "1", "--name", "Approval(address,address,uint256)")).values, []);
  });

  it("refuses an unknown event, an unfit value, and the position of another filter", async () => {
    const state = join(folder, "state.jsonl");
    await events("--from", "1", "--state", state);
    const cases = [
      [["--name", "Burnt"], /Events: /],
      [["--name", "Transfer", "--argument", "2=many"], /whole number/],
      [["--argument", "2=1"], /--name/],
      [["--state", state, "--name", "Transfer"], /every event/],
      [["--from", "999999"], /newest solidified/],
    ] as const;
    for (const [args, cause] of cases) {
      const { exitCode, line } = await events(...args);

      assert.equal(exitCode, 2, args.join(" "));
      assert.match(String(partOf(line, "error").cause), cause);
    }
  });
});
