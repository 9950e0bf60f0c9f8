import assert from "node:assert/strict";
import { newContractAccount } from "../../../packages/local-chain/src/chain/account.ts";
import type { Actuator } from "../../../packages/local-chain/src/chain/execution.ts";
import type { GenesisAccount } from "../../../packages/local-chain/src/chain/genesis.ts";
import { availableEnergy, useEnergy } from "../../../packages/local-chain/src/chain/resources.ts";
import { type ChainTransaction, ownerOf } from "../../../packages/local-chain/src/chain/transaction.ts";
import { createSimulation, type Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, addressToBytes, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { BLOCK_INTERVAL_MS } from "../../../packages/tron/src/primitives/block.ts";
import { hex, hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../../packages/tron/src/primitives/json.ts";
import {
  DelegateResourceContractSchema,
  type SmartContract,
  SmartContractSchema,
  TriggerSmartContractSchema,
  UnDelegateResourceContractSchema,
} from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import type { PrivateKey } from "../../../packages/tron/src/transaction/signature.ts";
import { messageFromJson } from "../../../packages/tron/src/transaction/transaction-json.ts";
import { signedContract } from "../chain/contract-fixture.ts";
import { answer } from "../fakes/chain-answer.ts";
import { bodyText, Translation } from "./chain-replay.ts";
import { cycleAt } from "./contract-recordings.ts";
import { answerDifferences, timeOf } from "./exchange-replay.ts";
import { loadExchanges, loadRecordedKeys, type RecordedExchange } from "./exchanges.ts";

const ENERGY = 1;
/** The height and the time of one recorded block: this chain has the same heights at the same times. */
const KNOWN_BLOCK = { height: 320, timestamp: 1_795_231_362_000 };
const coins = (amount: number): bigint => BigInt(amount) * 1_000_000n;

/**
 * Values, not names, of what a node tells of its machine and its connections, and a count of cycles since its chain
 * began.
 */
const OF_ANOTHER_NODE =
  /^\.(?:machineInfo\.\w+|configNodeInfo\.(?:listenPort|backupListenPort|maxConnectCount|sameIpMaxConnectCount)|contract_state\.update_cycle): .* became /;

/** A request, and the differences of its answer from the recorded one. */
export interface ReplayedAnswer {
  readonly name: string;
  readonly found: readonly string[];
  /** The staking account as it was shown at that time. */
  readonly account: JsonObject;
}

export async function replayResources(exchanges: readonly RecordedExchange[]): Promise<readonly ReplayedAnswer[]> {
  const simulation = await recordedChain();
  const translation = new Translation(simulation.chain);
  const answers: ReplayedAnswer[] = [];
  for (const exchange of exchanges) {
    mineTo(simulation, timeOf(exchange));
    const body = bodyText(translation.body(exchange, false));
    const account = await accountShown(simulation);
    const differences = await answerDifferences(simulation, translation, withoutPriceHistory(exchange), body);
    const found = differences.filter((it) => !OF_ANOTHER_NODE.test(it));
    answers.push({ name: exchange.case, found, account });
  }
  return answers;
}

async function accountShown(simulation: Simulation): Promise<JsonObject> {
  const path = "/wallet/getaccount";
  const request = new Request(`http://chain${path}`, {
    method: "POST",
    body: JSON.stringify({ address: addressOf("heidi") }),
  });
  const input = await answer(request, path, simulation);
  const json = input.kind === "answer" ? parseJson(await input.response.text()) : null;
  assert.ok(isJsonObject(json));
  return json;
}

async function recordedChain(): Promise<Simulation> {
  const genesisAccounts: readonly GenesisAccount[] = [
    { address: addressOf("heidi"), balance: coins(3000) },
    { address: addressOf("dave"), balance: coins(25) },
    {
      address: addressOf("whale"),
      balance: 0n,
      stake: { bandwidth: coins(5_000_000_000), energy: coins(5_000_000_000) },
    },
    { address: addressOf("carol"), balance: 0n, stake: { bandwidth: 0n, energy: coins(1_045_000) } },
  ];
  const simulation = await createSimulation({
    seed: "recorded",
    blockTimeMs: 0,
    accounts: 0,
    genesisAccounts,
    startTime: KNOWN_BLOCK.timestamp - (KNOWN_BLOCK.height - 1) * BLOCK_INTERVAL_MS,
    actuators: { TriggerSmartContract: usesAllEnergy },
  });
  for (const exchange of loadExchanges("resources")) putContract(simulation, exchange);
  putUnsolidified(simulation, addressOf("dave"));
  return simulation;
}

/** An account that was activated so late that its block was not solidified. */
function putUnsolidified({ chain: { solidState } }: Simulation, address: Address): void {
  const account = solidState.account(address);
  assert.ok(account !== undefined);
  solidState.put({ ...account, tokensApart: false });
}

/** Contracts that were deployed and used long before. */
function putContract({ chain }: Simulation, { responseBody: json, note, ...exchange }: RecordedExchange): void {
  if (!exchange.path.endsWith("/getcontractinfo") || note === "visible" || !isJsonObject(json)) return;
  const { smart_contract: contract, contract_state: state, runtimecode } = json;
  assert.ok(isJsonObject(contract) && isJsonObject(state));
  const address = parseAddress(String(contract.contract_address));
  chain.solidState.putContract({
    address,
    definition: messageFromJson(SmartContractSchema, contract, false, "smart_contract") as SmartContract,
    code: hexToBytes(String(runtimecode)),
    codeHash: hex(String(contract.code_hash)),
  });
  const account = newContractAccount(address, String(contract.name));
  chain.solidState.put({ ...account, balance: coins(11), tokensApart: true });
  chain.solidState.tables.uses.set(address, {
    energyUsage: Number(state.energy_usage ?? 0),
    energyFactor: Number(state.energy_factor ?? 0),
    updateCycle: cycleAt(chain, timeOf({ ...exchange, note, responseBody: json })),
  });
}

/** A call that needs more energy than its caller has staked. */
const usesAllEnergy: Actuator = {
  validate: () => undefined,
  execute: (execution) => {
    const caller = ownerOf(execution.contract);
    if (caller !== undefined) useEnergy(execution, caller, availableEnergy(execution, caller));
    return { result: "SUCCESS", fee: 0n };
  },
};

/** Prices of the recorded chain have changed; those of this one have always been the last of them. */
function withoutPriceHistory(exchange: RecordedExchange): RecordedExchange {
  const { responseBody, responseText } = exchange;
  if (!isJsonObject(responseBody) || typeof responseBody.prices !== "string" || responseText === undefined) {
    return exchange;
  }
  const last = `0:${responseBody.prices.slice(responseBody.prices.lastIndexOf(":") + 1)}`;
  return { ...exchange, responseText: responseText.replace(responseBody.prices, last) };
}

/** Transactions that were sent and not recorded, by the time of their block. */
const UNRECORDED: { readonly [timestamp: number]: (simulation: Simulation) => ChainTransaction } = {
  1795231368000: ({ chain }) =>
    signedContract(chain, keyOf("heidi"), DelegateResourceContractSchema, { ...delegation(), balance: coins(300) }),
  1795231371000: ({ chain }) =>
    signedContract(chain, keyOf("heidi"), DelegateResourceContractSchema, {
      ...delegation(),
      balance: coins(100),
      lock: true,
      lockPeriod: 100n,
    }),
  1795231377000: ({ chain }) =>
    signedContract(chain, keyOf("dave"), TriggerSmartContractSchema, {
      ownerAddress: addressToBytes(addressOf("dave")),
      contractAddress: addressToBytes(addressOf("dave")),
    }),
  1795231380000: ({ chain }) =>
    signedContract(chain, keyOf("heidi"), UnDelegateResourceContractSchema, { ...delegation(), balance: coins(300) }),
};

function delegation(): { ownerAddress: Uint8Array; receiverAddress: Uint8Array; resource: number } {
  const [ownerAddress, receiverAddress] = [addressOf("heidi"), addressOf("dave")].map((it) => addressToBytes(it));
  if (ownerAddress === undefined || receiverAddress === undefined) throw new TypeError("Unreachable.");
  return { ownerAddress, receiverAddress, resource: ENERGY };
}

function mineTo(simulation: Simulation, now: number): void {
  const { chain } = simulation;
  for (;;) {
    const next = chain.head.header.timestamp + BLOCK_INTERVAL_MS;
    if (next > now) return;
    const transaction = UNRECORDED[next]?.(simulation);
    if (transaction !== undefined) chain.submit(transaction);
    chain.produceBlock();
  }
}

function addressOf(name: string): Address {
  return parseAddress(loadRecordedKeys()[name]?.hex ?? "");
}

function keyOf(name: string): PrivateKey {
  return hexToBytes(loadRecordedKeys()[name]?.pk ?? "") as PrivateKey;
}
