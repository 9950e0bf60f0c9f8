import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { TronWeb, utils } from "tronweb";
import { compile } from "./compile.js";

// Public development key of TronBox's runtime environment, which `finality-chain --tre` funds. Not for other networks.
const DEVELOPMENT_KEY = "dd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5";
const FEE_LIMIT = 1_000_000_000;

const tronWeb = new TronWeb({
  fullHost: process.env.CHAIN_URL ?? "http://127.0.0.1:9090",
  privateKey: process.env.PRIVATE_KEY ?? DEVELOPMENT_KEY,
});
const voter = tronWeb.defaultAddress.base58;

describe("Poll", function () {
  this.timeout(20_000);
  const { abi, bytecode } = compile("Poll");
  let address;
  let poll;

  before(async () => {
    const parameters = [["tea", "coffee"]];
    const unsigned = await tronWeb.transactionBuilder.createSmartContract({ abi, bytecode, parameters, feeLimit: FEE_LIMIT });
    const receipt = await send(unsigned);
    assert.equal(receipt.receipt.result, "SUCCESS");
    address = TronWeb.address.fromHex(receipt.contract_address);
    poll = tronWeb.contract(abi, address);
  });

  it("starts without votes", async () => {
    assert.equal(await poll.options(1).call(), "coffee");
    assert.equal(await poll.votes(1).call(), 0n);
  });

  it("counts a vote, for the energy that the chain estimated", async () => {
    const builder = tronWeb.transactionBuilder;
    const { energy_used } = await builder.triggerConstantContract(address, ...voteFor(1), voter);

    const { receipt, log } = await send((await builder.triggerSmartContract(address, ...voteFor(1), voter)).transaction);

    assert.equal(receipt.result, "SUCCESS");
    assert.equal(receipt.energy_usage_total, energy_used);
    assert.equal(await poll.votes(1).call(), 1n);
    assert.equal(log[0].topics[0], utils.ethersUtils.id("Voted(address,uint256)").slice(2));
  });

  it("refuses a second vote of an account", async () => {
    const call = await tronWeb.transactionBuilder.triggerSmartContract(address, ...voteFor(0), voter);
    const { receipt, contractResult } = await send(call.transaction);

    assert.equal(receipt.result, "REVERT");
    assert.equal(contractResult[0].slice(0, 8), utils.ethersUtils.id("AlreadyVoted(address)").slice(2, 10));
    assert.equal(await poll.votes(0).call(), 0n);
  });
});

const voteFor = (option) => ["vote(uint256)", { feeLimit: FEE_LIMIT }, [{ type: "uint256", value: option }]];

/** Signs and broadcasts a transaction, and returns its receipt once it is in a block. */
async function send(unsigned) {
  await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned));
  for (;;) {
    const receipt = await tronWeb.trx.getUnconfirmedTransactionInfo(unsigned.txID);
    if (receipt.id !== undefined) return receipt;
    await setTimeout(100);
  }
}
