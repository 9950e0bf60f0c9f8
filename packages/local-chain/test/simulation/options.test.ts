import assert from "node:assert/strict";
import { testChain } from "../../../../test/support/chain/test-chain.ts";
import { keysOfMnemonic, parsePrivateKey } from "../../src/simulation/development-keys.ts";
import { completeOptions, createSimulation } from "../../src/simulation/simulation.ts";

const KEY = "11".repeat(32);

describe("options of a chain", () => {
  it("include the values of TronBox's runtime environment, which other options override", () => {
    const { port, blockTimeMs, witnesses, chainId, lenientRpc, parameters } = completeOptions({ tre: true });
    assert.deepEqual(
      [port, blockTimeMs, witnesses, chainId, lenientRpc, parameters],
      [9090, "instant", 1, 0xc845df2f, true, { getEnergyFee: 100 }],
    );
    const changed = completeOptions({ tre: true, port: 0, chainId: 7, energyFee: 420, parameters: { getMemoFee: 5 } });
    assert.deepEqual([changed.port, changed.chainId, changed.parameters], [0, 7, { getEnergyFee: 420, getMemoFee: 5 }]);
    assert.deepEqual(completeOptions(completeOptions({ tre: true })), completeOptions({ tre: true }));
    assert.deepEqual(completeOptions({ witnesses: 3 }), { witnesses: 3 });
  });

  it("set the chain id for JSON-RPC, for code and at the end of the genesis block's id", async () => {
    const chain = await testChain({ chainId: 0xc845df2f });
    const rpc = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
    assert.equal((await chain.ask("/jsonrpc", rpc)).result, "0xc845df2f");
    // CHAINID, MSTORE, RETURN.
    const request = { owner_address: chain.accounts[0]?.hex ?? "", data: "4660005260206000f3" };
    const { constant_result: results } = await chain.ask("/wallet/triggerconstantcontract", request);
    assert.deepEqual(results, ["c845df2f".padStart(64, "0")]);
    const { blockID } = await chain.ask("/wallet/getblockbynum", { num: 0 });
    const { blockID: next, block_header: header } = await chain.ask("/wallet/getblockbynum", { num: 1 });
    assert.match(String(blockID), /c845df2f$/);
    assert.equal((header as { raw_data: { parentHash: string } }).raw_data.parentHash, blockID);
    assert.notEqual(next, blockID);
  });

  it("fund the accounts of given keys, or of a mnemonic", async () => {
    const given = await createSimulation({ privateKeys: [KEY, `0x${"22".repeat(32)}`] });
    assert.deepEqual(
      given.accounts.map(({ privateKey }) => privateKey),
      [KEY, "22".repeat(32)],
    );
    const mnemonic = "test test test test test test test test test test test junk";
    const { accounts, chain } = await createSimulation({ mnemonic, accounts: 2 });
    assert.deepEqual(
      accounts.map(({ hex, privateKey }) => [hex, privateKey]),
      [
        [
          "41f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
          "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
        ],
        [
          "4170997970c51812dc3a010c7d01b50e0d17dc79c8",
          "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
        ],
      ],
    );
    const [first] = accounts;
    assert.equal(first && chain.pendingState.account(first.hex)?.balance, 10_000_000_000n);
  });

  it("refuse invalid keys and mnemonics", () => {
    assert.throws(() => parsePrivateKey("0x12"), /32 bytes in hex/);
    assert.throws(() => parsePrivateKey("00".repeat(32)), /32 bytes in hex/);
    assert.throws(() => keysOfMnemonic("test test", 1), /12 to 24 words/);
  });
});
