import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NetworkProfile } from "../../../../packages/client/src/gateway/network.ts";
import { LOOPBACK, listen } from "../../../../packages/local-chain/src/node-server.ts";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { hexToBytes, type TxId, transactionId } from "../../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../../packages/tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../../packages/tron/src/transaction/signature.ts";
import { FailureRecords } from "../../../../src/host/local-chain/failure-records.ts";
import { type ContractFixture, contractFixture } from "../../../support/chain/contract-fixture.ts";
import { gatewayAt, profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const program = new URL("../../../../packages/local-chain/src/main.ts", import.meta.url).pathname;
const log = { info() {}, warn() {} };
const API_KEY = "sesame-open";
const NOWHERE = profileAt("http://127.0.0.1:1");
/** Reverts with slot 0. */
const REVERTING = "5f545f5260205ffd";

describe("FailureRecords", () => {
  let folder: string;
  let network: ContractFixture;
  let server: Awaited<ReturnType<typeof listen>>;
  let records: FailureRecords;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-failure-records-"));
    const masked = (text: string) => text.replaceAll(API_KEY, "…");
    const options = { apiKey: API_KEY, deadlineMs: 0 };
    const gateways = { for: async ({ baseUrl }: NetworkProfile) => gatewayAt(baseUrl, {}, options).gateway };
    records = new FailureRecords({ program, folder, gateways, masked, log });
    network = await contractFixture({}, { seed: "records", accounts: 1 });
    server = await listen(network.chain.simulation, { port: 0, host: LOOPBACK, allowRemote: false, log: undefined });
  });

  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** Makes the network ask for the API key while a step runs. */
  async function guarded<T>(step: () => Promise<T>): Promise<T> {
    await network.chain.ask("/local/access", { apiKey: { key: API_KEY } });
    try {
      return await step();
    } finally {
      await network.chain.ask("/local/access", { apiKey: null });
    }
  }

  it("replays a failure in a process of its own, with the API key in this process alone", async () => {
    const [sender = assert.fail()] = network.chain.accounts;
    const contract = await network.install(REVERTING);
    const request = { owner_address: sender.hex, contract_address: contract, data: "00", fee_limit: 100_000_000 };
    const built = (await network.ask("triggersmartcontract", request)).transaction as JsonObject;
    const rawDataHex = String(built.raw_data_hex);
    const txId = transactionId(hexToBytes(rawDataHex));
    const profile = profileAt(server.baseUrl);
    await guarded(() => records.record(profile, { txId, rawDataHex }));
    assert.deepEqual([...(await records.recorded())], [txId]);
    const file = await readFile(join(folder, "failure-records", txId));
    for (const secret of [sender.privateKey, Buffer.from(sender.privateKey, "hex"), API_KEY]) {
      assert.equal(file.includes(secret), false);
    }

    const signature = [signTransactionId(txId, hexToBytes(sender.privateKey) as PrivateKey)];
    await network.ask("broadcasttransaction", { ...built, signature });
    await network.chain.ask("/local/mine", {});
    const { equals, trace, changed, readNow } = await guarded(() => records.replay(profile, txId));

    assert.deepEqual([equals, trace.result, changed, readNow], ["recorded", "REVERT", [], []]);
    assert.equal(trace.txId, txId);
  }).timeout(600_000);

  it("stores the reason if the network does not give the state, and names it later", async () => {
    const txId = "ab".repeat(32) as TxId;
    await records.record(NOWHERE, { txId, rawDataHex: "00" });
    await assert.rejects(
      records.replay(NOWHERE, txId),
      (error) => isChainError(error) && /its state was not recorded: wallet\/getnowblock/.test(error.message),
    );
  }).timeout(600_000);

  it("deletes the oldest records above a hundred", async () => {
    const path = join(folder, "failure-records");
    for (let index = 0; index < 105; index += 1) {
      const name = join(path, index.toString(16).padStart(64, "0"));
      await writeFile(name, "old");
      await utimes(name, index, index);
    }
    await records.record(NOWHERE, { txId: "cd".repeat(32) as TxId, rawDataHex: "00" });
    const names = await readdir(path);
    assert.equal(names.length, 100);
    assert.ok(names.includes(`${"cd".repeat(32)}.txt`));
    assert.equal(names.includes("0".repeat(64)), false);
  }).timeout(600_000);
});
