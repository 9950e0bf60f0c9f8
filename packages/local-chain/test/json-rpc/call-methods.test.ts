import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type RpcFixture, rpcFixture, shortOf } from "../../../../test/support/chain/rpc-fixture.ts";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { revertReason } from "../../src/json-rpc/call-methods.ts";

const ZERO = "0".repeat(64);
const ONE = "1".padStart(64, "0");

describe("eth_call and eth_estimateGas", () => {
  let rpc: RpcFixture;
  let owner: string;

  before(async () => {
    rpc = await rpcFixture();
    const [account] = rpc.chain.accounts;
    assert.ok(account);
    owner = shortOf(account);
  });

  const data = (signature: string, words = ""): string =>
    `0x${Buffer.from(keccak_256(Buffer.from(signature)).subarray(0, 4)).toString("hex")}${words}`;
  const to = (signature: string, words = ""): JsonObject => ({ to: rpc.contract, data: data(signature, words) });

  it("return the output at the newest block, by any of its tags", async () => {
    const { head } = rpc.chain.simulation.chain;
    for (const block of ["latest", { blockNumber: "0x1" }, { blockHash: `0x${head.id}` }]) {
      assert.equal(await rpc.result("eth_call", to("x()"), block), `0x${ONE}`);
    }
  });

  it("N3: return the reason of a revert, and its data if present", async () => {
    const reason = Buffer.from("v must be > 100").toString("hex").padEnd(64, "0");
    assert.deepEqual(await rpc.error("eth_call", to("reqString(uint256)", ZERO), "latest"), {
      code: -32000,
      message: "REVERT opcode executed: v must be > 100",
      data: `0x08c379a0${"20".padStart(64, "0")}${"f".padStart(64, "0")}${reason}`,
    });
    assert.deepEqual(await rpc.error("eth_call", to("reqEmpty()"), "latest"), {
      code: -32000,
      message: "REVERT opcode executed",
      data: "{}",
    });
    const bare = await rpc.error("eth_call", to("bare()"), "latest");
    assert.deepEqual([bare.message, bare.data], ["REVERT opcode executed", data("Bare()")]);
  });

  it("return the machine's message for halted code", async () => {
    const { code, message } = await rpc.error("eth_call", to("spin()"), "latest");
    assert.equal(code, -32000);
    assert.match(String(message), /^CPU timeout for '\w+' operation executing$/);
  });

  it("are refused without a contract, and at older blocks", async () => {
    const missing = await rpc.error("eth_call", { to: owner, data: "0x" }, "latest");
    assert.deepEqual(missing, { code: -32600, message: "Smart contract is not exist.", data: "{}" });
    assert.equal((await rpc.error("eth_call", {}, "latest")).message, "invalid address hash value");
    const at = async (block: JsonObject | string | number) => {
      const { code, message } = await rpc.error("eth_call", to("x()"), block);
      return [code, message];
    };
    assert.deepEqual(await at({ blockNumber: "0x99" }), [-32000, "header not found"]);
    assert.deepEqual(await at({ blockHash: `0x${ZERO}` }), [-32000, "header for hash not found"]);
    assert.deepEqual(await at({}), [-32600, "invalid json request"]);
    assert.deepEqual(await at(1), [-32600, "invalid json request"]);
    assert.deepEqual(await at("0x1"), [-32602, "QUANTITY not supported, just support TAG as latest"]);
    const wrong = await rpc.error("eth_call", { ...to("x()"), value: "5" }, "latest");
    assert.deepEqual([wrong.code, wrong.message], [-32602, "invalid param value: invalid hex number"]);
  });

  it("return the energy of the node's own estimate", async () => {
    const body = { owner_address: `41${owner.slice(2)}`, contract_address: `41${rpc.contract.slice(2)}` };
    const call = { ...body, data: data("set(uint256)", ONE).slice(2) };
    const { energy_required: required } = await rpc.chain.ask("/wallet/estimateenergy", call);
    const estimate = await rpc.result("eth_estimateGas", { from: owner, ...to("set(uint256)", ONE) });
    assert.equal(estimate, `0x${Number(required).toString(16)}`);
    const code = await rpc.result("eth_estimateGas", { from: owner, data: "0x602a60005260206000f3" });
    assert.equal(code, `0x${(9624).toString(16)}`);
  });

  it("return 0 for a transfer, which is validated as by a builder", async () => {
    const transfer = { from: owner, to: `0x${"12".repeat(20)}`, value: "0x1" };
    assert.equal(await rpc.result("eth_estimateGas", transfer), "0x0");
    const dear = await rpc.error("eth_estimateGas", { ...transfer, value: "0xfffffffffffff" });
    assert.equal(dear.code, -32600);
    assert.match(String(dear.message), /Validate TransferContract error/);
  });

  it("return no estimate for failing or incomplete calls", async () => {
    const failed = await rpc.error("eth_estimateGas", to("reqString(uint256)", ZERO));
    assert.equal(failed.message, "REVERT opcode executed: v must be > 100");
    const { message } = await rpc.error("eth_estimateGas", { to: owner });
    assert.equal(message, "invalid json request: invalid value");
    assert.equal((await rpc.error("eth_estimateGas", {})).message, "invalid json request");
  });

  it("estimate by one run when estimation is off, and are refused without constant calls", async () => {
    const own = await rpcFixture();
    const call = { to: own.contract, data: data("x()") };
    own.chain.simulation.faults.replace([{ name: "estimate-off" }], "");
    const tried = Number(await own.result("eth_estimateGas", call));
    own.chain.simulation.faults.replace([], "");
    assert.ok(tried > 0 && tried < Number(await own.result("eth_estimateGas", call)));
    own.chain.simulation.faults.replace([{ name: "constant-calls-off" }], "");
    const { code, message } = await own.error("eth_call", call, "latest");
    assert.deepEqual([code, message], [-32600, "this node does not support constant"]);
  });
});

const word = (value: number): string => value.toString(16).padStart(64, "0");
const reasonOf = (hex: string): string | undefined => revertReason(hexToBytes(hex));

describe("revertReason", () => {
  it("returns the text of Error(string)", () => {
    assert.equal(reasonOf(`08c379a0${word(32)}${word(3)}${"e282ac".padEnd(64, "0")}`), "€");
    assert.equal(reasonOf(`08c379a0${word(32)}${word(0)}`), "");
  });

  it("returns undefined for other and truncated data", () => {
    assert.equal(reasonOf(`4e487b71${word(32)}${word(3)}${word(0)}`), undefined);
    for (const hex of ["08c379", "08c379a0", `08c379a0${word(32)}`, `08c379a0${word(32)}${word(33)}${word(0)}`]) {
      assert.equal(reasonOf(hex), undefined, hex);
    }
    assert.equal(reasonOf(`08c379a0${"f".repeat(64)}${word(1)}`), undefined);
  });
});
