import { utils } from "tronweb";
import { faucetTransfer } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes, sha256, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { Json, JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import {
  addressOfPrivateKey,
  type PrivateKey,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";
import { type TestChain, testChain } from "../chain/test-chain.ts";
import { differences, type Scenario, ScenarioNames, type Step } from "./scenario.ts";
import { messageText, ScenarioViews } from "./scenario-views.ts";

const SUN = 1_000_000;
/** Stake of a rich account from the start: staked resources are a share of the total. */
const BACKGROUND_STAKE = 100_000_000_000_000n;
const RICH_BALANCE = 1_000_000_000_000_000n;
/** No scenario has an account of this name. */
const RICH_NAME = "the rich account";
const RICH = keyOf(RICH_NAME);
const ZERO_ADDRESS = `41${"0".repeat(40)}`;

interface Replay {
  readonly steps: number;
  readonly matched: number;
  /** A line for each field that is not as it was recorded. */
  readonly differences: readonly string[];
  readonly chain: TestChain;
}

/** Looks at a transaction of a step before it is sent. */
export type BeforeSending = (rawDataHex: string, step: Step, chain: TestChain) => Promise<void>;

/** Looks at a constant call or an estimate and its answer. */
export type AfterCalling = (call: JsonObject, answer: JsonObject, chain: TestChain) => Promise<void>;

/** Callbacks for the steps of a scenario. */
interface ReplayHooks {
  readonly beforeSending?: BeforeSending;
  readonly afterCalling?: AfterCalling;
}

/** Runs a scenario on a chain of its own. */
export async function replayScenario(scenario: Scenario, hooks: ReplayHooks = {}): Promise<Replay> {
  const player = await ScenarioPlayer.start(scenario, hooks);
  const found: string[] = [];
  let matched = 0;
  for (const step of scenario.steps) {
    const lines = differences(step, await player.run(step));
    if (lines.length === 0) matched += 1;
    found.push(...lines.map((it) => `${scenario.name}/${it}`));
  }
  return { steps: scenario.steps.length, matched, differences: found, chain: player.chain };
}

function keyOf(name: string): PrivateKey {
  return sha256(new TextEncoder().encode(`scenario ${name}`)) as PrivateKey;
}

class ScenarioPlayer {
  readonly #scenario: Scenario;
  readonly #hooks: ReplayHooks;
  readonly #chain: TestChain;
  readonly #names: ScenarioNames;
  readonly #views: ScenarioViews;
  readonly #keys = new Map<string, PrivateKey>();
  /** By step. */
  readonly #sent = new Map<string, JsonObject>();

  private constructor(scenario: Scenario, chain: TestChain, genesis: string, hooks: ReplayHooks) {
    this.#scenario = scenario;
    this.#hooks = hooks;
    this.#chain = chain;
    this.#names = new ScenarioNames(genesis.slice(-8).padStart(64, "0"));
    this.#views = new ScenarioViews(this.#names);
  }

  get chain(): TestChain {
    return this.#chain;
  }

  static async start(scenario: Scenario, hooks: ReplayHooks): Promise<ScenarioPlayer> {
    const stake = { bandwidth: BACKGROUND_STAKE, energy: BACKGROUND_STAKE };
    const chain = await testChain({
      parameters: scenario.chainParameters,
      genesisAccounts: [{ address: addressOfPrivateKey(RICH), balance: RICH_BALANCE, stake }],
    });
    const genesis = chain.simulation.chain.block(0)?.id ?? "";
    const player = new ScenarioPlayer(scenario, chain, genesis, hooks);
    for (const [name, account] of Object.entries(scenario.accounts)) player.#open(name, account);
    chain.mine();
    return player;
  }

  async run(step: Step): Promise<Json> {
    switch (step.do) {
      case "deploy":
        return await this.#transact(step, "deploycontract", this.#deployment(step));
      case "call": {
        const { feeLimit } = step;
        const body = { ...this.#call(step), ...(feeLimit !== undefined && { fee_limit: feeLimit }) };
        return await this.#transact(step, "triggersmartcontract", body);
      }
      case "constant":
        return this.#views.constant(await this.#constant(step), step);
      case "estimate":
        return this.#views.constant(await this.#called("/wallet/estimateenergy", this.#call(step)), step);
      case "balance":
        return this.#views.account(await this.#ask("getaccount", { address: this.#address(step.of) }));
      case "contract":
        return this.#views.contract(await this.#ask("getcontract", { value: this.#address(step.contract) }));
      case "resend":
        return { broadcast: await this.#broadcast(this.#sent.get(step.step ?? "") ?? {}) };
      case "wait":
        this.#chain.mine(6);
        return {};
      default:
        return await this.#system(step);
    }
  }

  /** The contracts of the system. */
  async #system(step: Step): Promise<Json> {
    const owner_address = this.#address(step.from);
    const { resource = "ENERGY", amountSun: amount } = step;
    switch (step.do) {
      case "transfer": {
        const memo = step.memo === undefined ? {} : { extra_data: Buffer.from(step.memo, "utf8").toString("hex") };
        const body = { owner_address, to_address: this.#address(step.to), amount, ...memo };
        return await this.#transact(step, "createtransaction", body);
      }
      case "freeze": {
        const body = { owner_address, frozen_balance: await this.#stake(step), resource };
        return await this.#withLimit(step, await this.#transact(step, "freezebalancev2", body), step.from);
      }
      case "delegate": {
        const receiver_address = this.#address(step.to);
        const body = { owner_address, receiver_address, balance: await this.#stake(step), resource };
        return await this.#withLimit(step, await this.#transact(step, "delegateresource", body), step.to);
      }
      case "unfreeze":
        return await this.#transact(step, "unfreezebalancev2", { owner_address, unfreeze_balance: amount, resource });
      case "undelegate": {
        const body = { owner_address, receiver_address: this.#address(step.to), balance: amount, resource };
        return await this.#transact(step, "undelegateresource", body);
      }
      default:
        return await this.#setting(step, { owner_address, contract_address: this.#address(step.contract) });
    }
  }

  async #setting(step: Step, addresses: JsonObject): Promise<Json> {
    const { percent, limit } = step;
    if (step.do === "updateSetting") {
      return await this.#transact(step, "updatesetting", { ...addresses, consume_user_resource_percent: percent });
    }
    if (step.do !== "updateEnergyLimit") throw new Error(`${step.id}: nobody knows how to ${step.do}.`);
    return await this.#transact(step, "updateenergylimit", { ...addresses, origin_energy_limit: limit });
  }

  #open(name: string, { fundSun = 0, privateKey }: Scenario["accounts"][string]): void {
    const key = privateKey === undefined ? keyOf(name) : (hexToBytes(privateKey) as PrivateKey);
    const address = addressOfPrivateKey(key);
    this.#keys.set(name, key);
    this.#names.set(name, address);
    if (fundSun > 0) this.#fund(address, fundSun);
  }

  #fund(address: Address, sun: number): void {
    const { chain } = this.#chain.simulation;
    chain.submit(faucetTransfer(chain, RICH, address, { amount: BigInt(sun) }));
  }

  #address(name: string | undefined): string {
    return name === undefined ? ZERO_ADDRESS : this.#names.address(name);
  }

  async #ask(path: string, body: JsonObject): Promise<JsonObject> {
    return await this.#chain.ask(`/wallet/${path}`, body);
  }

  async #constant(step: Step): Promise<JsonObject> {
    const side = step.on === "solidity" ? "walletsolidity" : "wallet";
    return await this.#called(`/${side}/triggerconstantcontract`, this.#call(step));
  }

  async #called(path: string, call: JsonObject): Promise<JsonObject> {
    const answer = await this.#chain.ask(path, call);
    if (!path.startsWith("/walletsolidity")) await this.#hooks.afterCalling?.(call, answer, this.#chain);
    return answer;
  }

  #call(step: Step): JsonObject {
    const { contract, callValue } = step;
    return {
      owner_address: this.#address(step.from),
      ...(contract !== undefined && { contract_address: this.#address(contract) }),
      ...this.#data(step),
      ...(callValue !== undefined && callValue !== 0 && { call_value: callValue }),
    };
  }

  #data(step: Step): JsonObject {
    if (step.function === undefined) return { data: this.#names.fill(step.data ?? "") };
    const { selector, signature, parameter } = encodeArguments(step.function, step.args ?? [], this.#names);
    return step.asData === true ? { data: selector + parameter } : { function_selector: signature, parameter };
  }

  #deployment(step: Step): JsonObject {
    const contract = this.#scenario.contracts[step.contract ?? ""];
    if (contract === undefined) throw new Error(`${step.id}: there is no contract ${step.contract}.`);
    const parameter = encodeConstructor(contract.abi ?? [], step.args ?? [], this.#names);
    return {
      owner_address: this.#address(step.from),
      abi: JSON.stringify(step.noAbi === true ? [] : (contract.abi ?? [])),
      bytecode: this.#names.fill(contract.bytecode),
      ...(parameter !== "" && { parameter }),
      name: step.name ?? step.contract,
      fee_limit: step.feeLimit,
      call_value: step.callValue ?? 0,
      consume_user_resource_percent: step.deployParams?.consume_user_resource_percent ?? 100,
      origin_energy_limit: step.deployParams?.origin_energy_limit ?? 10_000_000,
    };
  }

  /** Builds, signs and sends; then the block, and what it did. */
  async #transact(step: Step, path: string, body: JsonObject): Promise<JsonObject> {
    const built = await this.#ask(path, body);
    const transaction = (built.transaction ?? built) as JsonObject;
    if (transaction.raw_data_hex === undefined) return { build: this.#buildRefusal(built) };
    if (built.constant_result !== undefined) return { constant: this.#views.constant(built, step) };
    if (step.do === "deploy") {
      this.#names.set(step.as ?? step.contract ?? "", parseAddress(String(transaction.contract_address)));
    }
    await this.#hooks.beforeSending?.(String(transaction.raw_data_hex), step, this.#chain);
    const signed = this.#signed(step, transaction);
    const answer = await this.#broadcast(signed);
    if (answer.result !== true) return { broadcast: answer };
    this.#sent.set(step.id, signed);
    this.#chain.mine();
    return this.#views.info(await this.#ask("gettransactioninfobyid", { value: signed.txID }), step);
  }

  #buildRefusal({ Error: error, result }: JsonObject): Json {
    return error === undefined ? this.#views.refusal(result as JsonObject) : (this.#views.text(error) ?? "");
  }

  #signed({ from = "" }: Step, transaction: JsonObject): JsonObject {
    const key = this.#keys.get(from);
    if (key === undefined) throw new Error(`${from} has no key.`);
    const txID = transactionId(hexToBytes(String(transaction.raw_data_hex)));
    return { ...transaction, txID, signature: [signTransactionId(txID, key)] };
  }

  async #broadcast(signed: JsonObject): Promise<JsonObject> {
    const answer = await this.#ask("broadcasttransaction", signed);
    return this.#views.refusal(answer);
  }

  /** Sun to stake, by what it is to give. */
  async #stake(step: Step): Promise<number> {
    if (step.amountSun !== undefined) return step.amountSun;
    const { targetEnergy: energy, targetBandwidth: bandwidth = 0, exact = false } = step;
    const totals = await this.#ask("getaccountresource", { address: addressOfPrivateKey(RICH) });
    const [limit, weight] =
      energy === undefined
        ? [Number(totals.TotalNetLimit), Number(totals.TotalNetWeight)]
        : [Number(totals.TotalEnergyLimit), Number(totals.TotalEnergyWeight)];
    const target = (energy ?? bandwidth) + 0.5;
    const coins = (target * weight) / (limit - target);
    if (!exact) return Math.round(coins * SUN);
    const whole = Math.ceil(coins);
    const more = Math.round((whole * limit) / target - weight - whole);
    if (more >= 1) await this.#stakeMore(more, energy === undefined ? "BANDWIDTH" : "ENERGY");
    return whole * SUN;
  }

  /** The rich account stakes, so that whole coins give just what is wanted. */
  async #stakeMore(coins: number, resource: string): Promise<void> {
    this.#keys.set(RICH_NAME, RICH);
    const owner_address = addressOfPrivateKey(RICH);
    const built = await this.#ask("freezebalancev2", { owner_address, frozen_balance: coins * SUN, resource });
    const step = { id: RICH_NAME, do: "freeze", from: RICH_NAME };
    const answer = await this.#broadcast(this.#signed(step, built));
    if (answer.result !== true) throw new Error(`The rich account cannot stake: ${messageText(answer.message)}`);
    this.#chain.mine();
  }

  async #withLimit(step: Step, view: JsonObject, name: string | undefined): Promise<JsonObject> {
    if (view.receipt === undefined || view.result === "FAILED") return view;
    const resources = await this.#ask("getaccountresource", { address: this.#address(name) });
    return {
      ...view,
      ...(step.targetEnergy !== undefined && { energyLimit: resources.EnergyLimit ?? 0 }),
      ...(step.targetBandwidth !== undefined && { netLimit: resources.NetLimit ?? 0 }),
    };
  }
}

