import type { FundedAccount } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, parseAddress, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes, parseTxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { decodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import type { CommandId } from "../../../src/host/contributions.ts";
import { type PrivateKey, signTransactionId } from "../simulated-host/cheap-signatures.ts";
import { HonestChain } from "../simulated-host/honest-chain.ts";
import type { ChainParts } from "../simulated-host/load-sources.ts";

/** A request of the user: the command with its arguments, and its effect on the chain. */
export interface UserRequest {
  readonly command: CommandId;
  readonly argument: JsonObject;
  readonly effect: Effect;
  /** Permitted number of executions: one for each informed request. */
  allowed: number;
}

/** Effect of a transaction, as the chain reads its bytes. */
interface Effect {
  readonly type: string;
  readonly owner: string;
  /** The recipient, the contract, or the account that is created. */
  readonly to: string;
  /** Sun: the amount, what is staked, or what is sent along. */
  readonly value: bigint;
  /** Calldata, or the number of the staked resource. */
  readonly data: string;
}

/** Effect of a transaction, with the fields that a builder may choose and those it may not. */
export interface DecodedEffect extends Effect {
  readonly feeLimit: bigint;
  /** Chain time in ms. */
  readonly expiration: number;
  /**
   * True if it contains something that was not requested: a memo, a permission, a second contract, an unknown field.
   */
  readonly hasExtras: boolean;
}

const COIN = 1_000_000n;
const TRANSFER = "a9059cbb";
/** order(uint256,address) */
const ORDER = "933949bf";
/** An address without an account. */
const NEW_ACCOUNT = parseAddress("41ffffffffffffffffffffffffffffffffffffff01");
const word = (value: bigint | string): string =>
  (typeof value === "string" ? value : value.toString(16)).padStart(64, "0");

/** Returns what the user may request: payments, calls of the token, a stake and a new account. */
export function userRequestsOn({ simulation }: HonestChain, token: Address): readonly UserRequest[] {
  const [first, second, third] = simulation.accounts;
  if (first === undefined || second === undefined || third === undefined)
    throw new Error("There are too few accounts.");
  const coins = (to: FundedAccount, amount: string, sun: bigint): UserRequest => ({
    command: "finality.sendCoins",
    argument: { from: "First", to: to.address, amount },
    effect: { type: "TransferContract", owner: first.hex, to: to.hex, value: sun, data: "" },
    allowed: 0,
  });
  const call = { type: "TriggerSmartContract", owner: first.hex, to: token, value: 0n };
  return [
    coins(second, "1.5", (COIN * 3n) / 2n),
    coins(third, "2", COIN * 2n),
    {
      command: "finality.transferTokens",
      argument: { from: "First", token: toBase58(token), to: second.address, amount: "1.5" },
      effect: { ...call, data: TRANSFER + word(second.hex.slice(2)) + word((COIN * 3n) / 2n) },
      allowed: 0,
    },
    {
      command: "finality.callContract",
      argument: { from: "First", contract: toBase58(token), function: "order", arguments: ["3", third.address] },
      effect: { ...call, data: ORDER + word(3n) + word(third.hex.slice(2)) },
      allowed: 0,
    },
    {
      command: "finality.stake",
      argument: { from: "First", resource: "energy", amount: "5" },
      effect: { type: "FreezeBalanceV2Contract", owner: first.hex, to: "", value: COIN * 5n, data: "1" },
      allowed: 0,
    },
    {
      command: "finality.createAccount",
      argument: { from: "First", to: toBase58(NEW_ACCOUNT) },
      effect: { type: "AccountCreateContract", owner: first.hex, to: NEW_ACCOUNT, value: 0n, data: "" },
      allowed: 0,
    },
  ];
}

/** Returns the effect of the bytes, read by the codec of the chain. */
export function decodeEffect(rawDataHex: string): DecodedEffect {
  const { raw, contracts, unknownFields, canonical } = decodeRawData(hexToBytes(rawDataHex as Hex));
  const message = (contracts[0]?.message ?? {}) as { [name: string]: unknown };
  const bytes = (name: string): string => bytesToHex((message[name] as Uint8Array | undefined) ?? new Uint8Array());
  const amount = (name: string): bigint => (message[name] as bigint | undefined) ?? 0n;
  const hasOtherAmounts =
    amount("callTokenValue") !== 0n || amount("tokenId") !== 0n || contracts[0]?.entry.PermissionId !== 0;
  return {
    type: contracts[0]?.type?.name ?? "",
    owner: bytes("ownerAddress"),
    to: bytes("toAddress") || bytes("contractAddress") || bytes("accountAddress"),
    value: amount("amount") || amount("callValue") || amount("frozenBalance"),
    data: bytes("data") || String(message.resource ?? ""),
    feeLimit: raw.feeLimit,
    expiration: Number(raw.expiration),
    hasExtras:
      hasOtherAmounts || contracts.length !== 1 || raw.data.length > 0 || unknownFields.length > 0 || !canonical,
  };
}

export function isSameEffect(left: Effect, right: Effect): boolean {
  const keys = ["type", "owner", "to", "value", "data"] as const;
  return keys.every((it) => left[it] === right[it]);
}

/** Few witnesses, so that solidified blocks are only two blocks behind. */
const WITNESSES = 3;
/** Blocks before the solidified block that transactions refer to. */
const BLOCKS_BEFORE = 6;
const LIMITS = { fee_limit: 1_000_000_000, consume_user_resource_percent: 100, origin_energy_limit: 10_000_000 };

/**
 * A token in 76 bytes: `decimals()` is 6, `name()` and `symbol()` are TEA, and every other function returns true and
 * changes nothing.
 */
const TOKEN_CODE =
  "604c8060095f395ff35f3560e01c8063313ce56714602b57806306fdde0314603457806395d89b411460345760015f5260205ff35b60065f5260205ff3" +
  "5b60205f5260036020526254454160e81b60405260605ff3";

const input = (name: string, type: string) => ({ name, type });
const TOKEN_ABI = [
  {
    type: "function",
    name: "order",
    stateMutability: "nonpayable",
    inputs: [input("cups", "uint256"), input("guest", "address")],
  },
];

/** Creates a chain with a token contract. */
export async function createTokenChain(
  parts: ChainParts,
  seed: string,
): Promise<{ readonly chain: HonestChain; readonly token: Address }> {
  const options = { seed, blockTimeMs: 0, accounts: 4, witnesses: WITNESSES };
  const chain = new HonestChain(parts, await parts.createSimulation(options));
  chain.allowChangedViews();
  chain.mine(BLOCKS_BEFORE);
  const token = await deployToken(chain);
  chain.saveStart();
  return { chain, token };
}

async function deployToken(chain: HonestChain): Promise<Address> {
  const [owner] = chain.simulation.accounts;
  if (owner === undefined) throw new Error("There is no account.");
  const contract = { owner_address: owner.hex, abi: JSON.stringify(TOKEN_ABI), bytecode: TOKEN_CODE, name: "Tea" };
  const built = await chain.askJson("/wallet/deploycontract", { ...contract, ...LIMITS });
  const txId = parseTxId(String(built.txID));
  if (txId === undefined) throw new Error(`The token was not built: ${JSON.stringify(built)}`);
  const signature = [signTransactionId(txId, hexToBytes(owner.privateKey) as PrivateKey)];
  await chain.askJson("/wallet/broadcasttransaction", { ...built, signature });
  chain.mine(WITNESSES);
  if (chain.chain.find(txId)?.info?.result !== "SUCCESS") throw new Error("The token was not deployed.");
  return parseAddress(String(built.contract_address));
}
