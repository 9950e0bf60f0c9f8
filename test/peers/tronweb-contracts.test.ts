import assert from "node:assert/strict";
import type { TronWeb, Types } from "tronweb";
import { recordedT } from "../support/recorded/exchanges.ts";
import { TronWebChain } from "./tronweb-chain.ts";

const COIN = 1_000_000;
const FEE_LIMIT = 1000 * COIN;
const { abi, bytecode } = recordedT().source;
const ABI = abi as unknown as Types.ContractAbiInterface;
/** Operations of an active permission that allows contract calls (31) only. */
const ONLY_CALLS = `00000080${"00".repeat(28)}`;

describe("TronWeb with contracts", () => {
  let chain: TronWebChain;
  let tronWeb: TronWeb;
  /** Address of the contract of most tests, in hex. */
  let address: string;

  before(async () => {
    // TronWeb extends a transaction only if its expiration is ahead of the local clock.
    chain = await TronWebChain.start({ seed: "tronweb contracts", startTime: Date.now() });
    tronWeb = chain.client();
    address = await deployed(await build().createSmartContract(deployment(1), account(0).hex));
  });
  after(() => chain.close());

  const account = (index: number) => chain.account(index);
  const build = () => tronWeb.transactionBuilder;
  const mine = (blocks = 6): Promise<void> => chain.mine(blocks);
  const send = (unsigned: Types.Transaction): Promise<Types.TransactionInfo> => chain.send(tronWeb, unsigned);
  const deployment = (x: number) => ({
    abi: ABI,
    bytecode,
    name: "T",
    parameters: [x],
    feeLimit: FEE_LIMIT,
    userFeePercentage: 30,
    originEnergyLimit: 10_000_000,
  });
  const deployed = async (unsigned: Types.Transaction & { contract_address: string }): Promise<string> => {
    const info = await send(unsigned);
    assert.equal(info.receipt.result, "SUCCESS");
    assert.equal(info.contract_address, unsigned.contract_address);
    return info.contract_address;
  };
  const infoOf = async (id: string): Promise<Types.TransactionInfo> => {
    await mine();
    return tronWeb.trx.getTransactionInfo(id);
  };
  const contractHere = () => chain.methods.contract(tronWeb.contract(ABI, address));
  const selector = "set(uint256)";
  const five = [{ type: "uint256", value: 5 }];

  it("deploys with createSmartContract, and reads the contract back", async () => {
    const unsigned = await build().createSmartContract(deployment(7), account(0).hex);
    const info = await send(unsigned);
    assert.equal(info.receipt.energy_usage_total, 701_182, "as on the recorded chain");
    const found = await tronWeb.trx.getContract(unsigned.contract_address);
    assert.equal(found.name, "T");
    assert.equal(found.consume_user_resource_percent, 30);
    assert.equal(found.abi.entrys.length, abi.length);
    const about = await tronWeb.trx.getContractInfo(unsigned.contract_address);
    assert.equal(about.runtimecode, recordedT().runtimeCode);
    const transaction = await tronWeb.trx.getTransaction(unsigned.txID);
    assert.equal(transaction.ret?.[0]?.contractRet, "SUCCESS");
  });

  it("deploys with contract().new, and loads with contract().at", async () => {
    const made = await chain.methods.contract(tronWeb.contract()).new({ ...deployment(42) });
    await mine();
    const loaded = await chain.methods.contract(tronWeb.contract()).at(String(made.address));
    const [x, self] = (await methodOf(loaded, "get")().call()) as readonly [bigint, string];
    assert.equal(x, 42n);
    assert.equal(tronWeb.address.toHex(self), made.address);
  }).timeout(20_000);

  it("sends contract().methods.set() and reads with call(), by name, selector and signature", async () => {
    const contract = contractHere();
    const id = await methodOf(contract, "set")(5).send({ feeLimit: FEE_LIMIT });
    const info = await infoOf(id);
    assert.equal(info.receipt.energy_usage_total, 28_057, "as on the recorded chain");
    assert.equal(BigInt(`0x${info.contractResult[0]}`), 6n);
    assert.equal(await methodOf(contract, "x")().call(), 5n);
    assert.equal(await methodOf(contract, "bal(address)")(account(0).address).call(), 5n);
    assert.equal(await methodOf(contract, "str")().call(), "a string result");
    const { raw_data } = await tronWeb.trx.getTransaction(id);
    const { data } = (raw_data.contract[0]?.parameter.value ?? {}) as { data?: string };
    assert.deepEqual(contract.decodeInput(String(data)).params[0], 5n);
  });

  it("reads and writes through contract().read and contract().write", async () => {
    const { read, write } = contractHere();
    const id = await functionOf(write, "set")([21], { feeLimit: FEE_LIMIT });
    assert.equal((await infoOf(String(id))).receipt.result, "SUCCESS");
    assert.equal(await functionOf(read, "x")([]), 21n);
  });

  it("decodes the event of a receipt", async () => {
    const id = await methodOf(contractHere(), "set")(77).send({ feeLimit: FEE_LIMIT });
    const [log] = (await infoOf(id)).log ?? [];
    assert.ok(log);
    assert.equal(`41${log.address}`, address);
    const face = new tronWeb.utils.ethersUtils.Interface(abi as never);
    const event = face.parseLog({ topics: log.topics.map((it) => `0x${it}`), data: `0x${log.data}` });
    assert.equal(event?.name, "Ping");
    assert.equal(tronWeb.address.toHex(String(event.args.who).replace("0x", "41")), account(0).hex);
    assert.deepEqual([event.args.n, event.args.s], [77n, "hello"]);
    assert.deepEqual(tronWeb.utils.abi.decodeParams([], ["string"], `0x${log.data}`), ["hello"]);
  });

  it("finds the event by contract, by transaction, by block and in the latest block", async () => {
    const { event } = tronWeb;
    const id = await contractHere().methods.set?.(6).send({ feeLimit: FEE_LIMIT });
    await mine(1);
    const block = await tronWeb.trx.getCurrentBlock();
    const height = block.block_header.raw_data.number;
    const answers = await Promise.all([
      event.getEventsByContractAddress(address, { eventName: "Ping", blockNumber: height }),
      event.getEventsByTransactionID(String(id)),
      event.getEventsByBlockNumber(height),
      event.getEventsOfLatestBlock(),
    ]);
    for (const { data } of answers) {
      assert.deepEqual(
        data?.map((it) => [it.transaction_id, it.event_name, it.block_number]),
        [[id, "Ping", height]],
      );
    }
    assert.equal(answers[0].data?.[0]?.result["1"], "6");
    assert.deepEqual((await event.getEventsByTransactionID(String(id), { only_confirmed: true })).data, []);
    assert.equal((await tronWeb.isConnected()).eventServer, true);
  });

  it("waits for the result with shouldPollResponse, and reports a failure", async () => {
    const waiting = methodOf(contractHere(), "set")(9).send({ feeLimit: FEE_LIMIT, shouldPollResponse: true });
    await mineWhenPending();
    assert.equal(String(await waiting), "10");
    const failing = methodOf(contractHere(), "custom")().send({ feeLimit: FEE_LIMIT, shouldPollResponse: true });
    const refused = assert.rejects(failing, /REVERT opcode executed/);
    await mineWhenPending();
    await refused;
  }).timeout(30_000);

  const mineWhenPending = async (): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${chain.chain.baseUrl}/wallet/getpendingsize`, { method: "POST", body: "{}" });
      const { pendingSize } = (await answer.json()) as { pendingSize: number };
      if (pendingSize > 0) return mine();
    }
  };

  it("builds a call with triggerSmartContract and a call value", async () => {
    const options = { feeLimit: FEE_LIMIT, callValue: 3 * COIN };
    const built = await build().triggerSmartContract(address, "pay()", options, [], account(0).hex);
    assert.equal(built.result.result, true);
    const info = await send(built.transaction);
    assert.equal(info.receipt.result, "SUCCESS");
    assert.equal(BigInt(`0x${info.contractResult[0]}`), BigInt(3 * COIN));
    assert.equal(await tronWeb.trx.getUnconfirmedBalance(address), 3 * COIN);
    assert.equal(await tronWeb.trx.getBalance(address), 3 * COIN);
  });

  it("returns a custom error in the receipt, and rejects a failing constant call", async () => {
    const built = await build().triggerSmartContract(address, "custom()", { feeLimit: FEE_LIMIT });
    const info = await send(built.transaction);
    assert.equal(info.result, "FAILED");
    assert.equal(info.receipt.result, "REVERT");
    const face = new tronWeb.utils.ethersUtils.Interface(abi as never);
    const error = face.parseError(`0x${info.contractResult[0]}`);
    assert.deepEqual([error?.name, error?.args[0]], ["Custom", 42n]);
    await assert.rejects(build().triggerConstantContract(address, "custom()"), /REVERT opcode executed/);
  });

  it("simulates calls and deployments, and estimates their energy", async () => {
    const tried = await build().triggerConstantContract(address, selector, {}, five, account(3).hex);
    assert.equal(tried.energy_used, 28_057);
    const solid = await build().triggerConfirmedConstantContract(address, selector, {}, five, account(3).hex);
    assert.equal(solid.energy_used, 28_057);
    const estimated = await build().estimateEnergy(address, selector, {}, five, account(3).hex);
    assert.equal(estimated.energy_required, 31_565, "as on the recorded chain");
    const input = bytecode + tronWeb.utils.abi.encodeParams(["uint256"], [7]).slice(2);
    const deploying = await build().deployConstantContract({ input, ownerAddress: account(0).hex });
    assert.equal(deploying.energy_required, 703_921, "as on the recorded chain");
    await assert.rejects(build().estimateEnergy(address, "reqEmpty()"), /REVERT opcode executed/);
  });

  it("updates the energy share, and clears the ABI", async () => {
    const own = await deployed(await build().createSmartContract(deployment(1), account(0).hex));
    await send(await build().updateSetting(own, 60));
    await send(await build().updateEnergyLimit(own, 5_000_000));
    const changed = await tronWeb.trx.getContract(own);
    assert.deepEqual([changed.consume_user_resource_percent, changed.origin_energy_limit], [60, 5_000_000]);
    await send(await build().clearABI(own));
    assert.deepEqual((await tronWeb.trx.getContract(own)).abi, {});
  });

  it("alters a built transaction: memo and expiration", async () => {
    const built = await build().triggerSmartContract(address, selector, { feeLimit: FEE_LIMIT }, five);
    const later = await build().extendExpiration(built.transaction, 60);
    const noted = await build().addUpdateData(later, "why", "utf8");
    const again = await build().newTxID(noted);
    assert.equal(again.txID, noted.txID);
    assert.equal((await send(noted)).receipt.result, "SUCCESS");
  });

  it("activates an account with createAccount", async () => {
    const { address: fresh } = await tronWeb.createAccount();
    await send(await build().createAccount(fresh.base58));
    assert.equal((await tronWeb.trx.getAccount(fresh.base58)).address, fresh.hex.toLowerCase());
  });

  it("requires enough signature weight to call a contract", async () => {
    const [owner, second, third] = [account(4), account(5), account(6)];
    const shared = chain.client(account(4).privateKey);
    const keys = [owner, second, third].map(({ hex }, index) => ({ address: hex, weight: index + 1 }));
    const ownerOnly = [{ address: owner.hex, weight: 1 }];
    const update = await shared.transactionBuilder.updateAccountPermissions(
      owner.hex,
      { type: 0, permission_name: "owner", threshold: 1, keys: ownerOnly },
      undefined,
      [{ type: 2, permission_name: "calls", threshold: 4, operations: ONLY_CALLS, keys }],
    );
    await shared.trx.sendRawTransaction(await shared.trx.sign(update, owner.privateKey));
    await mine();
    assert.equal((await shared.trx.getAccount(owner.hex)).active_permission?.[0]?.threshold, 4);

    const options = { feeLimit: FEE_LIMIT, permissionId: 2 };
    const { transaction } = await shared.transactionBuilder.triggerSmartContract(address, selector, options, five);
    const light = await shared.trx.multiSign(transaction, second.privateKey, 2);
    const weight = await shared.trx.getSignWeight(light, 2);
    assert.deepEqual([weight.result.code, weight.current_weight], ["NOT_ENOUGH_PERMISSION", 2]);
    assert.equal((await shared.trx.sendRawTransaction(light)).code, "SIGERROR");
    const heavy = await shared.trx.multiSign(light, third.privateKey, 2);
    assert.equal((await shared.trx.getSignWeight(heavy, 2)).current_weight, 5);
    assert.equal((await shared.trx.getApprovedList(heavy)).approved_list.length, 2);
    assert.equal((await shared.trx.sendRawTransaction(heavy)).result, true);
    const info = await infoOf(heavy.txID);
    assert.equal(info.receipt.result, "SUCCESS");

    const transfer = await shared.transactionBuilder.sendTrx(third.address, 1, owner.address);
    await assert.rejects(shared.trx.multiSign(transfer, third.privateKey, 2), /Permission denied/);
  });
});

/** Returns a method that TronWeb created from the ABI. */
function methodOf(contract: { readonly methods: object }, name: string): (...values: unknown[]) => OnMethod {
  return functionOf(contract.methods, name) as (...values: unknown[]) => OnMethod;
}

function functionOf(object: object, name: string): (...values: unknown[]) => unknown {
  const method: unknown = Reflect.get(object, name);
  assert.ok(typeof method === "function", name);
  return method as (...values: unknown[]) => unknown;
}

interface OnMethod {
  call(): Promise<unknown>;
  send(options: { readonly feeLimit: number; readonly shouldPollResponse?: boolean }): Promise<string>;
}
