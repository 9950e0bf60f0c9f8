import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { Interface, type InterfaceAbi, Wallet } from "ethers";
import { DEVELOPMENT_MNEMONIC, keysOfMnemonic } from "../../packages/local-chain/src/simulation/development-keys.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { bytesToHex } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../packages/tron/src/primitives/json.ts";
import { installPeers } from "../../scripts/install/on-demand.mjs";
import { type ContractFixture, contractFixture } from "../support/chain/contract-fixture.ts";
import { ChainProcess } from "../support/contest/contestant.ts";
import { anvil, hardhat } from "../support/contest/ethereum-chain.ts";
import { dice } from "../support/random/dice.ts";
import { howOften } from "../support/random/how-often.ts";
import { type CompiledContracts, compileContracts } from "../support/traces/peer-contracts.ts";

/** None in `npm test`: the installation of both takes minutes. */
const TRANSACTIONS = howOften(0, 320);
const CHAIN_ID = 31_337;
const GAS = "0x2dc6c0";
const PEOPLE = 4;

/** A call that all chains execute. */
interface PeerCall {
  readonly from: number;
  readonly to: string;
  readonly data: string;
  readonly value: number;
}

class Peer {
  readonly name: string;
  readonly #process: ChainProcess;

  constructor(name: string, process: ChainProcess) {
    this.name = name;
    this.#process = process;
  }

  async ask(method: string, ...params: readonly Json[]): Promise<Json> {
    const { result, error } = await this.#request(method, params);
    if (error !== undefined) throw new Error(`${this.name}, ${method}: ${JSON.stringify(error)}`);
    return result ?? null;
  }

  /** Sends a transaction, also one that fails. @returns its hash */
  async send(transaction: JsonObject): Promise<string> {
    const { result, error } = await this.#request("eth_sendTransaction", [transaction]);
    if (typeof result === "string") return await this.#included(result);
    const data = isJsonObject(error) && isJsonObject(error.data) ? error.data : {};
    const hash = data.txHash ?? data.transactionHash ?? (await this.#newestTransaction());
    if (typeof hash !== "string") throw new Error(`${this.name} refused: ${JSON.stringify(error)}`);
    return hash;
  }

  /** Hardhat reports a failed transaction as an error without its hash, and puts it into a block of its own. */
  async #newestTransaction(): Promise<Json> {
    const { transactions } = (await this.ask("eth_getBlockByNumber", "latest", false)) as JsonObject;
    return (transactions as readonly Json[])[0] ?? null;
  }

  /** Returns a hash once its transaction is in a block: anvil answers earlier. */
  async #included(hash: string): Promise<string> {
    while ((await this.ask("eth_getTransactionReceipt", hash)) === null) await setImmediate();
    return hash;
  }

  async #request(method: string, params: readonly Json[]): Promise<JsonObject> {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await (await fetch(this.#process.url, { method: "POST", body, headers })).json()) as JsonObject;
  }
}

