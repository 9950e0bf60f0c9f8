import { type Address, bytesToHex, equalBytes } from "@finality/tron/primitives";
import type {
  AssetIssueContract,
  ParticipateAssetIssueContract,
  TransferAssetContract,
  UnfreezeAssetContract,
  UpdateAssetContract,
} from "@finality/tron/schema";
import { type Account, isReadable } from "../chain/account.ts";
import type { Actuator, Execution } from "../chain/execution.ts";
import { addTokens, burn, createdAccount, tokenBalance } from "../chain/ledger.ts";
import { type NodeVersion, versionOf } from "../chain/parameters.ts";
import { invalidContract } from "../chain/refusal.ts";
import { UNUSED } from "../chain/stake.ts";
import { type FrozenSupplyPart, type Token, tokenIdIn } from "../chain/token.ts";
import { validAddress } from "../chain/transaction.ts";

const MAX_LONG = (1n << 63n) - 1n;
const DAY_MS = 86_400_000n;
const MAX_NAME_BYTES = 32;
const MAX_DESCRIPTION_BYTES = 200;
const MAX_URL_BYTES = 256;
const MAX_PRECISION = 6;
const MAX_FROZEN_PARTS = 10;
const MAX_FROZEN_DAYS = 3652n;
/** Upper bound of the bandwidth that an issuer may give its holders, regardless of chain parameters. */
const NET_LIMIT_BOUND = 57_600_000_000n;

/** Issues a token (AssetIssueActuator). */
export const issueToken: Actuator = {
  validate(execution) {
    const message = execution.contract.message as AssetIssueContract;
    if (validAddress(message.ownerAddress) === undefined) throw invalidContract("Invalid ownerAddress");
    checkTexts(message);
    checkTimes(message, execution.now);
    checkNumbers(message);
    checkFrozenSupply(message, versionOf(execution.parameters));
    const account = ownerAccount(execution, "Account not exists");
    if (account.issued.name !== "") throw invalidContract("An account can only issue one asset");
    if (account.balance < issueFee(execution)) throw invalidContract("No enough balance for fee!");
  },

  execute(execution) {
    const { ledger } = execution;
    const message = execution.contract.message as AssetIssueContract;
    const fee = issueFee(execution);
    const newestToken = ledger.totals.newestToken + 1;
    const id = String(newestToken);
    ledger.changeTotals({ newestToken });
    ledger.tables.tokens.set(id, { id, definition: { ...message, id }, publicUse: UNUSED });
    burn(ledger, ownerAccount(execution, "Account not exists"), fee);
    const frozen = frozenParts(message);
    const issued = { name: bytesToHex(message.name), id, frozen };
    const free = message.totalSupply - frozen.reduce((sum, { amount }) => sum + amount, 0n);
    addTokens(ledger, { ...ownerAccount(execution, "Account not exists"), issued }, id, free);
    return { result: "SUCCESS", fee, issued: id };
  },
};

function issueFee({ parameters }: Execution): bigint {
  return BigInt(parameters.getAssetIssueFee);
}

function checkTexts({ name, precision, abbr, url, description }: AssetIssueContract): void {
  if (!isReadable(name, MAX_NAME_BYTES)) throw invalidContract("Invalid assetName");
  if (tokenIdIn(name).toLowerCase() === "trx") throw invalidContract("assetName can't be trx");
  if (precision < 0 || precision > MAX_PRECISION) throw invalidContract("precision cannot exceed 6");
  if (abbr.length > 0 && !isReadable(abbr, MAX_NAME_BYTES)) throw invalidContract("Invalid abbreviation for token");
  checkDescription({ url, description });
}

/** Checks the fields that can be updated later. */
function checkDescription({ url, description }: Pick<AssetIssueContract, "url" | "description">): void {
  if (url.length === 0 || url.length > MAX_URL_BYTES) throw invalidContract("Invalid url");
  if (description.length > MAX_DESCRIPTION_BYTES) throw invalidContract("Invalid description");
}

function checkTimes({ startTime, endTime }: AssetIssueContract, now: number): void {
  if (startTime === 0n) throw invalidContract("Start time should be not empty");
  if (endTime === 0n) throw invalidContract("End time should be not empty");
  if (endTime <= startTime) throw invalidContract("End time should be greater than start time");
  if (startTime <= BigInt(now)) throw invalidContract("Start time should be greater than HeadBlockTime");
}

function checkNumbers(message: AssetIssueContract): void {
  if (message.totalSupply <= 0n) throw invalidContract("TotalSupply must greater than 0!");
  if (message.trxNum <= 0) throw invalidContract("TrxNum must greater than 0!");
  if (message.num <= 0) throw invalidContract("Num must greater than 0!");
  if (message.publicFreeAssetNetUsage !== 0n) throw invalidContract("PublicFreeAssetNetUsage must be 0!");
  if (message.frozenSupply.length > MAX_FROZEN_PARTS) throw invalidContract("Frozen supply list length is too long");
  checkNetLimits(message.freeAssetNetLimit, message.publicFreeAssetNetLimit);
}

