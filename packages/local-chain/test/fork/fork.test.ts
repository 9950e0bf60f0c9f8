import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContractFixture, contractFixture, contractsOn } from "../../../../test/support/chain/contract-fixture.ts";
import { testChainOf } from "../../../../test/support/chain/test-chain.ts";
import type { Address } from "../../../tron/src/primitives/address.ts";
import { hexToBytes, transactionId } from "../../../tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";
import { baseUrlIn } from "../../src/fork/fork-point.ts";
import { rpcAddress } from "../../src/fork/network-state.ts";
import { type LocalChain, startLocalChain } from "../../src/main.ts";
import { LOOPBACK, listen } from "../../src/node-server.ts";
import { RETURN_TOP, word } from "../vm/bytecode.ts";

/** Low enough that a few calls make contracts dearer in the next cycle. */
const DYNAMIC_ENERGY = { getDynamicEnergyThreshold: 1000, getMaintenanceTimeInterval: 3_600_000 };
const CONTRACTS = 50;
/** Index of the contract that makes another one, whose address is a new one in each call. */
const MAKES_CONTRACT = 5;

/** Adds its input to a slot, logs it, and reverts with it if it is 7. */
const counter = (slot: number): string =>
  `5f3560${byte(slot)}54018060${byte(slot)}555f5260205fa05f35600714601c57${RETURN_SUM}5b60205ffd`;
const RETURN_SUM = "60205ff3";

function byte(value: number): string {
  return value.toString(16).padStart(2, "0");
}

/** Returns what an instruction gives for the address in the input. */
const about = (opcode: string): string => `5f35${opcode}${RETURN_TOP}`;
/** Calls the contract in its input with the word after it, and returns its answer. */
const CALLER = "6020355f525f5f60205f5f5f355af1503d5f5f3e3d5ff3";
/** Runs the code of the contract in its input on its own storage. */
const DELEGATE = "6020355f525f5f60205f5f355af4503d5f5f3e3d5ff3";
/** Returns the id of the block with the number in the input. */
const BLOCK_ID = `5f3540${RETURN_TOP}`;
/** Makes a contract without code, and returns whether it has an address. */
const MAKER = `5f5f5ff01515${RETURN_TOP}`;
/** Gives a sun to the address in the input. */
const PAYER = `5f5f5f5f60015f355af1${RETURN_TOP}`;