const { AbiCoder, Interface, keccak256 } = utils.ethersUtils;
const coder = AbiCoder.defaultAbiCoder();

interface EncodedCall {
  readonly signature: string;
  /** Four bytes in hex. */
  readonly selector: string;
  readonly parameter: string;
}

/** Encodes the arguments of a call with an independent encoder. */
function encodeArguments(declared: string, args: readonly Json[], names: ScenarioNames): EncodedCall {
  const signature = declared.replaceAll(/\s/g, "");
  const types = new Interface([`function f${signature.slice(signature.indexOf("("))}`]).getFunction("f")?.inputs ?? [];
  const parameter = coder
    .encode(
      types.map((it) => it.format("full")),
      args.map((it) => plain(it, names)),
    )
    .slice(2);
  return { signature, selector: keccak256(Buffer.from(signature)).slice(2, 10), parameter };
}

function encodeConstructor(abi: readonly JsonObject[], args: readonly Json[], names: ScenarioNames): string {
  if (args.length === 0) return "";
  const entry = abi.find((it) => it.type === "constructor");
  const types = new Interface(entry === undefined ? [] : [entry]).deploy.inputs;
  return coder
    .encode(
      types.map((it) => it.format("full")),
      args.map((it) => plain(it, names)),
    )
    .slice(2);
}

/** An argument without the names in it. */
function plain(value: Json | undefined, names: ScenarioNames): unknown {
  if (Array.isArray(value)) return value.map((it: Json) => plain(it, names));
  if (typeof value === "string" && value.startsWith("0x")) return `0x${names.fill(value.slice(2))}`;
  if (typeof value !== "object" || value === null) return value;
  const { $address: address, $bytes: bytes, $repeat: repeat } = value as JsonObject;
  if (address !== undefined) return `0x${names.digits(String(address))}`;
  if (bytes !== undefined) return `0x${names.fill(String(bytes))}`;
  if (!Array.isArray(repeat)) return value;
  return `0x${String(repeat[0]).repeat(Number(repeat[1]))}`;
}
