import { toBase58 } from "@finality/tron/primitives";
import type { TransferAssetContract, TransferContract } from "@finality/tron/schema";
import type { ContractResult, DecodedContract } from "@finality/tron/transaction";
import type { Account } from "./account.ts";
import type { ChainContext } from "./block.ts";
import { burn, Ledger } from "./ledger.ts";
import type { ChainParameters } from "./parameters.ts";
import { insufficientResources, invalidContract, Refusal } from "./refusal.ts";
import {
  type BandwidthCost,
  type Payment,
  payAccountCreation,
  payBandwidth,
  transferredToken,
  useIssuerBandwidth,
} from "./resources.ts";
import type { StakeOutcome } from "./stake.ts";
import type { TokenId } from "./token.ts";
import {
  type ChainTransaction,
  type ContractOutcome,
  ownerOf,
  SHIELDED,
  type TradeOutcome,
  type TransactionInfo,
  validAddress,
} from "./transaction.ts";

export interface Execution {
  readonly ledger: Ledger;
  readonly parameters: ChainParameters;
  readonly contract: DecodedContract;
  /** Transaction of the contract; absent while a builder validates it. */
  readonly transaction?: ChainTransaction;
  /** Chain time in ms of the newest block. */
  readonly now: number;
  /** Chain data that code can read; absent while a builder validates. */
  readonly context?: ChainContext;
}

export interface ExecutionResult {
  readonly result: ContractResult;
  /** Sun of the contract's own fee, without bandwidth. */
  readonly fee: bigint;
  /** Present when code ran. The energy fee is not in `fee`. */
  readonly outcome?: ContractOutcome;
  /** Present when a stake was withdrawn or cancelled. */
  readonly stake?: StakeOutcome;
  /** Token that was issued. */
  readonly issued?: TokenId;
  readonly trade?: TradeOutcome;
  /** Sun of rewards that were moved into the balance. */
  readonly reward?: bigint;
}

/** Validation and execution of one contract type. Types that run code use the virtual machine in `vm/`. */
export interface Actuator {
  /** Makes the checks of builders and broadcast. It changes nothing. @throws {Refusal} `CONTRACT_VALIDATE_ERROR` */
  validate(execution: Execution): void;
  /** Applies the contract to the ledger. @throws {Refusal} `CONTRACT_EXE_ERROR` */
  execute(execution: Execution): ExecutionResult;
}

/** Actuators by contract type. */
export interface Actuators {
  readonly [type: string]: Actuator;
}

/** @throws {Refusal} `CONTRACT_VALIDATE_ERROR` the type is one that this chain does not execute (yet) */
export function actuatorFor(actuators: Actuators, { type, entry }: DecodedContract): Actuator {
  const actuator = type === undefined ? undefined : actuators[type.name];
  if (actuator !== undefined) return actuator;
  throw invalidContract(`this local chain does not execute ${type?.name ?? `contract type ${entry.type}`} yet`);
}

/** Bytes that java-tron adds to each contract for bandwidth. */
const RESULT_BYTES = 64;
const SIGNATURE_BYTES = 65;

export interface ExecutionContext {
  readonly actuators: Actuators;
  readonly parameters: ChainParameters;
  /** Chain time in ms of the parent of the block in production. */
  readonly now: number;
  readonly context: ChainContext;
}

/**
 * Pays for and executes a transaction in the node's order: bandwidth, multi-sign fee, memo fee, contract. The ledger
 * changes only if all steps succeed.
 *
 * @throws {Refusal} the transaction cannot be in a block now
 */
