import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import type { GenesisAccount } from "../../../packages/local-chain/src/chain/genesis.ts";
import { chainTransaction } from "../../../packages/local-chain/src/chain/transaction.ts";
import {
  createSimulation,
  type LocalChainOptions,
  type Simulation,
} from "../../../packages/local-chain/src/simulation/simulation.ts";
import {
  type Address,
  addressToBytes,
  bytesToBase58Check,
  parseAddress,
  toBase58,
} from "../../../packages/tron/src/primitives/address.ts";
import { BLOCK_INTERVAL_MS } from "../../../packages/tron/src/primitives/block.ts";
import { parseTxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, parseJson, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { deployedContractAddress } from "../../../packages/tron/src/transaction/contract-types.ts";
import { answer } from "../fakes/chain-answer.ts";
import { bodyText, signedTransaction, Translation, transactionsIn } from "./chain-replay.ts";
import { answerDifferences, timeOf } from "./exchange-replay.ts";
import {
  type ExchangeFile,
  loadExchanges,
  loadRecordedKeys,
  putRecordedContract,
  type RecordedContract,
  type RecordedExchange,
} from "./exchanges.ts";

const coins = (amount: number): bigint => BigInt(amount) * 1_000_000n;

/** Initial state of a part of the recordings. */
interface RecordedPart {
  readonly file: ExchangeFile;
  /** The beginning of the names of its cases. */
  readonly cases?: RegExp;
  /** A block of it: this chain has the same heights at the same times. */
  readonly block: { readonly height: number; readonly timestamp: number };
  readonly options?: LocalChainOptions;
  readonly contracts?: readonly RecordedContract[];
  /** The times of all blocks after it, where only some of the witnesses produced. */
  readonly later?: readonly number[];
  /** The case before which its transaction came with a bad signature, unrecorded. */
  readonly refusedBefore?: string;
}

const T100 = "41915dccca14db6ece470d6f4a2499bcd664b8aeca";
const T_WITH_PENALTY = "41f0aa19f305997f376f66ac06898c1f224e990c4c";
const T_OF_NODE2 = "4118498ca60e991da178ca5608166661405c8ccd14";
const X = 0n;
const at = (time: string): number => Date.parse(`2026-11-21T${time}Z`);
/** When its contract was dearer than others. */
const PENALTY_AT = at("03:30:01.780");

const RECEIPT_CONTRACTS: readonly RecordedContract[] = [
  { address: T100, storage: [[X, 1n]] },
  {
    address: "4109bac614463a246d1e19048ab16eed9a07eb6156",
    consumeUserResourcePercent: 30,
    storage: [[X, 1n]],
  },
  // 0x400000 MLOAD
  { address: "41b0491a9541ff6228662159f920ca9c597f8714bc", code: "6240000051" },
  // POP
  { address: "413ad584d33f6263ce37b4ccbbce055d9358ab79b4", code: "50" },
  // Pushes without end
  { address: "4161e46ac4ca2dec80071ed8e8b17ee5e161ca1cd8", code: "5b600161000056" },
  // A CALL with value to itself, and one with a value over int64
  { address: "417c645becbe9e25e90cbccec4ac42039682de1e3e", code: "6000600060006000600130" + "5af1" },
  { address: "41fb69052f1634d55cbb0a316fcd2bb8ed14be5dbb", code: "600060006000600068ffffffffffffffffff305af1" },
  // 32 0 0 RETURNDATACOPY
  { address: "417031614d6b39e380bca9c2d96d4849d5165ec1e3", code: "6020600060003e" },
  // A CALL and a STATICCALL to itself, down to the depth limit
  { address: "41c1deaa4f1703d04872125c4c9cc3eef3ac48b17b", code: "60006000600060006000305af1" },
  { address: "41473fa52b8a4a7669b194b6ef9c26ec4d4b57f067", code: "5f5f5f5f305afa" },
  // A loop without end
  { address: "416bb1ed92dbe537e7c39609d762d78546ff74582a", code: "5b600056" },
];
/** NUMBER 1 AND @odd JUMPI STOP @odd: 0 0 REVERT */
const REVERTS_IN_ODD_BLOCKS = {
  address: "41c4e0ebd9d112a56c1747ce9f858c7bce828dc33e",
  code: "43600116600857005b5f5ffd",
};

const NO_FREE_BANDWIDTH = { parameters: { getFreeNetLimit: 0 } };
const node2 = (cases: RegExp, [height, time]: [number, string], more: Partial<RecordedPart> = {}): RecordedPart => ({
  file: "node2-configs",
  cases,
  block: { height, timestamp: at(time) },
  later: [],
  contracts: [{ address: T_OF_NODE2, storage: [[X, 7n]] }],
  ...more,
});

export const recordedParts: readonly RecordedPart[] = [
  { file: "contracts", block: { height: 233, timestamp: 1_795_231_089_000 }, options: NO_FREE_BANDWIDTH },
  {
    file: "receipts",
    block: { height: 238, timestamp: 1_795_231_104_000 },
    options: NO_FREE_BANDWIDTH,
    contracts: RECEIPT_CONTRACTS,
  },
  {
    file: "pending-vs-block",
    block: { height: 605, timestamp: 1_795_232_259_000 },
    options: NO_FREE_BANDWIDTH,
    contracts: [REVERTS_IN_ODD_BLOCKS],
  },
  node2(/^no-estimate/, [25, "03:28:54"], { options: { node: { estimateEnergy: false } } }),
  node2(/^no-constant/, [25, "03:29:18"], { options: { node: { constantCalls: false } } }),
  node2(/^no-connection/, [25, "03:29:18"], { options: { node: { peers: false } } }),
  node2(/^trx-cache/, [25, "03:29:18"], {
    later: [at("03:30:30")],
    options: { node: { transactionCache: true, maxPending: 5 } },
    refusedBefore: "trx-cache-broadcast-good-after-bad-signature",
  }),
  node2(/^one-witness-(?!unchecked|expiry)/, [36, "03:31:06"], {
    later: [at("03:31:36"), at("03:32:00")],
    options: { node: { maxUnsolidified: 1 } },
  }),
  node2(/^one-witness-unchecked/, [36, "03:31:06"], { later: [at("03:34:06"), at("03:34:21")] }),
  node2(/^one-witness-expiry/, [40, "03:35:51"], { later: [at("03:36:45"), at("03:37:06")] }),
];

/** Values that depend on the id of a transaction and so on the chain. */
const OF_ANOTHER_ID =
  /^\.internal_transactions\[\d+\]\.hash: "\w{64}" became "\w{64}"$|^\.contract_state\.update_cycle: 7 became \d+$/;
const OF_A_NEW_CONTRACT =
  /^\.(?:(?:transaction\.)?contract_address|logs\[0\]\.address): "(?:41)?\w{40}" became "(?:41)?\w{40}"$/;

/** A request, and the differences of its answer from the recorded one. */
export interface ReplayedAnswer {
  readonly name: string;
  readonly found: readonly string[];
}

/** Sends what was recorded of a part to a chain that begins where the recorded one was. */
export async function replayPart(part: RecordedPart): Promise<readonly ReplayedAnswer[]> {
  const { file, cases = /^/ } = part;
  const exchanges = loadExchanges(file).filter((it) => cases.test(it.case));
  const simulation = await recordedChain(part);
  const translation = new Translation(simulation.chain);
  const addresses = new AddressTranslation();
  const unsent = unsentTransactions(exchanges);
  const answers: ReplayedAnswer[] = [];
  for (const exchange of exchanges) {
    mineTo(simulation, timeOf(exchange), part.later);
    submit(simulation, translation, unsent, timeOf(exchange));
    const body = addresses.json(translation.body(exchange, false));
    learnAddress(translation, addresses, exchange);
    if (exchange.case === part.refusedBefore) await sendBadlySigned(simulation, exchange.path, body);
    const differences = await answerDifferences(simulation, translation, addresses.answer(exchange), bodyText(body));
    answers.push({ name: `${file}/${exchange.case}`, found: differences.filter((it) => !expected(exchange, it)) });
  }
  return answers;
}

/** Sends with a signature by an unknown key. */
async function sendBadlySigned(simulation: Simulation, path: string, body: Json): Promise<void> {
  if (!isJsonObject(body)) throw new TypeError("Only a transaction can be signed badly.");
  const bad = printJson({ ...body, signature: ["11".repeat(65)] });
  await answer(new Request(`http://chain${path}`, { method: "POST", body: bad }), path, simulation);
}

/** An unsigned deployment has an id of its own, and with it an address of its own. */
function expected({ path, requestBody }: RecordedExchange, difference: string): boolean {
  const named = isJsonObject(requestBody) && requestBody.contract_address !== undefined;
  const deploys = !named && (path.endsWith("/deploycontract") || path.endsWith("constantcontract"));
  return OF_ANOTHER_ID.test(difference) || (deploys && OF_A_NEW_CONTRACT.test(difference));
}

/** The sender of a deployment can compute the address of its contract. */
function learnAddress(
  translation: Translation,
  addresses: AddressTranslation,
  { requestBody }: RecordedExchange,
): void {
  if (!isJsonObject(requestBody) || typeof requestBody.raw_data_hex !== "string") return;
  const { contract_address: recorded, txID } = requestBody;
  const id = parseTxId(translation.idHere(String(txID)) ?? "");
  if (typeof recorded !== "string" || id === undefined) return;
  addresses.learn(recorded, deployedContractAddress(id, ownerIn(requestBody.raw_data)));
}

function ownerIn(rawData: Json | undefined): Address {
  const contracts = isJsonObject(rawData) && Array.isArray(rawData.contract) ? (rawData.contract as Json[]) : [];
  const [contract] = contracts;
  const parameter = isJsonObject(contract) && isJsonObject(contract.parameter) ? contract.parameter.value : undefined;
  return parseAddress(String(isJsonObject(parameter) && parameter.owner_address));
}

/** Transactions that answers show though no recorded request sent them. */
function unsentTransactions(exchanges: readonly RecordedExchange[]): Map<string, RecordedTransaction> {
  const sent = new Set(exchanges.map(({ requestBody }) => (isJsonObject(requestBody) ? requestBody.txID : undefined)));
  const shown = exchanges.flatMap(({ responseBody }) => transactionsIn(responseBody));
  return new Map(shown.filter((it) => !sent.has(it.txID)).map((it) => [String(it.txID), it]));
}

type RecordedTransaction = ReturnType<typeof transactionsIn>[number];

/** They were sent as soon as they were built. */
function submit(
  { chain }: Simulation,
  translation: Translation,
  unsent: Map<string, RecordedTransaction>,
  now: number,
): void {
  for (const [id, json] of unsent) {
    const builtAt = isJsonObject(json.raw_data) ? Number(json.raw_data.timestamp) : Number.NaN;
    if (!(builtAt <= now)) continue;
    unsent.delete(id);
    chain.submit(chainTransaction(signedTransaction(translation.transaction(json))));
  }
}

async function recordedChain({ block, options, later, contracts = [] }: RecordedPart): Promise<Simulation> {
  const simulation = await createSimulation({
    seed: "recorded",
    blockTimeMs: 0,
    accounts: 0,
    genesisAccounts: genesisAccounts(),
    ...options,
    startTime: block.timestamp - (block.height - 1) * BLOCK_INTERVAL_MS,
  });
  if (later !== undefined) mineTo(simulation, block.timestamp);
  const penalised: RecordedContract = { address: T_WITH_PENALTY, storage: [[X, 1n]] };
  for (const contract of [...contracts, penalised]) putRecordedContract(simulation, contract);
  const cycle = cycleAt(simulation.chain, PENALTY_AT);
  const use = { energyUsage: 0, energyFactor: 2000, updateCycle: cycle };
  simulation.chain.solidState.tables.uses.set(parseAddress(T_WITH_PENALTY), use);
  return simulation;
}

function genesisAccounts(): readonly GenesisAccount[] {
  const stake = { bandwidth: 0n, energy: coins(1_000_000) };
  const keys = loadRecordedKeys();
  const account = (name: string): Address => parseAddress(keys[name]?.hex ?? "");
  return [
    {
      address: account("whale"),
      balance: 0n,
      stake: { bandwidth: coins(5_000_000_000), energy: coins(5_000_000_000) },
    },
    ...["alice", "grace"].map((it) => ({ address: account(it), balance: coins(10_000_000), stake })),
    ...["bob", "erin", "frank"].map((it) => ({ address: account(it), balance: coins(10_000_000) })),
  ];
}

/** A block is there as soon as its time has come. */
function mineTo({ chain }: Simulation, now: number, times?: readonly number[]): void {
  const next = (): number => {
    const earliest = chain.head.header.timestamp + BLOCK_INTERVAL_MS;
    return times === undefined ? earliest : (times.find((it) => it >= earliest) ?? Number.POSITIVE_INFINITY);
  };
  for (let time = next(); time <= now; time = next()) {
    chain.warp(time - chain.head.header.timestamp);
    chain.produceBlock();
  }
}

/**
 * A contract's address comes from the id of the transaction that makes it, so it is another one on another chain.
 * Requests and recorded answers follow, in each spelling that a node uses.
 */
class AddressTranslation {
  readonly #spellings = new Map<string, string>();

  learn(recorded: string, here: Address): void {
    const [before, after] = [spellings(parseAddress(recorded)), spellings(here)];
    for (const [index, text] of before.entries()) this.#spellings.set(text, after[index] ?? text);
  }

  json(json: Json): Json {
    return this.#spellings.size === 0 ? json : parseJson(this.#text(printJson(json)));
  }

  /** The exchange as it would have been recorded here. */
  answer(exchange: RecordedExchange): RecordedExchange {
    const { responseBody, responseText } = exchange;
    return {
      ...exchange,
      responseBody: this.json(responseBody),
      ...(responseText !== undefined && { responseText: this.#text(responseText) }),
    };
  }

  #text(text: string): string {
    let result = text;
    for (const [recorded, here] of this.#spellings) result = result.replaceAll(recorded, here);
    return result;
  }
}

/** Hex and base58, each also without the chain's prefix, as words and logs have it. */
function spellings(address: Address): readonly string[] {
  const bytes = addressToBytes(address);
  return [address.slice(2), toBase58(address), bytesToBase58Check(bytes.slice(1))];
}

/** The maintenance cycle that a chain will be in at a time when it gets there without a gap. */
export function cycleAt({ pendingState, parameters }: Blockchain, time: number): number {
  const { cycle, nextMaintenance } = pendingState.totals;
  return cycle + 1 + Math.floor((time - nextMaintenance) / parameters.getMaintenanceTimeInterval);
}
