import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { bytesToHex, hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../tron/src/primitives/json.ts";

const CONTRACT = "5e".repeat(20);
const START = `0x${"0".repeat(64)}`;
const SLOTS = [0, 1, 2, 300] as const;

const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;
const hashOf = (slot: number): string => `0x${bytesToHex(keccak_256(hexToBytes(word(slot))))}`;
const sorted = [...SLOTS].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
const entryOf = (slot: number): [string, Json] => [hashOf(slot), { key: word(slot), value: word(slot + 7) }];

describe("debug_storageRangeAt over JSON-RPC", () => {
  const start = async (lenientRpc: boolean): Promise<TestChain> => {
    const chain = await testChain({ accounts: 1, lenientRpc });
    const tre = (method: string, ...params: readonly Json[]): Promise<JsonObject> =>
      chain.ask("/tre", { jsonrpc: "2.0", id: 1, method, params });
    for (const slot of SLOTS) await tre("tre_setAccountStorageAt", `41${CONTRACT}`, word(slot), word(slot + 7));
    chain.mine();
    return chain;
  };
  const ask = (chain: TestChain, ...params: readonly Json[]): Promise<JsonObject> =>
    chain.ask("/jsonrpc", { jsonrpc: "2.0", id: 1, method: "debug_storageRangeAt", params });
  const head = (chain: TestChain): string => `0x${chain.simulation.chain.head.id}`;

  it("returns the words in the order of the hashes of their slots, and the next hash", async () => {
    const chain = await start(true);

    const all = await ask(chain, head(chain), 0, `0x${CONTRACT}`, START, 100);
    assert.deepEqual(all.result, { storage: Object.fromEntries(sorted.map(entryOf)), nextKey: null });

    const [first = 0, second = 0, third = 0] = sorted;
    const one = await ask(chain, head(chain), 0, `0x${CONTRACT}`, START, 1);
    assert.deepEqual(one.result, { storage: Object.fromEntries([entryOf(first)]), nextKey: hashOf(second) });

    const next = await ask(chain, head(chain), 0, `0x${CONTRACT}`, hashOf(second), 1);
    assert.deepEqual(next.result, { storage: Object.fromEntries([entryOf(second)]), nextKey: hashOf(third) });
  });

  it("refuses a block that the chain does not have", async () => {
    const { error } = await ask(await start(true), `0x${"1".repeat(64)}`, 0, `0x${CONTRACT}`, START, 1);
    assert.equal(isJsonObject(error) ? error.message : error, "header not found");
  });

  it("does not exist on a chain that answers as java-tron", async () => {
    const chain = await start(false);
    const { error } = await ask(chain, head(chain), 0, `0x${CONTRACT}`, START, 1);
    assert.equal(isJsonObject(error) ? error.message : error, "method not found");
  });
});