export function executeTransaction(
  ledger: Ledger,
  transaction: ChainTransaction,
  context: ExecutionContext,
): TransactionInfo {
  const layer = new Ledger(ledger);
  const poolBefore = ledger.totals.feePool;
  const contract = contractOf(transaction);
  const payment = { ledger: layer, ...context };
  const cost = payForBytes(payment, transaction, contract);
  const extras = payExtras(payment, transaction, contract);
  const actuator = actuatorFor(context.actuators, contract);
  const execution = { ...payment, contract, transaction };
  actuator.validate(execution);
  const { result, fee, outcome, stake, reward, issued, trade } = actuator.execute(execution);
  layer.commit();
  const energyFee = outcome?.energy.fee ?? 0n;
  return {
    result,
    ...cost,
    fee: fee + extras + cost.netFee + energyFee,
    ...(outcome && { outcome }),
    ...(stake && { stake }),
    ...(issued && { issued }),
    ...(trade && { trade }),
    ...(reward && { reward }),
    ...(context.parameters.getAllowTransactionFeePool === 1 && { packingFee: layer.totals.feePool - poolBefore }),
  };
}

function contractOf({ contract }: ChainTransaction): DecodedContract {
  if (contract === undefined) throw invalidContract("No contract!");
  if (contract.type?.name === SHIELDED) {
    throw invalidContract("Not support Shielded Transaction, need to be opened by the committee");
  }
  return contract;
}

function payer(ledger: Ledger, contract: DecodedContract): Account {
  const owner = ownerOf(contract);
  if (owner === undefined) throw invalidContract("Invalid ownerAddress!");
  const account = ledger.account(owner);
  if (account === undefined) throw invalidContract(`account [${toBase58(owner)}] does not exist`);
  return account;
}

function payForBytes(payment: Payment, transaction: ChainTransaction, contract: DecodedContract): BandwidthCost {
  const account = payer(payment.ledger, contract);
  const bytes = BigInt(transaction.size + RESULT_BYTES);
  if (!createsAccount(payment.ledger, contract)) {
    return payFromIssuer(payment, account, contract, bytes) ?? payBandwidth(payment, account, bytes);
  }
  checkCreationSize(transaction, payment.parameters);
  return payAccountCreation(payment, account, bytes);
}

/** Pays for a token transfer with the issuer's bandwidth where possible. */
function payFromIssuer(
  payment: Payment,
  sender: Account,
  { type, message }: DecodedContract,
  bytes: bigint,
): BandwidthCost | undefined {
  if (type?.name !== "TransferAssetContract") return undefined;
  const token = transferredToken(payment.ledger, (message as TransferAssetContract).assetName);
  return useIssuerBandwidth(payment, sender, token, bytes) ? { netUsage: bytes, netFee: 0n } : undefined;
}

function createsAccount(ledger: Ledger, { type, message }: DecodedContract): boolean {
  if (type?.name === "AccountCreateContract") return true;
  if (type?.name !== "TransferContract" && type?.name !== "TransferAssetContract") return false;
  const to = validAddress((message as TransferContract | TransferAssetContract).toAddress);
  return to !== undefined && ledger.account(to) === undefined;
}

function checkCreationSize({ id, size, signatures }: ChainTransaction, parameters: ChainParameters): void {
  const own = size - SIGNATURE_BYTES * signatures.length;
  const max = parameters.getMaxCreateAccountTxSize;
  if (own > max) {
    const text = `Too big new account transaction, TxId ${id}, the size is ${own} bytes, maxTxSize ${max}`;
    throw new Refusal("TOO_BIG_TRANSACTION_ERROR", text);
  }
}

/** Charges the multi-sign fee and the memo fee. @returns sun */
function payExtras({ ledger, parameters }: Payment, transaction: ChainTransaction, contract: DecodedContract): bigint {
  const multiSign = transaction.signatures.length > 1 ? parameters.getMultiSignFee : 0;
  const memo = transaction.raw.data.length > 0 ? parameters.getMemoFee : 0;
  for (const fee of [multiSign, memo].map(BigInt)) {
    const account = payer(ledger, contract);
    if (account.balance < fee) throw insufficientResources();
    if (fee > 0n) burn(ledger, account, fee);
  }
  return BigInt(multiSign + memo);
}