function checkNetLimits(each: bigint, together: bigint): void {
  const fits = (limit: bigint): boolean => limit >= 0n && limit < NET_LIMIT_BOUND;
  if (!fits(each)) throw invalidContract("Invalid FreeAssetNetLimit");
  if (!fits(together)) throw invalidContract("Invalid PublicFreeAssetNetLimit");
}

function checkFrozenSupply({ totalSupply, frozenSupply, startTime }: AssetIssueContract, version: NodeVersion): void {
  let left = totalSupply;
  for (const { frozenAmount, frozenDays } of frozenSupply) {
    if (frozenAmount <= 0n) throw invalidContract("Frozen supply must be greater than 0!");
    if (frozenAmount > left) throw invalidContract("Frozen supply cannot exceed total supply");
    if (frozenDays < 1n || frozenDays > MAX_FROZEN_DAYS) {
      throw invalidContract(`frozenDuration must be less than ${MAX_FROZEN_DAYS} days and more than 1 days`);
    }
    if (version !== "4.8.0" && startTime + frozenDays * DAY_MS > MAX_LONG) {
      throw invalidContract("Start time and frozen days would cause expire time overflow");
    }
    left -= frozenAmount;
  }
}

/** Computes due times with Java's wrapping 64-bit sum. */
function frozenParts({ startTime, frozenSupply }: AssetIssueContract): FrozenSupplyPart[] {
  return frozenSupply.map(({ frozenAmount: amount, frozenDays }) => ({
    amount,
    due: BigInt.asIntN(64, startTime + frozenDays * DAY_MS),
  }));
}

/** Transfers a token, and creates the recipient's account if it does not exist (TransferAssetActuator). */
export const transferToken: Actuator = {
  validate(execution) {
    const { ledger } = execution;
    const { amount, assetName } = execution.contract.message as TransferAssetContract;
    const [owner, to] = partiesOf(execution);
    if (amount <= 0n) throw invalidContract("Amount must be greater than 0.");
    if (owner === to) throw invalidContract("Cannot transfer asset to yourself.");
    const account = ownerAccount(execution, "No owner account!");
    const id = tokenIdIn(assetName);
    if (ledger.tables.tokens.get(id) === undefined) throw invalidContract("No asset!");
    const balance = tokenBalance(account, id);
    if (balance <= 0n) throw invalidContract("assetBalance must be greater than 0.");
    if (amount > balance) throw invalidContract("assetBalance is not sufficient.");
    if (account.balance < checkReceiver(execution, to)) {
      throw invalidContract("Validate TransferAssetActuator error, insufficient fee.");
    }
  },

  execute(execution) {
    const { ledger, contract, now } = execution;
    const { amount, assetName } = contract.message as TransferAssetContract;
    const [, to] = partiesOf(execution);
    const fee = checkReceiver(execution, to);
    burn(ledger, ownerAccount(execution, "No owner account!"), fee);
    const receiver = ledger.account(to) ?? createdAccount(ledger, to, now);
    moveTokens(execution, { from: ownerAccount(execution, "No owner account!"), to: receiver, amount }, assetName);
    return { result: "SUCCESS", fee };
  },
};

/** Rejects contracts, which receive tokens by calls only. @returns sun: the cost of creating the receiver's account */
function checkReceiver({ ledger, parameters }: Execution, to: Address): bigint {
  const receiver = ledger.account(to);
  if (receiver === undefined) return BigInt(parameters.getCreateNewAccountFeeInSystemContract);
  if (parameters.getForbidTransferToContract === 1 && receiver.kind === "Contract") {
    throw invalidContract("Cannot transfer asset to smartContract.");
  }
  return 0n;
}

interface Movement {
  readonly from: Account;
  readonly to: Account;
  readonly amount: bigint;
}

function moveTokens({ ledger }: Execution, { from, to, amount }: Movement, name: Uint8Array): void {
  const id = tokenIdIn(name);
  addTokens(ledger, from, id, -amount);
  addTokens(ledger, to, id, amount);
}

