import type { FundedAccount } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { parseAddress, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { decodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import type { CommandId } from "../../../src/host/contributions.ts";
import type { HonestChain } from "../simulated-host/honest-chain.ts";

/** An intent of the user, as arguments of a command and as the chain executes it. */
export interface Wish {
  readonly command: CommandId;
  readonly argument: JsonObject;
  readonly asked: Deed;
  /** Permitted number of executions: one for each informed request. */
  allowed: number;
}

/** Effect of a transaction, as the chain reads its bytes. */
interface Deed {
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
export interface Reading extends Deed {
  readonly feeLimit: bigint;
  /** Chain time in ms. */
  readonly expiration: number;
  /**
   * True if it contains something that was not requested: a memo, a permission, a second contract, an unknown field.
   */
  readonly besides: boolean;
}

const COIN = 1_000_000n;
const TRANSFER = "a9059cbb";
/** order(uint256,address) */
const ORDER = "933949bf";
/** An address without an account. */
const NEWCOMER = parseAddress("41ffffffffffffffffffffffffffffffffffffff01");
const word = (value: bigint | string): string =>
  (typeof value === "string" ? value : value.toString(16)).padStart(64, "0");

export function wishesOn({ simulation, token }: HonestChain): readonly Wish[] {
  const [first, second, third] = simulation.accounts;
  if (first === undefined || second === undefined || third === undefined)
    throw new Error("There are too few accounts.");
  const coins = (to: FundedAccount, amount: string, sun: bigint): Wish => ({
    command: "finality.sendCoins",
    argument: { from: "First", to: to.address, amount },
    asked: { type: "TransferContract", owner: first.hex, to: to.hex, value: sun, data: "" },
    allowed: 0,
  });
  const call = { type: "TriggerSmartContract", owner: first.hex, to: token, value: 0n };
  return [
    coins(second, "1.5", (COIN * 3n) / 2n),
    coins(third, "2", COIN * 2n),
    {
      command: "finality.transferTokens",
      argument: { from: "First", token: toBase58(token), to: second.address, amount: "1.5" },
      asked: { ...call, data: TRANSFER + word(second.hex.slice(2)) + word((COIN * 3n) / 2n) },
      allowed: 0,
    },
    {
      command: "finality.callContract",
      argument: { from: "First", contract: toBase58(token), function: "order", arguments: ["3", third.address] },
      asked: { ...call, data: ORDER + word(3n) + word(third.hex.slice(2)) },
      allowed: 0,
    },
    {
      command: "finality.stake",
      argument: { from: "First", resource: "energy", amount: "5" },
      asked: { type: "FreezeBalanceV2Contract", owner: first.hex, to: "", value: COIN * 5n, data: "1" },
      allowed: 0,
    },
    {
      command: "finality.createAccount",
      argument: { from: "First", to: toBase58(NEWCOMER) },
      asked: { type: "AccountCreateContract", owner: first.hex, to: NEWCOMER, value: 0n, data: "" },
      allowed: 0,
    },
  ];
}

/** Returns the effect of the bytes, read by the codec of the chain. */
export function readDeed(rawDataHex: string): Reading {
  const { raw, contracts, unknownFields, canonical } = decodeRawData(hexToBytes(rawDataHex as Hex));
  const message = (contracts[0]?.message ?? {}) as { [name: string]: unknown };
  const bytes = (name: string): string => bytesToHex((message[name] as Uint8Array | undefined) ?? new Uint8Array());
  const amount = (name: string): bigint => (message[name] as bigint | undefined) ?? 0n;
  const unasked = amount("callTokenValue") !== 0n || amount("tokenId") !== 0n || contracts[0]?.entry.PermissionId !== 0;
  return {
    type: contracts[0]?.type?.name ?? "",
    owner: bytes("ownerAddress"),
    to: bytes("toAddress") || bytes("contractAddress") || bytes("accountAddress"),
    value: amount("amount") || amount("callValue") || amount("frozenBalance"),
    data: bytes("data") || String(message.resource ?? ""),
    feeLimit: raw.feeLimit,
    expiration: Number(raw.expiration),
    besides: unasked || contracts.length !== 1 || raw.data.length > 0 || unknownFields.length > 0 || !canonical,
  };
}

export function isSame(left: Deed, right: Deed): boolean {
  const keys = ["type", "owner", "to", "value", "data"] as const;
  return keys.every((it) => left[it] === right[it]);
}
