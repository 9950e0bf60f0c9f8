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

/** A received transaction, decoded once. */
export interface ChainTransaction {
  readonly id: TxId;
  readonly raw: Raw;
  readonly signatures: readonly Uint8Array[];
  /** First contract; an accepted transaction has exactly one. */
  readonly contract: DecodedContract | undefined;
  /** Serialised raw data and signatures. */
  readonly bytes: Uint8Array;
  /** Received size without `ret`, which includes unknown fields. */
  readonly size: number;
}

/** Result of an executed transaction. */
export interface TransactionInfo {
  readonly result: ContractResult;
  /** Total in sun. */
  readonly fee: bigint;
  readonly netUsage: bigint;
  readonly netFee: bigint;
  /** Present when code ran. */
  readonly outcome?: ContractOutcome;
  /** Present when a stake was withdrawn or cancelled. */
  readonly stake?: StakeOutcome;
  /** Sun of rewards that were moved into the balance. */
  readonly reward?: bigint;
  /** Sun of the fee for the block's producer. */
  readonly packingFee?: bigint;
  /** Token that was issued. */
  readonly issued?: TokenId;
  readonly trade?: TradeOutcome;
}

/** Result of an exchange or market contract, in smallest units. */
export interface TradeOutcome {
  /** Created exchange. */
  readonly exchange?: bigint;
  readonly received?: bigint;
  readonly injected?: bigint;
  readonly withdrawn?: bigint;
  /** Created order. */
  readonly order?: OrderId;
  readonly fills?: readonly Fill[];
}

/** Result of code in a receipt. */
export interface ContractOutcome {
  readonly contractAddress: Address;
  /** `contractResult`: returned data, or the data of a revert. */
  readonly returned: Hex;
  readonly energy: EnergyUse;
  readonly logs: readonly ContractLog[];
  readonly internal?: readonly InternalTransaction[];
  /** Reason of a failure, else empty. */
  readonly message: string;
}

/** Energy by payer; `fee` is in sun. */
export interface EnergyUse {
  readonly total: bigint;
  readonly fromCaller: bigint;
  readonly fromOwner: bigint;
  readonly fee: bigint;
  readonly penalty: bigint;
}

/** An internal transaction. */
export interface InternalTransaction {
  readonly hash: Hex;
  /** Kind: `call`, `create`, `suicide`, `freezeBalanceV2ForEnergy`… */
  readonly note: string;
  readonly from: Address;
  /** Absent for votes. */
  readonly to?: Address;
  /** Sun. */
  readonly value: bigint;
  readonly tokens?: TokenBalances;
  /** Votes as JSON. */
  readonly extra?: string;
  /** True if it was reverted. */
  readonly rejected: boolean;
}

export interface ContractLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface IncludedTransaction {
  readonly transaction: ChainTransaction;
  /** Absent in the genesis block, whose transactions are not executed. */
  readonly info?: TransactionInfo;
}

/** Creates a transaction. Unknown fields are kept, and the id is that of the received bytes. */
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

/** Returns the owner of a contract, or undefined if it is not a valid address. */
export function ownerOf(contract: DecodedContract): Address | undefined {
  return validAddress(ownerBytes(contract));
}

/** Returns the owner field; empty for an unreadable contract. */
export function ownerBytes({ message }: DecodedContract): Uint8Array {
  if (isMessage(message, ShieldedTransferContractSchema)) return message.transparentFromAddress;
  const { ownerAddress } = (message ?? {}) as { ownerAddress?: Uint8Array };
  return ownerAddress ?? new Uint8Array();
}

/** Returns the address if it has 21 bytes and the prefix 41 (DecodeUtil.addressValid). */
export function validAddress(bytes: Uint8Array | undefined): Address | undefined {
  return bytes?.length === 21 && bytes[0] === 0x41 ? addressFromBytes(bytes) : undefined;
}

function sizeOf(message: Transaction): number {
  return toBinary(TransactionSchema, { ...message, ret: [] }).length;
}

/** Type of the shielded pool, which current chains refuse. */
export const SHIELDED = "ShieldedTransferContract";

/**
 * Unpacks a contract as the node does. An unknown type, a mismatching `type_url` or invalid bytes leave it without
 * message and owner (TransactionCapsule.getOwner).
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

/** Returns the text after the last slash, or undefined. */
function nameIn(typeUrl: string): string | undefined {
  return typeUrl.includes("/") ? typeUrl.slice(typeUrl.lastIndexOf("/") + 1) : undefined;
}
