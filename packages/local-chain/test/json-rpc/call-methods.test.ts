import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type RpcFixture, rpcFixture, shortOf } from "../../../../test/support/chain/rpc-fixture.ts";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { revertReason } from "../../src/json-rpc/call-methods.ts";

const ZERO = "0".repeat(64);
const ONE = "1".padStart(64, "0");

/** `test/conformance/json-rpc.test.ts` compares more answers with recordings of a real node. */
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

  it("are refused at unknown blocks", async () => {
    const at = async (block: JsonObject | number) => {
      const { code, message } = await rpc.error("eth_call", to("x()"), block);
      return [code, message];
    };
    assert.deepEqual(await at({ blockNumber: "0x99" }), [-32000, "header not found"]);
    assert.deepEqual(await at({ blockHash: `0x${ZERO}` }), [-32000, "header for hash not found"]);
    assert.deepEqual(await at(1), [-32600, "invalid json request"]);
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

  it("validate a transfer as a builder does", async () => {
    const transfer = { from: owner, to: `0x${"12".repeat(20)}`, value: "0xfffffffffffff" };
    const { code, message } = await rpc.error("eth_estimateGas", transfer);
    assert.equal(code, -32600);
    assert.match(String(message), /Validate TransferContract error/);
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
