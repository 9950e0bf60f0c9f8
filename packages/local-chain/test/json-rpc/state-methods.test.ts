import assert from "node:assert/strict";
import { type RpcFixture, rpcFixture } from "../../../../test/support/chain/rpc-fixture.ts";
import { recordedT } from "../../../../test/support/recorded/exchanges.ts";

const NOBODY = `0x${"12".repeat(20)}`;
const ONE = `0x${"1".padStart(64, "0")}`;

describe("account and contract methods", () => {
  let rpc: RpcFixture;

  before(async () => {
    rpc = await rpcFixture();
  });

  it("return a balance for an address with or without the prefix 41", async () => {
    const [, friend] = rpc.chain.accounts;
    const digits = friend?.hex.slice(2);
    assert.equal(await rpc.result("eth_getBalance", `0x${digits}`, "latest"), "0x2540be400");
    assert.equal(await rpc.result("eth_getBalance", `0x41${digits}`, "LATEST"), "0x2540be400");
    assert.equal(await rpc.result("eth_getBalance", NOBODY, "latest"), "0x0");
  });

  it("return code of contracts only", async () => {
    assert.equal(await rpc.result("eth_getCode", rpc.contract, "latest"), `0x${recordedT().runtimeCode}`);
    assert.equal(await rpc.result("eth_getCode", NOBODY, "latest"), "0x");
  });

  it("return a storage slot, and zeros for an empty one", async () => {
    assert.equal(await rpc.result("eth_getStorageAt", rpc.contract, "0x0", "latest"), ONE);
    assert.equal(await rpc.result("eth_getStorageAt", rpc.contract, "0x99", "latest"), `0x${"00".repeat(32)}`);
    assert.equal(await rpc.result("eth_getStorageAt", NOBODY, "0x0", "latest"), `0x${"00".repeat(32)}`);
  });

  it("answer for the newest state only", async () => {
    const tags = "TAG [earliest | pending | finalized] not supported";
    for (const tag of ["earliest", "pending", "finalized"]) {
      assert.deepEqual(await rpc.error("eth_getBalance", NOBODY, tag), { code: -32602, message: tags, data: "{}" });
    }
    const { message } = await rpc.error("eth_getCode", NOBODY, "0x1");
    assert.equal(message, "QUANTITY not supported, just support TAG as latest");
    assert.equal((await rpc.error("eth_getStorageAt", NOBODY, "0x0", "newest")).message, "invalid block number");
  });

  it("refuse invalid addresses", async () => {
    for (const text of ["0x12", `0x42${"12".repeat(20)}`]) {
      const { code, message } = await rpc.error("eth_getBalance", text, "latest");
      assert.deepEqual([code, message], [-32602, "invalid address hash value"]);
    }
    const { message } = await rpc.error("eth_getBalance", "0xzz", "latest");
    assert.equal(message, "exception decoding Hex string: invalid characters encountered in Hex string");
  });
});
