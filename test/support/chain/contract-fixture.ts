import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import type { Actuators } from "../../../packages/local-chain/src/chain/execution.ts";
import { type ChainTransaction, chainTransaction } from "../../../packages/local-chain/src/chain/transaction.ts";
import type { LocalChainOptions } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { hex, hexToBytes, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { referenceTo } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { type ContractResult, contractTypeByName } from "../../../packages/tron/src/transaction/contract-types.ts";
import { RawSchema, TransactionSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { contractEntry, encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";
import { messageText } from "../recorded/scenario-views.ts";
import type { Person } from "./chain-bench.ts";
import { type TestChain, testChain } from "./test-chain.ts";

interface Sending {
  /** The index of the account that calls. */
  readonly from?: number;
  /** Sun. */
  readonly feeLimit?: number;
  readonly value?: number;
  readonly percent?: number;
  readonly tokenId?: number;
  readonly tokenValue?: number;
}

/** Result of a transaction with code. */
export interface Receipt {
  readonly result: string;
  readonly energy: number;
  readonly message: string;
  /** Hex. */
  readonly returned: string;
  readonly info: JsonObject;
}

/** Deploys and calls code on a chain where blocks come when they are needed. */
export interface ContractFixture {
  readonly chain: TestChain;
  /** Deploys code that runs as it is. */
  install(runtime: string, sending?: Sending): Promise<Address>;
  deploy(initCode: string, sending?: Sending): Promise<Receipt & { readonly address: Address }>;
  call(address: Address, data?: string, sending?: Sending): Promise<Receipt>;
  /** The answer to a constant call of init code. */
  constant(initCode: string): Promise<JsonObject>;
  ask(path: string, body: JsonObject): Promise<JsonObject>;
}

const FEE_LIMIT = 1_000_000_000;

export async function contractFixture(
  parameters: { readonly [name: string]: number } = {},
  options: LocalChainOptions = {},
): Promise<ContractFixture> {
  return contractsOn(await testChain({ ...options, parameters }));
}

/** The same on a chain that is there already. */
export function contractsOn(chain: TestChain): ContractFixture {
  const owner = (index: number): string => account(chain, index).hex;
  const ask = (path: string, body: JsonObject): Promise<JsonObject> => chain.ask(`/wallet/${path}`, body);
  const contracts: ContractFixture = {
    chain,
    ask,
    install: async (runtime, sending) => (await contracts.deploy(returning(runtime), sending)).address,
    deploy: async (initCode, sending = {}) => {
      const { from = 0, feeLimit = FEE_LIMIT, value = 0, percent = 100 } = sending;
      const built = await ask("deploycontract", {
        owner_address: owner(from),
        abi: "[]",
        bytecode: initCode,
        name: "code",
        fee_limit: feeLimit,
        call_value: value,
        consume_user_resource_percent: percent,
        origin_energy_limit: 10_000_000,
        ...tokensOf(sending),
      });
      const receipt = await include(chain, built, from);
      return { ...receipt, address: parseAddress(String(built.contract_address)) };
    },
    call: async (address, data = "", sending = {}) => {
      const { from = 0, feeLimit = FEE_LIMIT, value = 0 } = sending;
      const request = { owner_address: owner(from), contract_address: address, data, fee_limit: feeLimit };
      const built = await ask("triggersmartcontract", { ...request, call_value: value, ...tokensOf(sending) });
      return await include(chain, built.transaction as JsonObject, from);
    },
    constant: (initCode) => ask("triggerconstantcontract", { owner_address: owner(0), data: initCode }),
  };
  return contracts;
}

function tokensOf({ tokenId = 0, tokenValue = 0 }: Sending): JsonObject {
  return { token_id: tokenId, call_token_value: tokenValue };
}

/** Init code that returns this code. */
export function returning(runtime: string): string {
  const size = (runtime.length / 2).toString(16).padStart(4, "0");
  return `61${size}600e60003961${size}6000f3${runtime}`;
}

/** A message of an answer as text. */
export function resultText(answer: JsonObject): string {
  return messageText((answer.result as JsonObject).message) ?? "";
}

async function include(chain: TestChain, built: JsonObject, from: number): Promise<Receipt> {
  const id = transactionId(hexToBytes(String(built.raw_data_hex)));
  const signature = signTransactionId(id, hexToBytes(account(chain, from).privateKey) as PrivateKey);
  const answer = await chain.ask("/wallet/broadcasttransaction", { ...built, signature: [signature] });
  if (answer.result !== true) throw new Error(`${String(answer.code)}: ${messageText(answer.message)}`);
  // By a request, because a fork may have to read from its network for the block.
  await chain.ask("/local/mine", {});
  const info = await chain.ask("/wallet/gettransactioninfobyid", { value: id });
  const receipt = info.receipt as JsonObject;
  return {
    result: String(receipt.result),
    energy: Number(receipt.energy_usage_total ?? 0),
    message: messageText(info.resMessage) ?? "",
    returned: String((info.contractResult as readonly string[])[0]),
    info,
  };
}

function account({ accounts }: TestChain, index: number): TestChain["accounts"][number] {
  const found = accounts[index];
  if (found === undefined) throw new RangeError(`There is no account ${index}.`);
  return found;
}

const RUNS_CODE: ReadonlySet<string> = new Set(["CreateSmartContract", "TriggerSmartContract"]);
/** Sun. */
const FAILING_FEE_LIMIT = 100_000_000n;

/** A signed transaction of any contract that the codec knows, fit for the next block of a chain. */
export function signedContract<Schema extends DescMessage>(
  chain: Blockchain,
  key: PrivateKey,
  schema: Schema,
  message: MessageInitShape<Schema>,
): ChainTransaction {
  const type = contractTypeByName(schema.name);
  if (type === undefined) throw new TypeError(`The codec does not know ${schema.name}.`);
  const reference = referenceTo(chain.solid.id);
  const rawData = create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(chain.head.header.timestamp + 60_000),
    timestamp: BigInt(chain.buildTime()),
    contract: [contractEntry(type, create(schema, message), 0)],
    feeLimit: RUNS_CODE.has(schema.name) ? FAILING_FEE_LIMIT : 0n,
  });
  const signature = hexToBytes(signTransactionId(transactionId(encodeRawData(rawData)), key));
  return chainTransaction(create(TransactionSchema, { rawData, signature: [signature] }));
}

const CONTRACT = parseAddress(`41${"cc".repeat(20)}`);
const ENERGY = 345n;

/**
 * An actuator in place of the virtual machine: every call is included and fails with the result that stands in its
 * data.
 */
export const failingContracts: Actuators = {
  TriggerSmartContract: {
    validate: () => undefined,
    execute: ({ contract }) => ({
      result: Buffer.from((contract.message as unknown as { data: Uint8Array }).data).toString(
        "utf8",
      ) as ContractResult,
      fee: 0n,
      outcome: {
        contractAddress: CONTRACT,
        returned: hex(""),
        logs: [],
        message: "it failed",
        energy: { total: ENERGY, fromCaller: ENERGY, fromOwner: 0n, fee: 0n, penalty: 0n },
      },
    }),
  },
};

/** A call that is included and fails like this. */
export function failingCall(owner: Person, result: ContractResult): Intent {
  const data = hex(Buffer.from(result).toString("hex"));
  const common = { owner: owner.address, contract: CONTRACT, callValue: sun(0n), feeLimit: sun(1_000_000n) };
  return { kind: "contract-call", data, ...common };
}
