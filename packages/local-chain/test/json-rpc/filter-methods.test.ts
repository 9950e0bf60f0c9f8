import assert from "node:assert/strict";
import { type RpcFixture, rpcFixture, shortOf } from "../../../../test/support/chain/rpc-fixture.ts";
import type { Json, JsonObject } from "../../../tron/src/primitives/json.ts";

const UNKNOWN_ADDRESS = `0x${"12".repeat(20)}`;
const WORD = `0x${"34".repeat(32)}`;
const MINUTES = 60_000;

/** `test/conformance/json-rpc.test.ts` compares more refusals with recordings of a real node. */
describe("log and filter methods", () => {
  let rpc: RpcFixture;
  let now: number;
  let owner: string;

  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    rpc = await rpcFixture({ now: () => now });
    [owner] = rpc.chain.accounts.map(shortOf) as [string];
  });

  const set = (): Promise<string> =>
    rpc.send({ from: owner, to: rpc.contract, data: `0x60fe47b1${"7".padStart(64, "0")}` });
  const logs = async (filter: JsonObject): Promise<readonly JsonObject[]> =>
    (await rpc.result("eth_getLogs", filter)) as readonly JsonObject[];
  const senders = async (filter: JsonObject): Promise<readonly Json[]> =>
    (await logs(filter)).map((it) => it.transactionHash ?? null);
  const changes = async (id: Json): Promise<readonly JsonObject[]> =>
    (await rpc.result("eth_getFilterChanges", id)) as readonly JsonObject[];
  const refusal = async (method: string, ...params: readonly Json[]): Promise<Json> => {
    const { code, message } = await rpc.error(method, ...params);
    return [code ?? null, message ?? null];
  };

  it("finds logs by block range, from the newest block by default", async () => {
    const first = await set();
    const second = await set();
    assert.deepEqual(await senders({}), [second]);
    assert.deepEqual(await senders({ fromBlock: "latest", toBlock: "latest" }), [second]);
    assert.deepEqual(await senders({ fromBlock: "0x7" }), [first, second]);
    assert.deepEqual(await senders({ toBlock: "0x7" }), [first]);
    assert.equal((await logs({ fromBlock: "earliest", toBlock: "latest" })).length, 3);
    assert.equal((await logs({ fromBlock: "earliest", toBlock: "finalized" })).length, 0);
    const block = rpc.chain.simulation.chain.block(7);
    assert.deepEqual(await senders({ blockHash: `0x${block?.id}` }), [first]);
  });

  it("finds logs by contract and by topic position", async () => {
    const id = await set();
    const [log] = await logs({});
    assert.ok(log);
    const [name, from] = log.topics as readonly [string, string];
    const hits: JsonObject[] = [
      { address: rpc.contract },
      { address: [UNKNOWN_ADDRESS, rpc.contract] },
      { topics: [name] },
      { topics: [null, from] },
      { topics: [[WORD, name], []] },
    ];
    for (const filter of hits) assert.deepEqual(await senders(filter), [id]);
    const misses: JsonObject[] = [
      { address: UNKNOWN_ADDRESS },
      { topics: [from] },
      { topics: [name, null, null, null] },
    ];
    for (const filter of misses) assert.deepEqual(await senders(filter), []);
  });

  it("refuses invalid filters", async () => {
    const invalid = (message: string) => [-32602, message];
    const cases: readonly (readonly [JsonObject, string])[] = [
      [{ blockHash: WORD }, "invalid blockHash"],
      [{ address: [UNKNOWN_ADDRESS, "0x12"] }, "invalid address at index 1: 0x12"],
      [{ topics: [5] }, "invalid topic(s)"],
      [{ topics: [Array(1001).fill(WORD)] }, "exceed max topics: 1000"],
    ];
    for (const [filter, message] of cases) assert.deepEqual(await refusal("eth_getLogs", filter), invalid(message));
    assert.deepEqual(await rpc.error("eth_getLogs", { fromBlock: "0xzz" }), {
      code: -32001,
      message: 'For input string: "zz"',
      data: { exceptionTypeName: "java.lang.NumberFormatException", message: 'For input string: "zz"' },
    });
  });

  it("searches at most 5000 blocks", async () => {
    rpc.chain.mine(5000);
    const message = "exceed max block range: 5000";
    assert.deepEqual(await refusal("eth_getLogs", { fromBlock: "0x0" }), [-32602, message]);
    assert.deepEqual(await senders({ fromBlock: "0x0", toBlock: "0x5" }), []);
  }).timeout(20_000);

  it("returns each block once", async () => {
    const id = await rpc.result("eth_newBlockFilter");
    assert.match(String(id), /^0x[0-9a-f]{32}$/);
    assert.deepEqual(await changes(id), []);
    rpc.chain.mine(12);
    const { chain } = rpc.chain.simulation;
    const made = Array.from({ length: 12 }, (_, index) => `0x${chain.blockId(7 + index)}`);
    assert.deepEqual(await changes(id), made);
    assert.deepEqual(await changes(id), []);
  });

  it("returns logs of new blocks, and removed logs of replaced ones", async () => {
    const id = await rpc.result("eth_newFilter", { address: rpc.contract });
    const sent = await set();
    const [added, ...others] = await changes(id);
    assert.deepEqual([added?.transactionHash, added?.removed, others], [sent, false, []]);
    rpc.chain.simulation.chain.fork(1, "lost");
    assert.deepEqual(await changes(id), [{ ...added, removed: true }]);
    const left = (await rpc.result("eth_getFilterLogs", id)) as readonly JsonObject[];
    assert.deepEqual(
      left.map((it) => it.blockNumber),
      ["0x6"],
    );
  });

  it("continues after a snapshot is restored", async () => {
    rpc.chain.mine(10);
    const id = await rpc.result("eth_newBlockFilter");
    await rpc.chain.ask("/local/reset");
    assert.deepEqual(await changes(id), []);
    rpc.chain.mine();
    assert.deepEqual(await changes(id), [`0x${rpc.chain.simulation.chain.head.id}`]);
  });

  it("drops uninstalled filters, and those unused for five minutes", async () => {
    const missing = [-32000, "filter not found"];
    const [first, second] = [await rpc.result("eth_newBlockFilter"), await rpc.result("eth_newBlockFilter")];
    assert.equal(await rpc.result("eth_uninstallFilter", first), true);
    assert.deepEqual(await refusal("eth_uninstallFilter", first), missing);
    assert.deepEqual(await refusal("eth_getFilterLogs", second), missing);
    now += 4 * MINUTES;
    await changes(second);
    now += 4 * MINUTES;
    await changes(second);
    now += 6 * MINUTES;
    assert.deepEqual(await refusal("eth_getFilterChanges", second), missing);
  });
});
