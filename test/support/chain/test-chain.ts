import { create } from "@bufbuild/protobuf";
import {
  createSimulation,
  type FundedAccount,
  type LocalChainOptions,
  type Simulation,
} from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, addressToBytes } from "../../../packages/tron/src/primitives/address.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
} from "../../../packages/tron/src/primitives/json.ts";
import { referenceTo } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { contractTypeByName } from "../../../packages/tron/src/transaction/contract-types.ts";
import {
  type Raw,
  RawSchema,
  TransferContractSchema,
} from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import { contractEntry, encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";
import { rawDataToJson } from "../../../packages/tron/src/transaction/transaction-json.ts";
import { answer } from "../fakes/chain-answer.ts";

/** Test access to a chain without sockets: blocks are produced on request. */
export interface TestChain {
  readonly simulation: Simulation;
  readonly accounts: readonly FundedAccount[];
  /** The answer to a POST as JSON. */
  ask(path: string, body?: Json): Promise<JsonObject>;
  askList(path: string, body?: Json): Promise<readonly Json[]>;
  mine(blocks?: number): void;
  /** A transfer with a reference and an expiration that fit, unless something else is asked for. */
  transfer(options?: TransferOptions): SignedTransfer;
  send(transfer: SignedTransfer, visible?: boolean): Promise<JsonObject>;
}

export interface TransferOptions {
  readonly from?: number;
  readonly to?: Address;
  readonly amount?: bigint;
  /** Chain time in ms. */
  readonly expiration?: number;
  readonly reference?: BlockId;
  readonly memo?: Uint8Array;
  readonly permissionId?: number;
  readonly signers?: readonly number[];
}

interface SignedTransfer {
  readonly id: string;
  readonly raw: Raw;
  readonly signatures: readonly Hex[];
}

export async function testChain(options: LocalChainOptions = {}): Promise<TestChain> {
  return testChainOf(await createSimulation({ seed: "test", blockTimeMs: 0, ...options }));
}

/** The same of a chain that is there already. */
export function testChainOf(simulation: Simulation): TestChain {
  const { chain, accounts } = simulation;
  const askAny = async (path: string, body: Json = {}): Promise<Json> => {
    const input = await answer(
      new Request(`http://chain${path}`, { method: "POST", body: printJson(body) }),
      path,
      simulation,
    );
    if (input.kind !== "answer") throw new Error(`There is no answer, but a ${input.kind}.`);
    return parseJson(await input.response.text());
  };
  const ask = async (path: string, body?: Json): Promise<JsonObject> => {
    const json = await askAny(path, body);
    if (!isJsonObject(json)) throw new TypeError(`${path} did not answer an object.`);
    return json;
  };
  return {
    simulation,
    accounts,
    ask,
    askList: async (path, body) => (await askAny(path, body)) as readonly Json[],
    mine: (blocks = 1) => {
      for (let made = 0; made < blocks; made += 1) chain.produceBlock();
    },
    transfer: (transferOptions = {}) => signedTransfer(simulation, transferOptions),
    send: (transfer, visible = false) => ask("/wallet/broadcasttransaction", toJson(transfer, visible)),
  };
}

/** A signed transfer in the form that broadcast takes. */
export function toJson({ raw, signatures, id }: SignedTransfer, visible = false): JsonObject {
  return {
    visible,
    txID: id,
    raw_data: rawDataToJson(raw, visible),
    raw_data_hex: bytesToHex(encodeRawData(raw)),
    signature: signatures,
  };
}

/** The text of a message that is hex unless visible. */
export function messageOf({ message }: JsonObject): string {
  return Buffer.from(String(message), "hex").toString("utf8");
}

function signedTransfer({ chain, accounts }: Simulation, options: TransferOptions): SignedTransfer {
  const { from = 0, amount = 1_000_000n, permissionId = 0, signers = [from] } = options;
  const type = contractTypeByName("TransferContract");
  const to = options.to ?? accounts[1]?.hex;
  if (type === undefined || to === undefined) throw new TypeError("A transfer needs its type and a recipient.");
  const message = create(TransferContractSchema, {
    ownerAddress: addressToBytes(accountAt(accounts, from).hex),
    toAddress: addressToBytes(to),
    amount,
  });
  const reference = referenceTo(options.reference ?? chain.solid.id);
  const raw = create(RawSchema, {
    refBlockBytes: reference.bytes,
    refBlockHash: reference.hash,
    expiration: BigInt(options.expiration ?? chain.head.header.timestamp + 60_000),
    timestamp: BigInt(chain.buildTime()),
    data: options.memo ?? new Uint8Array(),
    contract: [contractEntry(type, message, permissionId)],
  });
  const id = transactionId(encodeRawData(raw));
  const key = (index: number): PrivateKey => hexToBytes(accountAt(accounts, index).privateKey) as PrivateKey;
  return { id, raw, signatures: signers.map((index) => signTransactionId(id, key(index))) };
}

function accountAt(accounts: readonly FundedAccount[], index: number): FundedAccount {
  const account = accounts[index];
  if (account === undefined) throw new RangeError(`There is no account ${index}.`);
  return account;
}