describe("traces compared with anvil and Hardhat", function () {
  this.timeout(600_000);
  const stack = new AsyncDisposableStack();
  let contracts: ContractFixture;
  let peers: readonly [Peer, Peer];
  let compiled: CompiledContracts;
  let people: readonly string[];
  const addresses = new Map<string, string>();

  before(async () => {
    await installPeers();
    compiled = compileContracts();
    contracts = await contractFixture({}, { tre: true, chainId: CHAIN_ID, lenientRpc: true });
    people = keysOfMnemonic(DEVELOPMENT_MNEMONIC, PEOPLE).map((key) => new Wallet(`0x${bytesToHex(key)}`).address);
    peers = [
      await start("anvil", anvil, ["--steps-tracing", "--hardfork", "cancun"]),
      await start("Hardhat", hardhat, []),
    ];
    await deploy("Coin", [people[0]]);
    await deploy("Vault", [addresses.get("Coin")]);
    await deploy("Items", [people[0]]);
    await deploy("Goods", []);
    await deploy("Holder", []);
    await deploy("Desk", []);
    await deploy("Counter", []);
    const first = new Interface(compiled.Counter?.abi ?? []).encodeFunctionData("increase", [1]);
    await deploy("ERC1967Proxy", [addresses.get("Counter"), first], "Proxy");
  });

  after(() => stack.disposeAsync());

  async function start(name: string, program: typeof anvil, more: readonly string[]): Promise<Peer> {
    const keys = keysOfMnemonic(DEVELOPMENT_MNEMONIC, PEOPLE).map((key) => `0x${bytesToHex(key)}`);
    const command = program(keys);
    const args = (port: number): string[] => [...command.args(port), ...more];
    return new Peer(name, stack.use(await ChainProcess.start({ ...command, args })));
  }

  /** Deploys on anvil, and puts code and storage at the same address of the other chains. */
  async function deploy(name: string, args: readonly unknown[], as = name): Promise<void> {
    const [first, second] = peers;
    const { abi, bytecode } = compiled[name] ?? assert.fail(name);
    const data = bytecode + new Interface(abi).encodeDeploy(args).slice(2);
    const hash = await first.send({ from: people[0] ?? "", data, gas: "0x989680" });
    const receipt = (await first.ask("eth_getTransactionReceipt", hash)) as JsonObject;
    const address = String(receipt.contractAddress);
    const code = String(await first.ask("eth_getCode", address, "latest"));
    addresses.set(as, address);
    const config = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
    const { post } = (await first.ask("debug_traceTransaction", hash, config)) as JsonObject;
    const { storage = {} } = ((post as JsonObject)[address.toLowerCase()] ?? {}) as JsonObject;
    await second.ask("hardhat_setCode", address, code);
    await tre("tre_setAccountCode", address, code);
    for (const [slot, word = null] of Object.entries(storage as JsonObject)) {
      await second.ask("hardhat_setStorageAt", address, `0x${BigInt(slot).toString(16)}`, word);
      await tre("tre_setAccountStorageAt", address, slot, word);
    }
  }

  async function tre(method: string, ...params: readonly Json[]): Promise<void> {
    const { error } = await contracts.chain.ask("/tre", { jsonrpc: "2.0", id: 1, method, params });
    assert.equal(error, undefined);
  }

  if (TRANSACTIONS > 0)
    it(`have the same call tree, events, storage changes and revert sites in ${TRANSACTIONS} transactions`, async () => {
      const [first, second] = peers;
      const roll = dice(20_261_128);
      const ends = { succeeded: 0, failed: 0, instructions: 0 };
      for (let count = 0; count < TRANSACTIONS; count += 1) {
        const call = randomCall(roll);
        const label = `transaction ${count}: ${JSON.stringify(call)}`;
        const { from, to, data, value } = call;
        const transaction = { from: people[from] ?? "", to, data, value: `0x${value.toString(16)}`, gas: GAS };
        const [here, there, hardhatHash] = [
          await contracts.call(parseAddress(`41${to.slice(2).toLowerCase()}`), data.slice(2), { from, value }),
          await first.send(transaction),
          await second.send(transaction),
        ];
        const id = `0x${String(here.info.id)}`;
        const tree = { tracer: "callTracer", tracerConfig: { withLog: true } };
        const ourTree = calls(await ours(id, tree));
        assert.deepEqual(ourTree, calls(await first.ask("debug_traceTransaction", there, tree)), label);
        const receipt = (await second.ask("eth_getTransactionReceipt", hardhatHash)) as JsonObject;
        assert.deepEqual([...eventsOf(ourTree)].sort(), receiptEvents(receipt).sort(), `Hardhat, ${label}`);
        assert.equal(receipt.status === "0x1", here.result === "SUCCESS", `Hardhat, ${label}`);
        const diff = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
        assert.deepEqual(
          changedWords(await ours(id, diff)),
          changedWords(await first.ask("debug_traceTransaction", there, diff)),
          label,
        );
        const steps = instructions(await ours(id, {}));
        assert.deepEqual(steps, instructions(await first.ask("debug_traceTransaction", there, {})), `anvil, ${label}`);
        assert.deepEqual(
          steps,
          instructions(await second.ask("debug_traceTransaction", hardhatHash, {})),
          `Hardhat, ${label}`,
        );
        ends[here.result === "SUCCESS" ? "succeeded" : "failed"] += 1;
        ends.instructions += steps.length;
      }
      process.stdout.write(`      ${JSON.stringify(ends)}\n`);
      assert.ok(ends.succeeded > TRANSACTIONS / 4 && ends.failed > TRANSACTIONS / 10, JSON.stringify(ends));
    });

  async function ours(id: string, config: JsonObject): Promise<Json> {
    const body = { jsonrpc: "2.0", id: 1, method: "debug_traceTransaction", params: [id, config] };
    const { result, error } = await contracts.chain.ask("/jsonrpc", body);
    assert.equal(error, undefined);
    return result ?? null;
  }

  function randomCall(roll: (bound: number) => number): PeerCall {
    const person = (): string => people[roll(PEOPLE)] ?? "";
    const at = (name: string): string => addresses.get(name) ?? "";
    const receiver = (): string => (roll(4) === 0 ? at("Holder") : roll(8) === 0 ? at("Coin") : person());
    const from = roll(3) === 0 ? roll(PEOPLE) : 0;
    const amount = (): bigint => BigInt(roll(1000)) * 10n ** BigInt(roll(19));
    const id = (): number => roll(12);
    const encode = (name: string, method: string, ...args: readonly unknown[]): string =>
      new Interface((compiled[name] ?? assert.fail(name)).abi as InterfaceAbi).encodeFunctionData(method, args);
    const call = (name: string, method: string, ...args: readonly unknown[]): PeerCall => ({
      from,
      to: at(name),
      data: encode(name, method, ...args),
      value: 0,
    });
    const makers: readonly (() => PeerCall)[] = [
      () => call("Coin", "transfer", receiver(), amount()),
      () => call("Coin", "transfer", receiver(), amount()),
      () => call("Coin", "approve", roll(2) === 0 ? at("Vault") : person(), amount()),
      () => call("Coin", "transferFrom", person(), person(), amount()),
      () => call("Coin", "mint", person(), amount()),
      () => call("Coin", "burn", amount()),
      () => call("Coin", roll(3) === 0 ? "pause" : "unpause"),
      () => call("Coin", roll(2) === 0 ? "acceptOwnership" : "pendingOwner"),
      () => call("Vault", "deposit", amount(), person()),
      () => call("Vault", "withdraw", amount(), person(), person()),
      () => call("Vault", "redeem", amount(), person(), people[from]),
      () => call("Items", "mint", receiver(), id(), "x".repeat(roll(70))),
      () => call("Items", "transferFrom", person(), person(), id()),
      () => call("Items", "safeTransferFrom(address,address,uint256)", person(), receiver(), id()),
      () => call("Items", "approve", person(), id()),
      () => call("Items", "grantRole", `0x${"00".repeat(32)}`, person()),
      () => call("Goods", "mintBatch", receiver(), [id(), id()], [roll(100), roll(100)]),
      () => call("Goods", "safeTransferFrom", person(), receiver(), id(), roll(50), "0x"),
      () => call("Goods", "setApprovalForAll", person(), roll(2) === 0),
      () => call("Desk", "add", roll(20)),
      () => call("Desk", "remove", roll(20)),
      () => call("Desk", "tryAdd", roll(20)),
      () => call("Desk", "panic", roll(4)),
      () => ({ ...call("Desk", "deposit"), value: roll(1000) }),
      () => call("Desk", "withdraw", roll(800)),
      () => call("Desk", "multicall", [encode("Desk", "add", roll(20)), encode("Desk", "remove", roll(20))]),
      () =>
        call("Desk", "recover", `0x${"11".repeat(32)}`, 27 + roll(3), `0x${"22".repeat(32)}`, `0x${"33".repeat(32)}`),
      () => ({ ...call("Counter", "increase", roll(3)), to: at("Proxy"), value: roll(2) }),
      () => ({ ...call("Counter", "count"), to: at("Proxy") }),
      () => ({
        from,
        to: at("Holder"),
        data: `0x${roll(1 << 24)
          .toString(16)
          .padStart(8, "0")}`,
        value: 0,
      }),
    ];
    return (makers[roll(makers.length)] ?? makers[0] ?? assert.fail())();
  }
});