describe("fork of a network", () => {
  let folder: string;
  let network: ContractFixture;
  let server: Awaited<ReturnType<typeof listen>>;
  let contracts: readonly { readonly address: Address; readonly data: string }[];
  let fork: LocalChain;
  let forked: ContractFixture;

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), "finality-fork-"));
    network = await contractFixture(DYNAMIC_ENERGY, { seed: "network", accounts: 3 });
    contracts = await installAll(network);
    server = await listen(network.chain.simulation, { port: 0, host: LOOPBACK, allowRemote: false, log: undefined });
    await startFork();
  });

  after(async () => {
    await fork?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startFork(): Promise<void> {
    const options = { fork: server.baseUrl, data: join(folder, "fork"), seed: "fork", blockTimeMs: 0, accounts: 2 };
    fork = await startLocalChain({ port: 0, ...options });
    forked = contractsOn(testChainOf(fork.simulation));
  }

  const origin = (): Promise<JsonObject> => get("/local/origin");

  async function get(path: string): Promise<JsonObject> {
    const json: unknown = await (await fetch(`${fork.baseUrl}${path}`)).json();
    return isJsonObject(json) ? json : {};
  }

  async function requests(): Promise<number> {
    const counts = Object.values((await origin()).requests as JsonObject).map(Number);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async function rpc(method: string, params: readonly Json[], path = "/jsonrpc"): Promise<JsonObject> {
    return await forked.chain.ask(path, { jsonrpc: "2.0", id: 1, method, params });
  }

  function constant({ ask }: ContractFixture, index: number): Promise<JsonObject> {
    const { address, data } = contracts[index] ?? assert.fail();
    const owner = network.chain.accounts[0]?.hex ?? "";
    return ask("triggerconstantcontract", { owner_address: owner, contract_address: address, data });
  }

  it("goes on after the head of the network, with its rules and another chain id", async () => {
    const head = network.chain.simulation.chain.head.header;
    const { block, unknown } = await origin();
    assert.equal((block as JsonObject).number, head.number);
    assert.ok(fork.simulation.chain.head.header.number > head.number);
    assert.ok(fork.simulation.chain.head.header.timestamp > head.timestamp);
    assert.equal(fork.simulation.chain.parameters.getDynamicEnergyThreshold, 1000);
    const [here, there] = [fork, network.chain].map(({ simulation }) => simulation.chain.blockId(0)?.slice(-8));
    assert.notEqual(here, there);
    assert.ok(String(unknown).includes("the fork has its own witnesses"));
  });

  it(`gives the result and the energy of ${CONTRACTS} contracts of the network, and asks once for each item`, async () => {
    for (const index of contracts.keys()) {
      const [there, here] = [await constant(network, index), await constant(forked, index)];
      for (const field of ["result", "constant_result", "energy_used", "energy_penalty", "logs"]) {
        assert.deepEqual(here[field], there[field], `${field} of contract ${index}`);
      }
    }
    const first = await requests();
    for (const index of contracts.keys()) if (index !== MAKES_CONTRACT) await constant(forked, index);
    assert.equal(await requests(), first, "no request for what was read");
    const { items } = await origin();
    const { contracts: read = 0, words = 0, accounts = 0, blocks = 0 } = items as { readonly [kind: string]: number };
    assert.ok(read >= CONTRACTS, `${read} contracts`);
    assert.equal(first, read + words + accounts + blocks, "a request for each item");
  });

  it("executes transactions with the result, the energy and the events that they have there", async () => {
    let penalties = 0;
    for (const { address, data } of contracts) {
      const [here, there] = [await forked.call(address, data), await network.call(address, data)];
      penalties += Number((there.info.receipt as JsonObject).energy_penalty_total ?? 0);
      assert.deepEqual(
        [here.result, here.energy, here.returned, here.info.log],
        [there.result, there.energy, there.returned, there.info.log],
        address,
      );
    }
    assert.ok(penalties > 0, "contracts of the network are dearer than new ones");
  });

  it("traces calls and transactions by the methods of other chains", async () => {
    const [{ address, data } = assert.fail()] = contracts;
    const { info } = await forked.call(address, data);
    const call = {
      from: rpcAddress((fork.ready.accounts[0] ?? assert.fail()).hex),
      to: rpcAddress(address),
      data: `0x${data}`,
    };
    const tracer = { tracer: "callTracer" };
    const traces = [
      await rpc("debug_traceTransaction", [`0x${String(info.id)}`, tracer], "/tre"),
      await rpc("debug_traceCall", [call, "latest", tracer], "/tre"),
    ];
    for (const trace of traces)
      assert.equal((trace.result as JsonObject)?.to, rpcAddress(address), JSON.stringify(trace));
    const state = await rpc("debug_traceCall", [call, "latest", { tracer: "prestateTracer" }], "/tre");
    assert.ok(JSON.stringify(state).includes(rpcAddress(address)));
  });

  it("makes transactions that the network refuses, and refuses those of the network", async () => {
    const [sender = assert.fail()] = fork.ready.accounts;
    const pay = { owner_address: network.chain.accounts[0]?.hex ?? "", to_address: sender.hex, amount: 5_000_000 };
    const payment = signed(await network.ask("createtransaction", pay), network.chain.accounts[0]?.privateKey ?? "");
    const funded = await network.ask("broadcasttransaction", payment);
    assert.equal(funded.result, true, "the sender has coins on the network too");
    await network.chain.ask("/local/mine", {});
    const back = { owner_address: sender.hex, to_address: network.chain.accounts[1]?.hex ?? "", amount: 1 };
    const onFork = signed(await forked.ask("createtransaction", back), sender.privateKey);
    const refused = await network.ask("broadcasttransaction", onFork);
    assert.deepEqual([refused.result, refused.code], [undefined, "TAPOS_ERROR"]);
    assert.equal((await forked.ask("broadcasttransaction", onFork)).result, true);
    const onNetwork = signed(await network.ask("createtransaction", back), sender.privateKey);
    assert.deepEqual((await forked.ask("broadcasttransaction", onNetwork)).code, "TAPOS_ERROR");
  });

  it("does not let keys of the network sign, but accounts that a development tool impersonates", async () => {
    const [owner = assert.fail()] = network.chain.accounts;
    const pay = { owner_address: owner.hex, to_address: fork.ready.accounts[0]?.hex ?? "", amount: 7 };
    const transaction = signed(await forked.ask("createtransaction", pay), owner.privateKey);
    const refused = await forked.ask("broadcasttransaction", transaction);
    assert.equal(refused.code, "SIGERROR");
    assert.match(Buffer.from(String(refused.message), "hex").toString(), /is an account of the network/);
    await rpc("tre_impersonateAccount", [owner.hex], "/tre");
    assert.equal((await forked.ask("broadcasttransaction", transaction)).result, true);
  });

  it("continues offline with what it has read, and names what it has not", async () => {
    const { address = "", data = "" } = contracts[0] ?? {};
    const expected = await forked.call(address as Address, data);
    const missing = await network.install(counter(1));
    await fork.close();
    await server.close();
    await startFork();
    const again = await constant(forked, 0);
    assert.ok(Array.isArray(again.constant_result), JSON.stringify(again));
    assert.equal(
      BigInt(`0x${String(again.constant_result[0])}`),
      BigInt(`0x${expected.returned}`) + BigInt(`0x${data}`),
    );
    const answer = await forked.ask("triggerconstantcontract", {
      owner_address: fork.ready.accounts[0]?.hex ?? "",
      contract_address: missing,
      data: word(1),
    });
    assert.match(
      String(answer.Error),
      new RegExp(`The fork cannot read the contract ${missing} from ${server.baseUrl}`),
    );
    assert.match(String((await origin()).latestFailure), new RegExp(missing));
  });
});

describe("URL of the network of a fork", () => {
  for (const text of [
    "nile",
    "file:///etc/passwd",
    "https://user:secret@api.example.org",
    "https://api.example.org?key=secret",
    "http://api.example.org",
    "http://127.0.0.1.example.org",
  ]) {
    it(`is refused: ${text.replace("secret", "…")}`, () => {
      assert.throws(() => baseUrlIn(text), /--fork needs/);
    });
  }

  it("may be plain http on this computer", () => {
    assert.equal(baseUrlIn("http://127.0.0.1:9090/"), "http://127.0.0.1:9090");
    assert.equal(baseUrlIn("https://api.example.org/net/"), "https://api.example.org/net");
  });
});

function signed(built: JsonObject, privateKey: string): JsonObject {
  const id = transactionId(hexToBytes(String(built.raw_data_hex)));
  return { ...built, signature: [signTransactionId(id, hexToBytes(privateKey) as PrivateKey)] };
}

/** Installs contracts of many kinds, uses them, and lets a cycle pass. */
async function installAll(network: ContractFixture): Promise<{ address: Address; data: string }[]> {
  const friend = network.chain.accounts[2]?.hex.slice(2) ?? "";
  const installed: { address: Address; data: string }[] = [];
  const add = async (code: string, data: string, value = 0): Promise<Address> => {
    const address = await network.install(code, { value });
    installed.push({ address, data });
    return address;
  };
  const first = await add(counter(0), word(5));
  await add(CALLER, word(first.slice(2)) + word(3));
  await add(CALLER, word(first.slice(2)) + word(7));
  await add(DELEGATE, word(first.slice(2)) + word(4));
  await add(BLOCK_ID, word(3));
  await add(MAKER, "");
  await add(PAYER, word(friend), 5);
  for (const opcode of ["31", "3b", "3f"]) {
    await add(about(opcode), word(first.slice(2)));
    await add(about(opcode), word(friend));
    await add(about(opcode), word("99".repeat(20)));
  }
  while (installed.length < CONTRACTS) await add(counter(installed.length), word(installed.length));
  // Usage counts from the second cycle on.
  await nextCycle(network);
  for (const { address, data } of installed) await network.call(address, data);
  await nextCycle(network);
  return installed;
}

async function nextCycle({ chain }: ContractFixture): Promise<void> {
  await chain.ask("/local/warp", { ms: DYNAMIC_ENERGY.getMaintenanceTimeInterval });
  chain.mine(2);
}
