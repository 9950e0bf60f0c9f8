import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContractFixture, contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import type { Address } from "../../../tron/src/primitives/address.ts";
import { hexToBytes, type TxId, transactionId } from "../../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";
import { NetworkClient } from "../../src/fork/network-client.ts";
import { LOOPBACK, listen } from "../../src/node-server.ts";
import { type FailureReplay, recordCall, replayFailure } from "../../src/records/failure-record.ts";
import { word } from "../vm/bytecode.ts";

const FAILURES = howOften(20, 200);

/** Adds its first word to slot 0 if that is the second word, and reverts with slot 0 otherwise. */
const COMPARED = "5f54602035146011575f545f5260205ffd5b5f355f54015f5500";
/** Adds its input to slot 0. */
const ADDER = "5f355f54015f5500";
/** Stores 1, calls the contract in its first word with the two after it, and reverts if that fails. */
const NESTING = "60016005556020355f5260403560205260205f60405f5f5f355af16021575f5ffd5b00";

describe("failure record", () => {
  let folder: string;
  let network: ContractFixture;
  let server: Awaited<ReturnType<typeof listen>>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-records-"));
    network = await contractFixture({}, { seed: "failures", accounts: 4 });
    server = await listen(network.chain.simulation, { port: 0, host: LOOPBACK, allowRemote: false, log: undefined });
  });

  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Builds a call, records it, lets others act, sends it, and replays it. */
  async function replayed(
    call: { readonly to: Address; readonly data: string; readonly feeLimit?: number },
    between: () => Promise<unknown>,
  ): Promise<FailureReplay & { readonly result: string }> {
    const [sender = assert.fail()] = network.chain.accounts;
    const built = await network.ask("triggersmartcontract", {
      ...{ owner_address: sender.hex, contract_address: call.to, data: call.data, call_value: 0 },
      fee_limit: call.feeLimit ?? 1_000_000_000,
    });
    const transaction = built.transaction as JsonObject;
    const rawData = String(transaction.raw_data_hex);
    const id = transactionId(hexToBytes(rawData));
    const file = join(folder, id);
    await recordCall(new NetworkClient(server.baseUrl), rawData, file);
    await between();
    const signature = signTransactionId(id, hexToBytes(sender.privateKey) as PrivateKey);
    const sent = await network.ask("broadcasttransaction", { ...transaction, signature: [signature] });
    assert.equal(sent.result, true);
    await network.chain.ask("/local/mine", {});
    const info = await network.ask("gettransactioninfobyid", { value: id });
    return { ...(await replayFailure(file, id as TxId)), result: String((info.receipt as JsonObject).result) };
  }

  it("names what the network does not give, and stores no record then", async () => {
    const file = join(folder, "none");
    await assert.rejects(recordCall(new NetworkClient("http://127.0.0.1:1"), "", file), /wallet\/getnowblock/);
    assert.equal(existsSync(file), false);
    await assert.rejects(replayFailure(file, "0".repeat(64) as TxId), /The record cannot be read/);
  });

  it(`replays ${FAILURES} failures with other transactions in between, and names what changed`, async function () {
    this.timeout(FAILURES * 30_000);
    const compared = await network.install(COMPARED);
    const adder = await network.install(ADDER);
    const nesting = await network.install(NESTING);
    let value = 0n;
    const ends = new Map<string, number>();
    for (let index = 0; index < FAILURES; index += 1) {
      const other = (): Promise<unknown> => network.call(adder, word(index + 1), { from: 1 + (index % 3) });
      const overtaken = async (): Promise<unknown> => {
        await other();
        await network.call(compared, word(1) + word(value), { from: 2 });
        value += 1n;
        return undefined;
      };
      const plans = [
        () => replayed({ to: compared, data: word(1) + word(value + 99n) }, other),
        () => replayed({ to: compared, data: word(1) + word(value) }, overtaken),
        () => replayed({ to: adder, data: word(1), feeLimit: 210 * (100 + index) }, other),
        () => replayed({ to: nesting, data: word(compared.slice(2)) + word(1) + word(value + 7n) }, other),
      ];
      const replay = await (plans[index % plans.length] ?? assert.fail())();
      assert.notEqual(replay.result, "SUCCESS", `failure ${index}`);
      assert.notEqual(replay.equals, undefined, `failure ${index}: ${JSON.stringify(replay.differences)}`);
      assert.equal(replay.trace.result, replay.result);
      if (replay.equals === "present") {
        assert.deepEqual(replay.explainedBy, [`slot 0x0 of the contract ${compared}`], `failure ${index}`);
      }
      const end = `${replay.result} ${replay.equals}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    assert.ok([...ends.keys()].some((it) => it.endsWith("present")));
  });
});