/** The precompiled contract that recovers a signer. TRON's returns the address with its prefix. */
const ECRECOVER = 1n;

/** Returns the parts of a call tree that do not depend on prices. Events of failed calls are left out: anvil prints them, other nodes do not. */
function calls(tree: Json, isKept = true): JsonObject {
  const { type, from, to, input, output = "0x", value, error, calls: inner = [], logs = [] } = tree as JsonObject;
  const hasEvents = isKept && error === undefined;
  return {
    ...{ type, from, to, input, value: value ?? null },
    output: BigInt(String(to)) === ECRECOVER ? String(output).slice(-40) : output,
    failed: error !== undefined,
    calls: (inner as readonly JsonObject[]).map((it) => calls(it, hasEvents)),
    logs: hasEvents
      ? (logs as readonly JsonObject[]).map(({ address, topics, data }) => ({ address, topics, data }))
      : [],
  };
}

/** Returns the changed storage by account, before and after. */
function changedWords(diff: Json): JsonObject {
  const side = (value: Json | undefined): JsonObject =>
    Object.fromEntries(
      Object.entries(value as JsonObject).flatMap(([address, account]) => {
        const storage = ((account as JsonObject).storage ?? {}) as JsonObject;
        return Object.keys(storage).length === 0 ? [] : [[address, storage]];
      }),
    );
  const { pre, post } = diff as JsonObject;
  return { pre: side(pre), post: side(post) };
}

/** Returns depth, program counter and name of each instruction, and slot and value of each write to storage. */
function instructions(trace: Json): readonly string[] {
  const { structLogs } = trace as JsonObject;
  return (structLogs as readonly JsonObject[]).map(({ depth, pc, op, stack }) => {
    const written = op === "SSTORE" ? (stack as readonly string[]).slice(-2).map((it) => ` ${BigInt(it)}`) : [];
    return `${depth} ${pc} ${op}${written.join("")}`;
  });
}

/** Returns the events of a call and of the calls in it, as text. A tree lists them by call, not in the order of the run. */
function eventsOf({ logs = [], calls: inner = [] }: JsonObject): readonly string[] {
  return [
    ...(logs as readonly JsonObject[]).map(eventText),
    ...(inner as readonly JsonObject[]).flatMap((it) => eventsOf(it)),
  ];
}

function receiptEvents({ logs }: JsonObject): string[] {
  return (logs as readonly JsonObject[]).map(eventText);
}

function eventText({ address, topics, data }: JsonObject): string {
  return JSON.stringify([address, topics, data]).toLowerCase();
}
