import assert from "node:assert/strict";
import { builderRoutes, deployRoutes } from "../../../packages/local-chain/src/routes/builders.ts";
import { contractCallRoutes } from "../../../packages/local-chain/src/routes/contract-calls.ts";
import { keyFor } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, parseAddress, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";
import { addressAt, DAY_MS } from "./build-and-send.ts";
import type { TestChain } from "./test-chain.ts";
import { personOf } from "./voting-fixture.ts";

const COIN = 1_000_000;
const TOKEN = "1000001";

/** Builders of the chain that make one contract type, by their paths. */
export const builders = [...builderRoutes, ...deployRoutes, ...contractCallRoutes].flatMap(({ name, builds }) =>
  builds === undefined ? [] : [{ name, builds }],
);

/** A key that signs, and its address in the form of the walk. */
interface Signer {
  readonly address: string;
  readonly key: PrivateKey;
}

/** A request to a builder; the first account signs unless another signer is named. */
interface Step {
  readonly path: string;
  readonly body: JsonObject;
  readonly signer?: Signer;
}

/** Builds, signs and sends one transaction of each contract type. */
export class BuilderWalk {
  readonly accepted = new Set<string>();
  readonly #chain: TestChain;
  readonly #visible: boolean;

  constructor(chain: TestChain, visible: boolean) {
    this.#chain = chain;
    this.#visible = visible;
  }

  async run(): Promise<void> {
    await this.#accounts();
    await this.#stakes();
    await this.#tokens();
    await this.#trade();
    await this.#contracts();
    await this.#witnesses();
    await this.#lateSteps();
  }

