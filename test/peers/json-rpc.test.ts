import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { Contract, isCallException, JsonRpcProvider } from "ethers";
import { createPublicClient, type Hex, http, parseAbi, parseAbiItem } from "viem";
import { Web3Eth } from "web3-eth";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import type { Json, JsonObject } from "../../packages/tron/src/primitives/json.ts";
import { type Asking, deploymentOfT, sendByRpc, shortOf } from "../support/chain/rpc-fixture.ts";

const BALANCE = 10_000_000_000n;
const ABI = [
  "function x() view returns (uint256)",
  "function m(address) view returns (uint256)",
  "function set(uint256) returns (uint256)",
  "function reqString(uint256) view",
  "function custom() view",
  "error Custom(uint256, address)",
  "event Ping(address indexed, uint256 indexed, string)",
] as const;

describe("JSON-RPC clients", () => {
  let chain: LocalChain;
  let owner: Hex;
  let friend: Hex;
  let contract: Hex;
  let called: Hex;
  let asking: Asking;
  let transferred: Hex;

  before(async () => {
    chain = await startLocalChain({ seed: "json-rpc", blockTimeMs: 0 });
    const [first, second] = chain.ready.accounts;
    assert.ok(first && second);
    owner = shortOf(first) as Hex;
    friend = shortOf(second) as Hex;
    asking = { ask, mine, privateKey: first.privateKey };
    const deployed = await sendByRpc(asking, deploymentOfT(owner));
    contract = String((await receiptOf(deployed)).contractAddress) as Hex;
    called = (await sendByRpc(asking, { from: owner, to: contract, data: `0x60fe47b1${word(7)}` })) as Hex;
    transferred = (await sendByRpc(asking, { from: owner, to: friend, value: "0x5" })) as Hex;
  });

  after(() => chain.close());

  const ask = async (path: string, body: Json): Promise<JsonObject> => {
    const answer = await fetch(`${chain.baseUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
    return (await answer.json()) as JsonObject;
  };
  const mine = async (): Promise<void> => void (await ask("/local/mine", { blocks: 1 }));
  const word = (value: number): string => value.toString(16).padStart(64, "0");
  const receiptOf = async (id: string): Promise<JsonObject> => {
    const request = { jsonrpc: "2.0", id: 1, method: "eth_getTransactionReceipt", params: [id] };
    return (await ask("/jsonrpc", request)).result as JsonObject;
  };

  describe("ethers", () => {
    let provider: JsonRpcProvider;

    before(() => {
      provider = new JsonRpcProvider(`${chain.baseUrl}/jsonrpc`);
    });

    after(() => provider.destroy());

    it("reads network, height, price and balances", async () => {
      const genesis = chain.simulation.chain.blockId(0) ?? "";
      assert.equal((await provider.getNetwork()).chainId, BigInt(`0x${genesis.slice(-8)}`));
      assert.equal(await provider.getBlockNumber(), chain.simulation.chain.head.header.number);
      assert.equal(BigInt(await provider.send("eth_gasPrice", [])), 210n);
      assert.equal(await provider.getBalance(friend), BALANCE + 5n);
    });

    it("reads code, storage and calls of contracts", async () => {
      const t = new Contract(contract, ABI, provider);
      assert.equal(await t.getFunction("x")(), 7n);
      assert.equal(BigInt(await provider.getStorage(contract, 0)), 7n);
      assert.ok((await provider.getCode(contract)).length > 100);
      assert.ok((await t.getFunction("set").estimateGas(8)) > 5000n);
    });

    it("reads receipts, transactions and logs", async () => {
      const receipt = await provider.getTransactionReceipt(called);
      assert.equal(receipt?.status, 1);
      assert.equal(receipt.from.toLowerCase(), owner);
      const transaction = await provider.getTransaction(transferred);
      assert.equal(transaction?.value, 5n);
      assert.equal(transaction.to?.toLowerCase(), friend);
      const t = new Contract(contract, ABI, provider);
      const events = await t.queryFilter("Ping", receipt.blockNumber);
      assert.deepEqual(
        events.map((it) => it.transactionHash),
        receipt.logs.map((it) => it.transactionHash),
      );
    });

    it("decodes reason and error of a revert", async () => {
      const t = new Contract(contract, ABI, provider);
      await assert.rejects(t.getFunction("reqString").staticCall(0), {
        code: "CALL_EXCEPTION",
        reason: "v must be > 100",
      });
      const named = (error: unknown): boolean => isCallException(error) && error.revert?.name === "Custom";
      await assert.rejects(t.getFunction("custom").staticCall(), named);
    });

    it("reads blocks, fees and confirmed transactions", async () => {
      const { head } = chain.simulation.chain;
      const block = await provider.getBlock("latest");
      assert.deepEqual([block?.number, block?.hash], [head.header.number, `0x${head.id}`]);
      assert.equal((await provider.getFeeData()).gasPrice, 210n);
      assert.equal((await provider.waitForTransaction(transferred))?.status, 1);
    });
  });

  describe("viem", () => {
    const client = () => createPublicClient({ transport: http(`${chain.baseUrl}/jsonrpc`) });
    const abi = parseAbi(ABI);

    it("reads network, height, price and balances", async () => {
      const genesis = chain.simulation.chain.blockId(0) ?? "";
      assert.equal(await client().getChainId(), Number.parseInt(genesis.slice(-8), 16));
      assert.equal(await client().getBlockNumber(), BigInt(chain.simulation.chain.head.header.number));
      assert.equal(await client().getGasPrice(), 210n);
      assert.equal(await client().getBalance({ address: friend }), BALANCE + 5n);
    });

    it("reads code, storage and calls of contracts", async () => {
      assert.equal(await client().readContract({ address: contract, abi, functionName: "x" }), 7n);
      assert.equal(BigInt((await client().getStorageAt({ address: contract, slot: "0x0" })) ?? "0x"), 7n);
      assert.ok(((await client().getCode({ address: contract })) ?? "0x").length > 100);
    });

    it("estimates a call and a transfer", async () => {
      const set = { address: contract, abi, functionName: "set", args: [8n], account: owner } as const;
      assert.ok((await client().estimateContractGas(set)) > 5000n);
      assert.equal(await client().estimateGas({ account: owner, to: friend, value: 5n }), 0n);
    });

    it("reads blocks, receipts, transactions and logs", async () => {
      const receipt = await client().getTransactionReceipt({ hash: called });
      assert.equal(receipt.status, "success");
      const block = await client().getBlock({ blockNumber: receipt.blockNumber, includeTransactions: true });
      assert.equal(block.hash, receipt.blockHash);
      assert.deepEqual(
        block.transactions.map((it) => it.hash),
        [called],
      );
      assert.equal((await client().getTransaction({ hash: transferred })).value, 5n);
      const event = parseAbiItem("event Ping(address indexed, uint256 indexed, string)");
      const logs = await client().getLogs({ address: contract, event, fromBlock: receipt.blockNumber });
      assert.deepEqual(
        logs.map((it) => it.transactionHash),
        receipt.logs.map((it) => it.transactionHash),
      );
    });

    it("reads new blocks by a filter", async () => {
      const filter = await client().createBlockFilter();
      await mine();
      const head = chain.simulation.chain.head.id;
      assert.deepEqual(await client().getFilterChanges({ filter }), [`0x${head}`]);
      assert.equal(await client().uninstallFilter({ filter }), true);
    });

    it("reads new logs by a filter, and all of them again", async () => {
      const filter = await client().createContractEventFilter({ address: contract, abi, eventName: "Ping" });
      const ping = await sendByRpc(asking, { from: owner, to: contract, data: `0x60fe47b1${word(7)}` });
      const changes = await client().getFilterChanges({ filter });
      assert.deepEqual(
        changes.map((it) => it.transactionHash),
        [ping],
      );
      assert.deepEqual(await client().getFilterLogs({ filter }), changes);
      assert.deepEqual(await client().getFilterChanges({ filter }), []);
    });

    it("decodes the reason of a revert", async () => {
      const call = client().readContract({ address: contract, abi, functionName: "reqString", args: [0n] });
      await assert.rejects(call, /v must be > 100/);
    });
  });

  describe("web3.js", () => {
    let web3: Web3Eth;

    before(() => {
      web3 = new Web3Eth(`${chain.baseUrl}/jsonrpc`);
    });

    it("reads network, height, price and balances", async () => {
      const genesis = chain.simulation.chain.blockId(0) ?? "";
      assert.equal(await web3.getChainId(), BigInt(`0x${genesis.slice(-8)}`));
      assert.equal(await web3.getBlockNumber(), BigInt(chain.simulation.chain.head.header.number));
      assert.equal(await web3.getGasPrice(), 210n);
      assert.equal(await web3.getBalance(friend), BALANCE + 5n);
      assert.deepEqual(await web3.getAccounts(), []);
    });

    it("reads code, storage and calls of contracts", async () => {
      const x = await web3.call({ to: contract, data: "0x0c55699c" });
      assert.equal(BigInt(x), 7n);
      assert.equal(BigInt(await web3.getStorageAt(contract, 0)), 7n);
      assert.ok((await web3.getCode(contract)).length > 100);
    });

    it("estimates a call without a block parameter only, as on a real node", async () => {
      const set = { from: owner, to: contract, data: `0x60fe47b1${word(8)}` };
      await assert.rejects(web3.estimateGas(set), /method parameters invalid/);
      const estimate = await web3.requestManager.send({ method: "eth_estimateGas", params: [set] });
      assert.ok(BigInt(estimate) > 5000n);
    });

    it("reads blocks, receipts, transactions and logs", async () => {
      const receipt = await web3.getTransactionReceipt(called);
      assert.equal(receipt.status, 1n);
      const block = await web3.getBlock(receipt.blockNumber);
      assert.equal(block.hash, receipt.blockHash);
      assert.deepEqual(block.transactions, [called]);
      assert.equal(await web3.getBlockTransactionCount(receipt.blockNumber), 1n);
      assert.equal((await web3.getTransaction(transferred)).value, 5n);
      assert.equal((await web3.getTransactionFromBlock(receipt.blockNumber, 0))?.hash, called);
      const { blockNumber } = receipt;
      const logs = await web3.getPastLogs({ address: contract, fromBlock: blockNumber, toBlock: blockNumber });
      assert.deepEqual(
        logs.map((it) => typeof it === "object" && it.transactionHash),
        receipt.logs.map((it) => it.transactionHash),
      );
      assert.equal(await web3.isSyncing(), false);
    });

    it("decodes the reason of a revert", async () => {
      const data = `0x${Buffer.from(keccak_256(Buffer.from("reqString(uint256)")))
        .toString("hex")
        .slice(0, 8)}${word(0)}`;
      await assert.rejects(web3.call({ to: contract, data }), /v must be > 100/);
    });
  });
});
