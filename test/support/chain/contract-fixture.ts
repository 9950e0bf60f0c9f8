import type { LocalChainOptions } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../packages/tron/src/transaction/signature.ts";
import { messageText } from "../recorded/scenario-views.ts";
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
  const chain = await testChain({ ...options, parameters });
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
  chain.mine();
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