/** Buys a token from its issuer at the issue price (ParticipateAssetIssueActuator). */
export const participateInIssue: Actuator = {
  validate(execution) {
    const { ledger, now } = execution;
    const { amount, assetName, toAddress } = execution.contract.message as ParticipateAssetIssueContract;
    const [owner, to] = partiesOf(execution);
    if (amount <= 0n) throw invalidContract("Amount must greater than 0!");
    if (owner === to) throw invalidContract("Cannot participate asset Issue yourself !");
    if (ownerAccount(execution, "Account does not exist!").balance < amount)
      throw invalidContract("No enough balance !");
    const token = ledger.tables.tokens.get(tokenIdIn(assetName));
    if (token === undefined) throw invalidContract(`No asset named ${tokenIdIn(assetName) || "null"}`);
    const { definition } = token;
    if (!equalBytes(toAddress, definition.ownerAddress)) {
      throw invalidContract(`The asset is not issued by ${bytesToHex(toAddress)}`);
    }
    if (BigInt(now) >= definition.endTime || BigInt(now) < definition.startTime) {
      throw invalidContract("No longer valid period!");
    }
    const bought = boughtTokens(token, amount);
    if (bought <= 0n) throw invalidContract("Can not process the exchange!");
    const issuer = ledger.account(to);
    if (issuer === undefined) throw invalidContract("To account does not exist!");
    if (tokenBalance(issuer, token.id) < bought) throw invalidContract("Asset balance is not enough !");
  },

  execute(execution) {
    const { ledger } = execution;
    const { amount, assetName } = execution.contract.message as ParticipateAssetIssueContract;
    const [, to] = partiesOf(execution);
    const token = ledger.tables.tokens.get(tokenIdIn(assetName));
    const issuer = ledger.account(to);
    if (token === undefined || issuer === undefined) throw invalidContract("To account does not exist!");
    const buyer = ownerAccount(execution, "Account does not exist!");
    const [paying, paid] = [
      { ...buyer, balance: buyer.balance - amount },
      { ...issuer, balance: issuer.balance + amount },
    ];
    moveTokens(execution, { from: paid, to: paying, amount: boughtTokens(token, amount) }, assetName);
    return { result: "SUCCESS", fee: 0n };
  },
};

/** @throws {Refusal} Java's numbers are too small for it */
function boughtTokens({ definition: { num, trxNum } }: Token, sun: bigint): bigint {
  const product = sun * BigInt(num);
  if (product > MAX_LONG) throw invalidContract("long overflow");
  return product / BigInt(trxNum);
}

/** Updates the description, the URL and the bandwidth limits of a token (UpdateAssetActuator). */
export const updateToken: Actuator = {
  validate(execution) {
    const { url, description, newLimit, newPublicLimit } = execution.contract.message as UpdateAssetContract;
    if (validAddress(ownerBytesOf(execution)) === undefined) throw invalidContract("Invalid ownerAddress");
    issuedToken(execution, ownerAccount(execution, "Account does not exist"));
    checkDescription({ url, description });
    checkNetLimits(newLimit, newPublicLimit);
  },

  execute(execution) {
    const message = execution.contract.message as UpdateAssetContract;
    const token = issuedToken(execution, ownerAccount(execution, "Account does not exist"));
    const definition = {
      ...token.definition,
      url: message.url,
      description: message.description,
      freeAssetNetLimit: message.newLimit,
      publicFreeAssetNetLimit: message.newPublicLimit,
    };
    execution.ledger.tables.tokens.set(token.id, { ...token, definition });
    return { result: "SUCCESS", fee: 0n };
  },
};

function issuedToken({ ledger }: Execution, { issued: { id } }: Account): Token {
  if (id === "") throw invalidContract("Account has not issued any asset");
  const token = ledger.tables.tokens.get(id);
  if (token === undefined) throw invalidContract("Asset is not existed in AssetIssueV2Store");
  return token;
}

/** Releases due parts of the issuer's frozen supply (UnfreezeAssetActuator). */
export const unfreezeSupply: Actuator = {
  validate(execution) {
    const owner = ownerBytesOf(execution);
    if (validAddress(owner) === undefined) throw invalidContract("Invalid address");
    const { issued } = ownerAccount(execution, `Account[${bytesToHex(owner)}] does not exist`);
    if (issued.frozen.length === 0) throw invalidContract("no frozen supply balance");
    if (issued.id === "") throw invalidContract("this account has not issued any asset");
    if (!issued.frozen.some(({ due }) => due <= BigInt(execution.now))) {
      throw invalidContract("It's not time to unfreeze asset supply");
    }
  },

  execute(execution) {
    const account = ownerAccount(execution, "Invalid address");
    const { issued } = account;
    const isDue = ({ due }: FrozenSupplyPart): boolean => due <= BigInt(execution.now);
    const amount = issued.frozen.filter(isDue).reduce((sum, part) => sum + part.amount, 0n);
    const frozen = issued.frozen.filter((it) => !isDue(it));
    addTokens(execution.ledger, { ...account, issued: { ...issued, frozen } }, issued.id, amount);
    return { result: "SUCCESS", fee: 0n };
  },
};

function ownerBytesOf({ contract }: Execution): Uint8Array {
  return (contract.message as UpdateAssetContract | UnfreezeAssetContract).ownerAddress;
}

/** @throws {Refusal} the chain does not know it */
function ownerAccount(execution: Execution, unknown: string): Account {
  const owner = validAddress(ownerBytesOf(execution));
  const account = owner && execution.ledger.account(owner);
  if (account === undefined) throw invalidContract(unknown);
  return account;
}

/** @throws {Refusal} one of them is no address */
function partiesOf({ contract }: Execution): readonly [owner: Address, to: Address] {
  const { ownerAddress, toAddress } = contract.message as TransferAssetContract | ParticipateAssetIssueContract;
  const [owner, to] = [validAddress(ownerAddress), validAddress(toAddress)];
  if (owner === undefined) throw invalidContract("Invalid ownerAddress");
  if (to === undefined) throw invalidContract("Invalid toAddress");
  return [owner, to];
}
