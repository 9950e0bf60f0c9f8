import { isMessage, toBinary } from "@bufbuild/protobuf";
import { type Address, addressFromBytes, type Hex, type TxId, transactionId } from "@finality/tron/primitives";
import {
  type Contract,
  type Raw,
  ShieldedTransferContractSchema,
  type Transaction,
  TransactionSchema,
} from "@finality/tron/schema";
import {
  type ContractResult,
  contractTypeByNumber,
  type DecodedContract,
  decodeContract,
  encodeRawData,
  transactionBytes,
  typeName,
} from "@finality/tron/transaction";
import type { StakeOutcome } from "./stake.ts";
import type { TokenBalances, TokenId } from "./token.ts";
import type { Fill, OrderId } from "./trading.ts";

/** A transaction as it came in, decoded once. */
export interface ChainTransaction {
  readonly id: TxId;
  readonly raw: Raw;
  readonly signatures: readonly Uint8Array[];
  /** The first contract; a transaction that is accepted has exactly one. */
  readonly contract: DecodedContract | undefined;
  /** Serialised: what was signed, and the signatures. */
  readonly bytes: Uint8Array;
  /** How many bytes it came in, without `ret`: more than these when there was something besides that nobody knows. */
  readonly size: number;
}

/** What the execution of a transaction did. */
export interface TransactionInfo {
  readonly result: ContractResult;
  /** Sun, everything together. */
  readonly fee: bigint;
  readonly netUsage: bigint;
  readonly netFee: bigint;
  /** Present when code ran. */
  readonly outcome?: ContractOutcome;
  /** Present when a stake came back. */
  readonly stake?: StakeOutcome;
  /** Sun of rewards that are in the balance now. */
  readonly reward?: bigint;
  /** Sun of the fee that the producer of the block gets. */
  readonly packingFee?: bigint;
  /** The token that was issued. */
  readonly issued?: TokenId;
  readonly trade?: TradeOutcome;
}

/** What an exchange or the market leaves in a receipt, in smallest units. */
export interface TradeOutcome {
  /** The exchange that was made. */
  readonly exchange?: bigint;
  readonly received?: bigint;
  readonly injected?: bigint;
  readonly withdrawn?: bigint;
  /** The order that was made. */
  readonly order?: OrderId;
  readonly fills?: readonly Fill[];
}

/** What the execution of code leaves in a receipt. */
export interface ContractOutcome {
  readonly contractAddress: Address;
  /** `contractResult`: what the code returned, or the data of its revert. */
  readonly returned: Hex;
  readonly energy: EnergyUse;
  readonly logs: readonly ContractLog[];
  readonly internal?: readonly InternalTransaction[];
  /** Why it failed, else empty. */
  readonly message: string;
}

/** Energy by who paid for it; `fee` is sun. */
export interface EnergyUse {
  readonly total: bigint;
  readonly fromCaller: bigint;
  readonly fromOwner: bigint;
  readonly fee: bigint;
  readonly penalty: bigint;
}

/** What one contract did to another account. */
export interface InternalTransaction {
  readonly hash: Hex;
  /** What it was: `call`, `create`, `suicide`, `freezeBalanceV2ForEnergy`… */
  readonly note: string;
  readonly from: Address;
  /** Absent for votes. */
  readonly to?: Address;
  /** Sun. */
  readonly value: bigint;
  readonly tokens?: TokenBalances;
  /** What votes were given, as JSON. */
  readonly extra?: string;
  /** It was undone, with what was around it. */
  readonly rejected: boolean;
}

export interface ContractLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface IncludedTransaction {
  readonly transaction: ChainTransaction;
  /** Absent in the genesis block, whose transactions were never executed. */
  readonly info?: TransactionInfo;
}

/** A transaction of whatever came: what the node cannot read of it is kept, and its id is that of these bytes. */
export function chainTransaction(message: Transaction | { rawData: Raw; signature: Uint8Array[] }): ChainTransaction {
  const raw = message.rawData;
  if (raw === undefined) throw new TypeError("A transaction without raw_data.");
  const signatures = message.signature;
  const [entry] = raw.contract;
  const rawData = encodeRawData(raw);
  const bytes = transactionBytes(rawData, signatures);
  return {
    id: transactionId(rawData),
    raw,
    signatures,
    contract: entry === undefined ? undefined : unpackContract(entry),
    bytes,
    size: "$unknown" in message && message.$unknown !== undefined ? sizeOf(message) : bytes.length,
  };
}

/** The account that a contract acts for, or undefined when the message has no valid one. */
export function ownerOf(contract: DecodedContract): Address | undefined {
  return validAddress(ownerBytes(contract));
}

/** What stands where the owner does: nothing in a contract that the node cannot read. */
export function ownerBytes({ message }: DecodedContract): Uint8Array {
  if (isMessage(message, ShieldedTransferContractSchema)) return message.transparentFromAddress;
  const { ownerAddress } = (message ?? {}) as { ownerAddress?: Uint8Array };
  return ownerAddress ?? new Uint8Array();
}

/** An address is valid when it has 21 bytes and begins with 41 (DecodeUtil.addressValid). */
export function validAddress(bytes: Uint8Array | undefined): Address | undefined {
  return bytes?.length === 21 && bytes[0] === 0x41 ? addressFromBytes(bytes) : undefined;
}

function sizeOf(message: Transaction): number {
  return toBinary(TransactionSchema, { ...message, ret: [] }).length;
}

/** A transaction of the shielded pool, which no chain of today lets in. */
export const SHIELDED = "ShieldedTransferContract";

/**
 * A contract as the node unpacks it: what it cannot read stays as it came, without a message, and has no owner. That is
 * a type without a message, a `type_url` that names another one, and bytes that do not fit (TransactionCapsule.getOwner).
 */
export function unpackContract(entry: Contract): DecodedContract {
  const type = contractTypeByNumber(entry.type);
  const unread = { entry, type, message: undefined };
  if (type === undefined || nameIn(entry.parameter?.typeUrl ?? "") !== typeName(type)) return unread;
  try {
    return decodeContract(entry);
  } catch {
    return unread;
  }
}

/** What follows the last slash; without a slash there is no name. */
function nameIn(typeUrl: string): string | undefined {
  return typeUrl.includes("/") ? typeUrl.slice(typeUrl.lastIndexOf("/") + 1) : undefined;
}
