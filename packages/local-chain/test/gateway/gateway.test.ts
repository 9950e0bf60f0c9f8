import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type RpcFixture, rpcFixture, shortOf } from "../../../../test/support/chain/rpc-fixture.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import { type Address, toBase58 } from "../../../tron/src/primitives/address.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../tron/src/primitives/json.ts";

const leaf = parseJson(readFileSync("samples/build/contracts/Leaf.json", "utf8")) as JsonObject;
const NOW = Date.UTC(2026, 0, 1);
const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
const SUPPLY = 5_000_000n;

describe("/v1 queries of a hosted service", () => {
  let rpc: RpcFixture;
  let token: string;
  let deployed: string;
  let alice: string;
  let bob: string;

  before(async () => {
    rpc = await rpcFixture({ now: () => NOW });
    [alice, bob] = rpc.chain.accounts.map(shortOf) as [string, string];
    const data = `${String(leaf.bytecode)}${word(SUPPLY)}`;
    const abi = JSON.stringify(leaf.abi);
    const name = "Leaf";
    deployed = await rpc.send({ from: alice, data, abi, name, gas: "0x2faf080", originEnergyLimit: 10_000_000 });
    token = String(((await rpc.result("eth_getTransactionReceipt", deployed)) as JsonObject).contractAddress);
    for (const value of [1n, 2n, 3n]) await transfer(value);
  });

  const word = (value: bigint | string): string => BigInt(value).toString(16).padStart(64, "0");
  const base58 = (short: string): string => toBase58(`41${short.slice(2)}` as Address);
  const transfer = (value: bigint): Promise<string> =>
    rpc.send({ from: alice, to: token, data: `0xa9059cbb${word(bob)}${word(value)}` });
  const get = async (target: string): Promise<{ readonly status: number; readonly json: JsonObject }> => {
    const path = target.split("?", 1)[0] ?? target;
    const found = await answer(new Request(`http://chain${target}`), path, rpc.chain.simulation);
    if (found.kind !== "answer") throw new Error(found.kind);
    const json = parseJson(await found.response.text());
    return { status: found.response.status, json: isJsonObject(json) ? json : {} };
  };
  const query = async (target: string): Promise<readonly JsonObject[]> =>
    (await get(target)).json.data as readonly JsonObject[];
  const events = (parameters = ""): Promise<readonly JsonObject[]> =>
    query(`/v1/contracts/${base58(token)}/events?${parameters}`);
  const values = (rows: readonly JsonObject[]): readonly (Json | undefined)[] =>
    rows.map(({ result }) => (result as JsonObject).value);

  it("decode an event by its contract's ABI, with 0x in place of an address's 41", async () => {
    const [newest] = await events();
    const { number, timestamp } = rpc.chain.simulation.chain.head.header;
    assert.deepEqual(newest, {
      block_number: number,
      block_timestamp: timestamp,
      caller_contract_address: base58(token),
      contract_address: base58(token),
      event_index: 0,
      event_name: "Transfer",
      result: { 0: alice, 1: bob, 2: "3", from: alice, to: bob, value: "3" },
      result_type: { from: "address", to: "address", value: "uint256" },
      event: "Transfer(address indexed from, address indexed to, uint256 value)",
      transaction_id: rpc.chain.simulation.chain.head.transactions[0]?.transaction.id,
      _unconfirmed: true,
    });
  });

  it("decode an event with a text and an indexed number", async () => {
    await rpc.send({ from: alice, to: rpc.contract, data: `0x60fe47b1${word(7n)}` });
    const [ping] = await query(`/v1/contracts/${base58(rpc.contract)}/events?event_name=Ping`);
    const result = ping?.result as JsonObject;
    assert.deepEqual([result["0"], result["1"], typeof result["2"]], [alice, "7", "string"]);
  });

  it("return events newest first, unless the order is ascending", async () => {
    assert.deepEqual(values(await events()), ["3", "2", "1", SUPPLY.toString()]);
    assert.deepEqual(values(await events("order_by=block_timestamp,asc")), [SUPPLY.toString(), "1", "2", "3"]);
    assert.deepEqual(values(await events("orderBy=timestamp,asc&limit=1")), [SUPPLY.toString()]);
  });

  it("filter events by name, block, time and finality", async () => {
    const [, second] = await events();
    assert.deepEqual(values(await events("event_name=Approval")), []);
    assert.deepEqual(values(await events(`block_number=${second?.block_number}`)), ["2"]);
    assert.deepEqual(values(await events(`min_block_timestamp=${second?.block_timestamp}`)), ["3", "2"]);
    assert.deepEqual(values(await events(`max_timestamp=${second?.block_timestamp}&limit=2`)), ["2", "1"]);
    const confirmed = await events("only_confirmed=true");
    const unconfirmed = await events("only_unconfirmed=true");
    assert.ok(confirmed.length > 0 && confirmed.every((it) => it._unconfirmed === undefined));
    assert.ok(unconfirmed.length > 0 && unconfirmed.every((it) => it._unconfirmed === true));
    assert.equal(confirmed.length + unconfirmed.length, 4);
  });

  it("return fingerprint and link of the next page on every page but the last", async () => {
    const seen: (Json | undefined)[] = [];
    let target = `/v1/contracts/${token}/events?limit=3&order_by=block_timestamp,asc`;
    for (let pages = 0; target !== ""; pages += 1) {
      assert.ok(pages < 2, "There are no more than two pages.");
      const { json } = await get(target);
      seen.push(...values(json.data as readonly JsonObject[]));
      const { fingerprint, links, at } = json.meta as JsonObject;
      assert.equal(at, NOW);
      assert.equal(links === undefined, fingerprint === undefined);
      target = fingerprint === undefined ? "" : `${target}&fingerprint=${String(fingerprint)}`;
    }
    assert.deepEqual(seen, [SUPPLY.toString(), "1", "2", "3"]);
  });

  it("find events by transaction, block number, block id and in the latest block", async () => {
    const id = await transfer(4n);
    const { head } = rpc.chain.simulation.chain;
    for (const path of [
      `transactions/${id.slice(2)}`,
      `blocks/${head.header.number}`,
      `blocks/${head.id}`,
      "blocks/latest",
    ]) {
      assert.deepEqual(values(await query(`/v1/${path}/events`)), ["4"], path);
    }
    assert.deepEqual(await query(`/v1/transactions/${id.slice(2)}/events?only_confirmed=true`), []);
    assert.deepEqual(await query(`/v1/blocks/${head.id}/events?only_confirmed=true`), []);
    assert.deepEqual(values(await query("/v1/blocks/latest/events?only_confirmed=true")), ["2"]);
    assert.deepEqual(await query(`/v1/transactions/${"0".repeat(64)}/events`), []);
    assert.deepEqual(await query(`/v1/blocks/${"0".repeat(64)}/events`), []);
  });

  it("return token transfers with the metadata of the token contract", async () => {
    const [newest] = await query(`/v1/accounts/${base58(bob)}/transactions/trc20?limit=1&only_to=true`);
    assert.deepEqual(newest, {
      transaction_id: newest?.transaction_id,
      token_info: { symbol: "LEAF", address: base58(token), decimals: 6, name: "Leaf" },
      block_timestamp: rpc.chain.simulation.chain.head.header.timestamp,
      from: base58(alice),
      to: base58(bob),
      type: "Transfer",
      value: "4",
    });
    assert.deepEqual(await query(`/v1/accounts/${bob}/transactions/trc20?only_from=true`), []);
    const others = await query(`/v1/accounts/${bob}/transactions/trc20?contract_address=${base58(alice)}`);
    assert.deepEqual(others, []);
    const minted = await query(`/v1/accounts/${ZERO_ADDRESS}/transactions/trc20`);
    assert.deepEqual(
      minted.map(({ value }) => value),
      [SUPPLY.toString()],
    );
  });

  it("return an account with its state and tokens, and nothing for a missing one", async () => {
    const [account] = await query(`/v1/accounts/${base58(bob)}`);
    assert.equal(account?.address, `41${bob.slice(2)}`);
    assert.deepEqual(account?.trc20, [{ [base58(token)]: "10" }]);
    const [before] = await query(`/v1/accounts/${base58(bob)}?only_confirmed=true`);
    assert.notDeepEqual(before?.trc20, account?.trc20);
    assert.deepEqual(await query(`/v1/accounts/${ZERO_ADDRESS}`), []);
  });

  it("return the transactions that an account sent and received", async () => {
    const sent = await query(`/v1/accounts/${base58(alice)}/transactions?only_from=true&limit=200`);
    assert.ok(sent.some(({ txID }) => `0x${String(txID)}` === deployed));
    assert.deepEqual(await query(`/v1/accounts/${base58(alice)}/transactions?only_to=true`), []);
    const named = await query(`/v1/accounts/${base58(token)}/transactions`);
    assert.equal(named.length, 5);
    const [newest] = named;
    assert.match(JSON.stringify(newest?.ret), /^\[{"contractRet":"SUCCESS","fee":\d+}\]$/);
    assert.equal(newest?.blockNumber, rpc.chain.simulation.chain.head.header.number);
    assert.ok(Number(newest?.energy_usage_total) > 0 && Number(newest?.net_usage) + Number(newest?.net_fee) > 0);
  });

  it("answer invalid queries with status 400 and a message", async () => {
    const invalid: { readonly [target: string]: string } = {
      "/v1/contracts/T123/events": "invalid address: T123",
      [`/v1/contracts/${token}/events?limit=many`]: "limit must be a non-negative integer",
      [`/v1/contracts/${token}/events?order_by=size`]: "invalid order_by: size",
      [`/v1/contracts/${token}/events?fingerprint=zz`]: "invalid fingerprint: zz",
      [`/v1/contracts/${token}/events?only_confirmed=yes`]: "only_confirmed must be true or false",
      [`/v1/contracts/${token}/events?only_confirmed=true&onlyUnconfirmed=true`]:
        "only_confirmed and only_unconfirmed exclude each other",
      "/v1/transactions/12/events": "invalid transaction id: 12",
      "/v1/blocks/first/events": "invalid block identifier: first",
    };
    for (const [target, error] of Object.entries(invalid)) {
      assert.deepEqual(await get(target), { status: 400, json: { success: false, error, statusCode: 400 } }, target);
    }
  });

  it("answer other paths as the node answers unknown paths", async () => {
    const path = "/v1/contracts/x/logs";
    const found = await answer(new Request(`http://chain${path}`), path, rpc.chain.simulation);
    assert.equal(found.kind === "answer" && found.response.status, 404);
  });
});