  async #accounts(): Promise<void> {
    const newcomer = `41${"ab".repeat(20)}`;
    await this.#send({ path: "createtransaction", body: { to_address: this.#account(1), amount: 5 } });
    const memo = this.#name("größer “memo”");
    await this.#send({
      path: "createtransaction",
      body: { to_address: this.#account(1), amount: 5, extra_data: memo },
    });
    await this.#send({ path: "createaccount", body: { account_address: this.#address(newcomer) } });
    await this.#send({ path: "updateaccount", body: { account_name: this.#name("Größe “1”") } });
    await this.#send({ path: "setaccountid", body: { account_id: this.#name("account-id-1") } });
    const permission = { threshold: 1, keys: [{ address: this.#account(0), weight: 1 }] };
    const operations = `7fff1fc0033e0100${"00".repeat(24)}`;
    await this.#send({
      path: "accountpermissionupdate",
      body: {
        owner: { type: 0, permission_name: "owner", ...permission },
        actives: [{ type: 2, permission_name: "active", operations, ...permission }],
      },
    });
  }

  async #stakes(): Promise<void> {
    const energy = { resource: "ENERGY" };
    const receiver = { receiver_address: this.#account(1) };
    await this.#send({ path: "freezebalancev2", body: { frozen_balance: 1000 * COIN, ...energy } });
    await this.#send({ path: "delegateresource", body: { balance: 10 * COIN, ...energy, ...receiver, lock: false } });
    await this.#send({ path: "undelegateresource", body: { balance: 10 * COIN, ...energy, ...receiver } });
    await this.#send({ path: "unfreezebalancev2", body: { unfreeze_balance: 10 * COIN, ...energy } });
    await this.#send({ path: "cancelallunfreezev2", body: {} });
    await this.#send({ path: "freezebalancev2", body: { frozen_balance: 100 * COIN, resource: "TRON_POWER" } });
    await this.#send({ path: "unfreezebalancev2", body: { unfreeze_balance: 5 * COIN, ...energy } });
    const { witnesses } = await this.#chain.ask("/wallet/listwitnesses");
    const votes = (witnesses as JsonObject[]).slice(0, 2).map(({ address }) => ({
      vote_address: this.#address(String(address)),
      vote_count: 3,
    }));
    await this.#send({ path: "votewitnessaccount", body: { votes } });
  }

  async #tokens(): Promise<void> {
    const start = this.#chain.simulation.chain.head.header.timestamp + 9000;
    const names = { name: this.#name("Coin"), abbr: this.#name("CN"), url: this.#name("http://t.invalid") };
    await this.#send({
      path: "createassetissue",
      body: {
        ...names,
        description: this.#name("über “sie”"),
        total_supply: 1_000_000,
        frozen_supply: [{ frozen_amount: 10, frozen_days: 1 }],
        precision: 2,
        trx_num: 10,
        num: 3,
        start_time: start,
        end_time: start + 30 * DAY_MS,
      },
    });
    const asset_name = this.#name(TOKEN);
    await this.#send({ path: "transferasset", body: { to_address: this.#account(1), asset_name, amount: 7 } });
    const changes = { url: this.#name("http://u.invalid"), description: this.#name("neu") };
    await this.#send({ path: "updateasset", body: { ...changes, new_limit: 1, new_public_limit: 2 } });
    this.#chain.simulation.chain.warp(DAY_MS * 2);
    this.#chain.mine();
    const purchase = { to_address: this.#account(0), asset_name, amount: 100 };
    await this.#send({ path: "participateassetissue", body: purchase, signer: this.#signer(1) });
    await this.#send({ path: "unfreezeasset", body: {} });
  }

  async #trade(): Promise<void> {
    const [token, coin] = [this.#name(TOKEN), this.#name("_")];
    await this.#send({
      path: "exchangecreate",
      body: { first_token_id: token, first_token_balance: 1000, second_token_id: coin, second_token_balance: 1000 },
    });
    const part = { exchange_id: 1, token_id: token, quant: 100 };
    await this.#send({ path: "exchangeinject", body: part });
    await this.#send({ path: "exchangewithdraw", body: part });
    await this.#send({ path: "exchangetransaction", body: { ...part, expected: 1 } });
    const offer = { sell_token_id: token, sell_token_quantity: 10, buy_token_id: coin, buy_token_quantity: 10_000 };
    const id = await this.#send({ path: "marketsellasset", body: offer });
    const { orderId } = await this.#chain.ask("/wallet/gettransactioninfobyid", { value: id });
    await this.#send({ path: "marketcancelorder", body: { order_id: orderId ?? null } });
  }

  async #contracts(): Promise<void> {
    const input = { name: "x", type: "uint256", indexed: false };
    const abi = [{ name: "stop", type: "Function", stateMutability: "Payable", payable: true, inputs: [input] }];
    await this.#send({
      path: "deploycontract",
      body: {
        abi: JSON.stringify(abi),
        bytecode: "600060005360016000f3",
        name: "Größe “2”",
        fee_limit: 1000 * COIN,
        call_value: 0,
        consume_user_resource_percent: 40,
        origin_energy_limit: 1000,
      },
    });
    const deployed = this.#chain.simulation.chain.head.transactions.at(-1)?.info?.outcome?.contractAddress ?? "";
    const contract = { contract_address: this.#address(deployed) };
    const call = { function_selector: "stop(uint256)", parameter: "11".repeat(32), fee_limit: 10 * COIN };
    await this.#send({ path: "triggersmartcontract", body: { ...contract, ...call } });
    await this.#send({ path: "updatesetting", body: { ...contract, consume_user_resource_percent: 10 } });
    await this.#send({ path: "updateenergylimit", body: { ...contract, origin_energy_limit: 500 } });
    await this.#send({ path: "clearabi", body: contract });
  }

  async #witnesses(): Promise<void> {
    const { faucet } = this.#chain.simulation;
    const rich = this.#signerOf(faucet.hex, hexToBytes(faucet.privateKey) as PrivateKey);
    const { key, address } = personOf(keyFor("test", "witness 0"));
    const producer = this.#signerOf(address, key);
    const candidate = this.#signer(2);
    for (const { address: to_address } of [producer, candidate]) {
      await this.#send({ path: "createtransaction", body: { to_address, amount: 20_000 * COIN }, signer: rich });
    }
    const url = this.#name("http://w.invalid/größer");
    await this.#send({ path: "createwitness", body: { url }, signer: candidate });
    await this.#send({ path: "updatewitness", body: { update_url: url }, signer: candidate });
    await this.#send({ path: "updateBrokerage", body: { brokerage: 30 }, signer: producer });
    const parameters = [{ key: 0, value: 90_000 }];
    await this.#send({ path: "proposalcreate", body: { parameters }, signer: producer });
    const proposal_id = this.#chain.simulation.chain.pendingState.totals.newestProposal;
    const approval = { proposal_id, is_add_approval: true };
    await this.#send({ path: "proposalapprove", body: approval, signer: producer });
    await this.#send({ path: "proposaldelete", body: { proposal_id }, signer: producer });
  }

  /** Withdraws unstaked coins and rewards, which take time. */
  async #lateSteps(): Promise<void> {
    this.#chain.simulation.chain.warp(15 * DAY_MS);
    this.#chain.mine(60);
    await this.#send({ path: "withdrawexpireunfreeze", body: {} });
    await this.#send({ path: "withdrawbalance", body: {} });
  }

  /** Builds with the named builder and, where it can, with createCommonTransaction; sends the first. */
  async #send({ path, body, signer = this.#signer(0) }: Step): Promise<TxId> {
    const { builds } = builders.find(({ name }) => name === path) ?? {};
    assert.ok(builds, path);
    const request = { visible: this.#visible, owner_address: signer.address, ...body };
    if (builderRoutes.some(({ name }) => name === path)) {
      const named = await this.#chain.ask("/wallet/createCommonTransaction", { contractType: builds, ...request });
      await this.#check(path, named, signer);
    }
    const answer = await this.#chain.ask(`/wallet/${path}`, request);
    const signed = await this.#check(path, (answer.transaction as JsonObject | undefined) ?? answer, signer);
    const id = String(signed.txID) as TxId;
    const sent = await this.#chain.ask("/wallet/broadcasttransaction", signed);
    assert.deepEqual(sent, { result: true, txid: id }, path);
    this.#chain.mine();
    const { ret } = await this.#chain.ask("/wallet/gettransactionbyid", { value: id });
    assert.deepEqual((ret as JsonObject[])[0], { contractRet: "SUCCESS" }, path);
    this.accepted.add(builds);
    return id;
  }

  /** Signs an answer and asks for its weight and signers. */
  async #check(path: string, unsigned: JsonObject, { address, key }: Signer): Promise<JsonObject> {
    assert.equal(unsigned.Error, undefined, path);
    assert.equal(unsigned.visible, this.#visible, path);
    const txid = String(unsigned.txID) as TxId;
    const signed = { ...unsigned, signature: [signTransactionId(txid, key)] };
    for (const query of ["getsignweight", "getapprovedlist"]) {
      const { result, approved_list, transaction } = await this.#chain.ask(`/wallet/${query}`, signed);
      const echoed = transaction as JsonObject;
      assert.deepEqual({ result, approved_list }, { result: {}, approved_list: [address] }, `${path} ${query}`);
      assert.equal(echoed.txid, txid, `${path} ${query}`);
      const { raw_data, raw_data_hex } = echoed.transaction as JsonObject;
      assert.deepEqual(
        { raw_data, raw_data_hex },
        { raw_data: unsigned.raw_data, raw_data_hex: unsigned.raw_data_hex },
      );
    }
    return signed;
  }

  #signer(index: number): Signer {
    const { hex, privateKey } = this.#chain.accounts[index] ?? {};
    assert.ok(hex && privateKey);
    return this.#signerOf(hex, hexToBytes(privateKey) as PrivateKey);
  }

  #signerOf(address: Address, key: PrivateKey): Signer {
    return { address: this.#address(address), key };
  }

  #account(index: number): string {
    return this.#address(addressAt(this.#chain, index));
  }

  #address(hex: string): string {
    return this.#visible ? toBase58(parseAddress(hex)) : hex;
  }

  #name(text: string): string {
    return this.#visible ? text : Buffer.from(text, "utf8").toString("hex");
  }
}
