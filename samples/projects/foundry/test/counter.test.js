import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { TronWeb } from "tronweb";

// Public development key of TronBox's runtime environment, which `finality-chain --tre` funds. Not for other networks.
const DEVELOPMENT_KEY = "dd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5";
const CHAIN_URL = process.env.CHAIN_URL ?? "http://127.0.0.1:9090";
const feeLimit = 1_000_000_000;

const tronWeb = new TronWeb({ fullHost: CHAIN_URL, privateKey: process.env.PRIVATE_KEY ?? DEVELOPMENT_KEY });
const owner = tronWeb.defaultAddress;
const evmAddress = (hex) => `0x${hex.slice(2)}`;

/** Runs cast and returns its output, or its error message if it fails. */
function cast(command, ...rest) {
  const { stdout, stderr } = spawnSync("cast", [command, "--rpc-url", `${CHAIN_URL}/jsonrpc`, ...rest], { encoding: "utf8" });
  return (stdout || stderr).trim();
}

// TRON transactions are not those of Ethereum, so TronWeb sends them. cast reads the chain.
describe("Counter, read by cast", function () {
  this.timeout(20_000);
  let counter;
  let txId;

  before(async () => {
    const { abi, bytecode } = JSON.parse(readFileSync("out/Counter.sol/Counter.json", "utf8"));
    const deployment = { abi, bytecode: bytecode.object.slice(2), feeLimit };
    const unsigned = await tronWeb.transactionBuilder.createSmartContract(deployment);
    await send(unsigned);
    counter = unsigned.contract_address;
    const step = [{ type: "uint256", value: 4 }];
    const call = await tronWeb.transactionBuilder.triggerSmartContract(counter, "increase(uint256)", { feeLimit }, step, owner.hex);
    txId = await send(call.transaction);
  });

  it("finds the deployed code", () => {
    const { deployedBytecode } = JSON.parse(readFileSync("out/Counter.sol/Counter.json", "utf8"));

    assert.equal(cast("code", evmAddress(counter)), deployedBytecode.object);
  });

  it("calls a view function", () => {
    assert.equal(cast("call", evmAddress(counter), "count()(uint256)"), "4");
  });

  it("reads the storage slot of the count", () => {
    assert.equal(BigInt(cast("storage", evmAddress(counter), "0")), 4n);
  });

  it("finds the receipt and the event", () => {
    assert.match(cast("receipt", `0x${txId}`, "status"), /^(1|true)/);
    const [event] = JSON.parse(cast("logs", "--json", "--from-block", "0", "--address", evmAddress(counter)));
    assert.equal(event.transactionHash, `0x${txId}`);
    assert.equal(BigInt(event.data), 4n);
  });

  it("reads the balance of an account in sun", async () => {
    const receiver = tronWeb.utils.accounts.generateAccount().address;
    await send(await tronWeb.transactionBuilder.sendTrx(receiver.base58, 7_000_000, owner.hex));

    assert.equal(cast("balance", evmAddress(receiver.hex)), "7000000");
  });

  it("shows the custom error of a call that fails", () => {
    const selector = tronWeb.utils.ethersUtils.id("StepTooLarge(uint256)").slice(0, 10);

    assert.match(cast("call", evmAddress(counter), "increase(uint256)", "11"), new RegExp(`${selector}0*b"`));
  });
});

/** Signs and broadcasts a transaction. The chain of `--tre` makes a block for it at once. */
async function send(unsigned) {
  const { result, txid } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned));
  assert.equal(result, true);
  return txid;
}
