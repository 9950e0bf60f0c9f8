import assert from "node:assert/strict";
import { type ContractFixture, contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { parseAddress } from "../../../tron/src/primitives/address.ts";
import type { Json, JsonObject } from "../../../tron/src/primitives/json.ts";
import { word } from "../vm/bytecode.ts";

/** Adds its input to slot 0, logs it, and reverts with it if it is 7. */
const COUNTER = "5f35805f54015f555f5260205fa05f35600714601757005b60205ffd";
/** Calls the contract in its input with the word after it, and stores whether that succeeded in slot 1. */
const CALLER = "6020355f525f5f60205f5f5f355af1600155";
/** Ends itself in favour of the account in its input. */
const ENDING = "5f35ff";

describe("debug_traceTransaction and debug_traceCall", () => {
  let contracts: ContractFixture;
  let counter: string;
  let caller: string;
  let owner: string;

  before(async () => {
    contracts = await contractFixture({}, { lenientRpc: true });
    [counter, caller] = [await contracts.install(COUNTER), await contracts.install(CALLER)];
    owner = short(contracts.chain.accounts[0]?.hex ?? "");
  });

  async function rpc(method: string, ...params: readonly Json[]): Promise<JsonObject> {
    return await contracts.chain.ask("/jsonrpc", { jsonrpc: "2.0", id: 1, method, params });
  }

  async function traced(method: string, ...params: readonly Json[]): Promise<JsonObject> {
    const { result, error } = await rpc(method, ...params);
    assert.equal(error, undefined);
    return result as JsonObject;
  }

  async function callWith(value: number): Promise<string> {
    const { info } = await contracts.call(parseAddress(caller), word(counter.slice(2)) + word(value));
    return `0x${String(info.id)}`;
  }

  it("prints struct logs with stack, storage and memory", async () => {
    const id = await callWith(5);
    const { structLogs, gas, failed } = await traced("debug_traceTransaction", id, { enableMemory: true });
    const logs = structLogs as readonly JsonObject[];
    const receipt = await contracts.ask("gettransactioninfobyid", { value: id.slice(2) });
    assert.deepEqual([gas, failed], [(receipt.receipt as JsonObject).energy_usage_total, false]);
    assert.deepEqual(logs.find(({ op }) => op === "SSTORE")?.storage, { [`0x${word(0)}`]: `0x${word(5)}` });
    assert.deepEqual(new Set(logs.map(({ depth }) => depth)), new Set([1, 2]));
    const [first, second] = logs;
    assert.equal(Number(first?.gas) - Number(first?.gasCost), second?.gas);
    assert.deepEqual(logs.find(({ op }) => op === "CALL")?.memory, [`0x${word(5)}`]);
  });

  it("prints the call tree with events, or the outermost call alone", async () => {
    const id = await callWith(5);
    const tree = await traced("debug_traceTransaction", id, { tracer: "callTracer", tracerConfig: { withLog: true } });
    const [call] = tree.calls as readonly JsonObject[];
    assert.deepEqual([tree.type, tree.from, tree.to], ["CALL", owner, short(caller)]);
    assert.deepEqual(
      [call?.type, call?.from, call?.to, call?.input],
      ["CALL", short(caller), short(counter), `0x${word(5)}`],
    );
    assert.deepEqual(call?.logs, [
      { address: short(counter), topics: [], data: `0x${word(5)}`, index: "0x0", position: "0x0" },
    ]);
    const config = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
    assert.equal((await traced("debug_traceTransaction", id, config)).calls, undefined);
  });

  it("prints the reason of a failed call, without its events", async () => {
    const id = await callWith(7);
    const tree = await traced("debug_traceTransaction", id, { tracer: "callTracer", tracerConfig: { withLog: true } });
    const [call] = tree.calls as readonly JsonObject[];
    assert.equal(tree.error, undefined);
    assert.deepEqual([call?.error, call?.output, call?.logs], ["execution reverted", `0x${word(7)}`, undefined]);
  });

  it("prints the state before, and the changed state", async () => {
    const fresh = await contracts.install(COUNTER);
    const { info } = await contracts.call(fresh, word(9));
    const pre = await traced("debug_traceTransaction", `0x${String(info.id)}`, { tracer: "prestateTracer" });
    assert.deepEqual((pre[short(fresh)] as JsonObject).storage, { [`0x${word(0)}`]: `0x${word(0)}` });
    const config = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
    const { post } = await traced("debug_traceTransaction", `0x${String(info.id)}`, config);
    assert.deepEqual((post as JsonObject)[short(fresh)], { storage: { [`0x${word(0)}`]: `0x${word(9)}` } });
  });

  it("prints the lines of EIP-3155 with a summary", async () => {
    const { info } = await contracts.call(parseAddress(counter), word(7));
    const lines = (await rpc("debug_traceTransaction", `0x${String(info.id)}`, { tracer: "eip3155" })).result;
    const list = lines as readonly JsonObject[];
    assert.deepEqual([list[0]?.opName, list[0]?.op, list[0]?.pc, list[0]?.depth], ["PUSH0", 0x5f, 0, 1]);
    assert.deepEqual([list.at(-2)?.opName, list.at(-2)?.memSize], ["REVERT", 32]);
    assert.deepEqual([list.at(-1)?.output, list.at(-1)?.error], [`0x${word(7)}`, "execution reverted"]);
  });

  it("traces a call of the newest state, and changes nothing", async () => {
    const request = { from: owner, to: short(counter), data: `0x${word(3)}` };
    const before = await traced("debug_traceCall", request, "latest", { tracer: "callTracer" });
    assert.deepEqual(await traced("debug_traceCall", request, "latest", { tracer: "callTracer" }), before);
    const { structLogs } = await traced("debug_traceCall", request, "latest", {});
    assert.ok((structLogs as readonly Json[]).length > 10);
  });

  it("lists a contract that ends itself", async () => {
    const ending = await contracts.install(ENDING);
    const { info } = await contracts.call(ending, word(owner.slice(2)));
    const tree = await traced("debug_traceTransaction", `0x${String(info.id)}`, { tracer: "callTracer" });
    const [end] = tree.calls as readonly JsonObject[];
    assert.deepEqual([end?.type, end?.from, end?.to], ["SELFDESTRUCT", short(ending), owner]);
  });

  it("traces a transfer as one call, and names unknown tracers and options", async () => {
    const transfer = contracts.chain.transfer();
    await contracts.chain.send(transfer);
    contracts.chain.mine();
    const tree = await traced("debug_traceTransaction", `0x${transfer.id}`, { tracer: "callTracer" });
    assert.deepEqual([tree.type, tree.value, tree.gasUsed], ["CALL", "0xf4240", "0x0"]);
    const unknown = await rpc("debug_traceTransaction", `0x${transfer.id}`, { tracer: "jsTracer" });
    assert.match(String((unknown.error as JsonObject).message), /no tracer jsTracer; there are callTracer/);
    const old = await rpc("debug_traceCall", { to: short(counter) }, "0x1", {});
    assert.match(String((old.error as JsonObject).message), /newest block only/);
  });

  it("traces transactions of solidified blocks, and of the branch that a snapshot restores", async () => {
    const id = await callWith(1);
    const tracer = { tracer: "prestateTracer" };
    const first = await traced("debug_traceTransaction", id, tracer);
    const { chain } = contracts.chain.simulation;
    const snapshot = chain.snapshot();
    for (let count = 0; count < 20; count += 1) {
      await callWith(1);
      contracts.chain.mine();
    }
    assert.deepEqual(await traced("debug_traceTransaction", id, tracer), first);
    chain.restore(snapshot);
    await callWith(2);
    contracts.chain.mine(20);
    assert.deepEqual(await traced("debug_traceTransaction", id, tracer), first);
  });
});

function short(address: string): string {
  return `0x${address.slice(2)}`;
}
