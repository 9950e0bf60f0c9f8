import { type AnyChainError, isChainError } from "@finality/tron/errors";
import { type Address, type BlockId, defined, type Hex, hex, type Sun, sun } from "@finality/tron/primitives";
import { DEFAULT_EXPIRATION_AHEAD_MS, encodeRawData, rawDataFromIntent } from "@finality/tron/transaction";
import type {
  Account,
  ChainParameters,
  ContractGateway,
  ContractRun,
  DeployedContract,
  EventLog,
  Gateway,
  Head,
  SimulatedRun,
} from "../gateway/gateway.ts";
import {
  type CallEstimate,
  type CodeIntent,
  type EstimatedCall,
  type LimitEffect,
  ORDINARY_ENERGY,
  requiredEnergyOf,
  STIPEND,
  type Unavailability,
} from "./call-estimate.ts";
import {
  bandwidthOf,
  type CallCost,
  type CallFacts,
  callCost,
  energyLeft,
  energyPrice,
  type OwnerShare,
} from "./costs.ts";
import { type CodeRun, mayObserveLimit } from "./limit-observers.ts";

/** Queries that an estimate needs. */
export type EstimateSource = Pick<Gateway, "headBlock" | "account" | "accountResources" | "chainParameters"> &
  ContractGateway;

const NOTHING = sun(0n);

/**
 * Estimates the cost of a call or deployment: by a constant call, and by `estimateenergy` if the node has it. Sends no
 * transaction. Failures are part of the estimate, never a `ChainError`.
 *
 * @param signatures - Number of signatures on the transaction. They are bytes, and more than one costs a fee.
 */
export async function estimateCall(
  source: EstimateSource,
  intent: CodeIntent,
  signatures = 1,
  signal?: AbortSignal,
): Promise<CallEstimate> {
  const measured = await measureCall(source, intent, signatures, signal);
  return measured.kind === "measured" ? priceCall(measured, intent) : measured;
}

/** Measurement of a successful run: everything that its price depends on except the `fee_limit`. */
export interface MeasuredCall extends Omit<EstimatedCall, "kind" | "cost" | "accuracy"> {
  readonly kind: "measured";
  /** Energy under one energy limit, undefined if it cannot be measured; only if the effect of the limit is `seen`. */
  readonly underLimit?: { readonly limit: bigint; readonly energy?: bigint };
  readonly signatures: number;
  /** Time of the block `height`; ms of chain time. */
  readonly head: Head;
  readonly facts: Pick<CallFacts, "balance" | "resources" | "energyStake" | "owner">;
  readonly parameters: ChainParameters;
}

/** Measures like `estimateCall`, with a result that is valid for every `fee_limit`. */
export async function measureCall(
  source: EstimateSource,
  intent: CodeIntent,
  signatures = 1,
  signal?: AbortSignal,
): Promise<MeasuredCall | Exclude<CallEstimate, EstimatedCall>> {
  try {
    const head = await source.headBlock(signal);
    const simulated = await simulate(source, intent, head.number, signal);
    if ("kind" in simulated) return simulated;
    const parameters = await source.chainParameters(signal);
    const price = energyPrice(parameters);
    if (price === undefined) return { kind: "unpriced", energy: simulated.energyUsed, height: head.number };
    const known = await measured(source, { intent, signatures, head, simulated, parameters, price }, signal);
    return known.limitEffect === "seen" ? await measuredUnderLimit(source, known, intent, signal) : known;
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "unavailable", reason: reasonOf(error), error };
  }
}

interface Simulated {
  readonly intent: CodeIntent;
  readonly signatures: number;
  readonly head: Head;
  readonly simulated: SimulatedRun;
  readonly parameters: ChainParameters;
  readonly price: bigint;
}

/** Outcome of a constant call. */
export type CallOutcome =
  | {
      readonly kind: "returned";
      /** Return value of the call, or code of the deployment. */
      readonly returned: Hex;
      readonly energy: bigint;
      readonly events: readonly EventLog[];
    }
  | { readonly kind: "reverted"; readonly data: Hex; readonly energy: bigint }
  /** The machine stopped the run: `exception` is the node's name for it. */
  | { readonly kind: "halted"; readonly exception: string; readonly message: string };

/**
 * Runs a call or deployment on the newest state without storing anything.
 *
 * @throws {ChainError} The gateway gives no outcome.
 */
export async function runConstantCall(
  source: Pick<ContractGateway, "constantCall">,
  intent: CodeIntent,
  signal?: AbortSignal,
): Promise<CallOutcome> {
  try {
    const { reverted, returned, energyUsed: energy, events } = await source.constantCall(contractRunOf(intent), signal);
    return reverted ? { kind: "reverted", data: returned, energy } : { kind: "returned", returned, energy, events };
  } catch (error) {
    const halt = isChainError(error) ? haltOf(error) : undefined;
    if (halt === undefined) throw error;
    return { kind: "halted", ...halt };
  }
}

async function simulate(
  source: EstimateSource,
  intent: CodeIntent,
  height: number,
  signal?: AbortSignal,
): Promise<SimulatedRun | Exclude<CallEstimate, EstimatedCall>> {
  try {
    const run = await source.constantCall(contractRunOf(intent), signal);
    return run.reverted ? { kind: "reverted", data: run.returned, height } : run;
  } catch (error) {
    const halt = isChainError(error) ? haltOf(error) : undefined;
    if (halt === undefined) throw error;
    return { kind: "halted", ...halt, height };
  }
}

async function measured(source: EstimateSource, it: Simulated, signal?: AbortSignal): Promise<MeasuredCall> {
  const { intent, simulated, head, signatures, parameters, price } = it;
  const { energyUsed: energy, energyPenalty: penalty, returned } = simulated;
  const [account, resources, sufficient, contract, isYoung] = await Promise.all([
    source.account(intent.owner, signal),
    source.accountResources(intent.owner, signal),
    sufficientEnergy(source, intent, signal),
    contractOf(source, intent, signal),
    isUnsolidified(source, intent, signal),
  ]);
  const limits = maximumOf(parameters);
  const code = codeRunOf(intent, contract);
  const owner = contract && (await shareOf(source, contract, intent, signal));
  return {
    kind: "measured",
    energy,
    penalty,
    sufficient,
    price,
    ...limits,
    limitEffect: effectOf(code, { energy, sufficient, price, ...limits }),
    isUpperBound: intent.kind === "contract-call" && contract === undefined,
    isYoung,
    returned,
    height: head.number,
    head,
    signatures,
    parameters,
    facts: {
      ...stakeOf(account),
      balance: account === undefined ? NOTHING : account.balance,
      resources,
      owner,
    },
  };
}

function stakeOf(account: Account | undefined): Pick<CallFacts, "energyStake"> {
  return account?.energyStake === undefined ? {} : { energyStake: account.energyStake };
}

/**
 * Returns the effect of the limit on a run.
 *
 * @param run - Code and input; undefined if the node does not return the code.
 * @param figures - Sufficient energy below the used energy shows an effect, and so does sufficient energy far above it.
 */
function effectOf(
  run: CodeRun | undefined,
  figures: Pick<MeasuredCall, "energy" | "sufficient" | "price">,
): LimitEffect {
  if (run !== undefined && !mayObserveLimit(run)) return "none";
  const { energy, sufficient } = figures;
  if (energy > ORDINARY_ENERGY) return "seen";
  if (sufficient === undefined) return "possible";
  const most = requiredEnergyOf({ ...figures, peak: energy + STIPEND });
  return sufficient < energy || sufficient > most ? "seen" : "possible";
}

function codeRunOf(intent: CodeIntent, contract: DeployedContract | undefined): CodeRun | undefined {
  const { callValue } = intent;
  if (intent.kind === "contract-creation") return { code: intent.bytecode, data: hex(""), callValue };
  const code = contract?.runtimeCode;
  return code === undefined || code === "" ? undefined : { code, data: intent.data, callValue };
}

/** Measures the energy under the limit of the intent too. Without a result, the limit is an upper bound. */
async function measuredUnderLimit(
  source: EstimateSource,
  measured: MeasuredCall,
  intent: CodeIntent,
  signal?: AbortSignal,
): Promise<MeasuredCall> {
  const { owner, callValue } = intent;
  const limit = priceCall(measured, intent).cost.energyLimit;
  const canMeasure = intent.kind === "contract-call" && intent.tokenValue === undefined;
  const call = canMeasure ? { owner, callValue, contract: intent.contract, data: intent.data, limit } : undefined;
  const run = call && limitedRun(call);
  const answer = run && (await optional(source.constantCall(run, signal)));
  const energy = answer === undefined || answer.reverted ? undefined : limitedEnergy(answer.returned, { callValue });
  return { ...measured, underLimit: energy === undefined ? { limit } : { limit, energy } };
}

/** Returns true if the measurement covers the `fee_limit` of this intent. */
export function wasMeasuredFor(measured: MeasuredCall, intent: CodeIntent): boolean {
  if (measured.limitEffect !== "seen") return true;
  return measured.underLimit?.limit === priceCall(measured, intent).cost.energyLimit;
}

/**
 * Prices a measured call for the `fee_limit` of an intent, without a request.
 *
 * @param intent - The measured one; only its `fee_limit` may differ.
 */
export function priceCall(measured: MeasuredCall, intent: CodeIntent): EstimatedCall {
  const { kind: _, facts, parameters, signatures, head, underLimit, ...figures } = measured;
  const { feeLimit, callValue } = intent;
  const bandwidth = bandwidthAt(head, intent, signatures);
  const bill = { ...facts, feeLimit, callValue, signatures, bandwidth, hasMemo: hasMemo(intent) };
  const costOf = (runEnergy: RunEnergy): CallCost => callCost({ ...bill, ...runEnergy }, parameters, measured.price);
  const plain = { kind: "estimated", ...figures, accuracy: "exact", cost: costOf(energyNeeded(measured)) } as const;
  if (measured.limitEffect !== "seen") return plain;
  const limit = plain.cost.energyLimit;
  if (underLimit?.energy !== undefined && underLimit.limit === limit) {
    const { energy } = underLimit;
    return { ...plain, energy, accuracy: "measured", cost: costOf({ energy, required: limit }) };
  }
  const energy = limit > 0n && limit < measured.energy ? limit : measured.energy;
  return { ...plain, energy, accuracy: "at-most", cost: costOf({ ...energyNeeded(measured), energy }) };
}

type RunEnergy = Pick<CallFacts, "energy" | "required">;

/** Uses the figure of `estimateenergy` where the limit has an effect, because the node tried it. */
function energyNeeded({ energy, sufficient, limitEffect }: MeasuredCall): RunEnergy {
  return limitEffect === "seen" && sufficient !== undefined ? { energy, required: sufficient } : { energy };
}

function hasMemo({ memo }: CodeIntent): boolean {
  return memo !== undefined && memo !== "";
}

function maximumOf(parameters: ChainParameters): { readonly maxFeeLimit?: Sun } {
  const maximum = parameters.get("getMaxFeeLimit");
  return maximum === undefined ? {} : { maxFeeLimit: sun(maximum) };
}

/** Only the length matters. */
const ANY_BLOCK = "00".repeat(32) as BlockId;

/** Returns the length of the signed transaction. */
function bandwidthAt({ id, timestamp }: MeasuredCall["head"], intent: CodeIntent, signatures: number): bigint {
  const validity = { referenceBlock: id ?? ANY_BLOCK, timestamp, expiration: timestamp + DEFAULT_EXPIRATION_AHEAD_MS };
  return bandwidthOf(encodeRawData(rawDataFromIntent(intent, validity)).length, signatures);
}

/** `undefined` if the node does not offer it, or returns no result for this run. */
/**
 * Result of `estimateenergy`, which older nodes lack (gateway document, Versioning). The constant call suffices without
 * it, so its failure fails the estimate only if the gateway requested a pause.
 */
async function sufficientEnergy(
  source: EstimateSource,
  intent: CodeIntent,
  signal?: AbortSignal,
): Promise<bigint | undefined> {
  try {
    return await source.estimateEnergy(contractRunOf(intent), signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isChainError(error) || error.code === "GATEWAY_RATE_LIMITED") throw error;
    return undefined;
  }
}

async function contractOf(
  source: EstimateSource,
  intent: CodeIntent,
  signal?: AbortSignal,
): Promise<DeployedContract | undefined> {
  return intent.kind === "contract-call" ? await optional(source.deployedContract(intent.contract, signal)) : undefined;
}

/** A gateway without solidified data gives no result here. */
async function isUnsolidified(source: EstimateSource, intent: CodeIntent, signal?: AbortSignal): Promise<boolean> {
  return intent.kind === "contract-call" && (await optional(source.isSolid(intent.contract, signal))) === false;
}

const NOT_REPORTED: ReadonlySet<string> = new Set(["NODE_REFUSED", "GATEWAY_HTTP_STATUS", "PATH_NOT_SERVED"]);

/** A refusal means that there is no such result; a gateway that does not answer is reported. */
async function optional<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isChainError(error) && NOT_REPORTED.has(error.code)) return undefined;
    throw error;
  }
}

/** The owner's own calls have no shared energy. */
async function shareOf(
  source: EstimateSource,
  contract: DeployedContract,
  { owner: caller }: CodeIntent,
  signal?: AbortSignal,
): Promise<OwnerShare | undefined> {
  if (contract.owner === caller || contract.callerPercent >= 100n) return undefined;
  const [resources, account] = await Promise.all([
    source.accountResources(contract.owner, signal),
    source.account(contract.owner, signal),
  ]);
  return {
    callerPercent: contract.callerPercent,
    energyLimit: contract.ownerEnergyLimit,
    energyLeft: energyLeft(resources, account?.energyStake),
  };
}

/** Returns the run of a call or deployment that a node can simulate. */
export function contractRunOf(intent: CodeIntent): ContractRun {
  const { owner, callValue } = intent;
  if (intent.kind === "contract-creation") return { owner, data: intent.bytecode, callValue };
  const { contract, data, tokenId, tokenValue } = intent;
  return {
    owner,
    contract,
    data,
    callValue,
    ...defined({ tokenId, tokenValue }),
  };
}

/**
 * Returns the exception with which a constant call halted. The node names it:
 * `class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout …`.
 */
export function haltOf(error: AnyChainError): { exception: string; message: string } | undefined {
  if (error.code !== "NODE_REFUSED" || error.details.code !== "OTHER_ERROR") return undefined;
  const [, exception, message] =
    /^class org\.tron\.core\.vm\.[\w.]+\$(\w+) : ([\s\S]*)$/.exec(error.details.message) ?? [];
  return exception === undefined || message === undefined ? undefined : { exception, message };
}

function reasonOf(error: AnyChainError): Unavailability {
  if (error.code !== "NODE_REFUSED") return "gateway";
  const { message } = error.details;
  if (message.includes("does not support constant")) return "constant-calls-off";
  if (message.includes("Smart contract is not exist")) return "contract-absent";
  return /balance is not sufficient|no OwnerAccount/.test(message) ? "balance" : "gateway";
}

/** Call that runs with less energy than nodes give to constant calls. */
export interface LimitedCall {
  readonly owner: Address;
  readonly contract: Address;
  readonly data: Hex;
  readonly callValue: Sun;
  /** Energy. */
  readonly limit: bigint;
}

/** Energy of a call with coins, and energy of the wrapper code. */
const VALUE_PRICE = 9_000n;
const AROUND = 62n;

/** A constant call forwards at most 63/64 of its 100,000,000 energy, and its own code uses some. */
const LARGEST_LIMIT = 95_000_000n;

/**
 * Returns the constant call that measures a call under an energy limit: nodes ignore `fee_limit` there, so code is run
 * that calls the contract with that much energy. The contract sees another caller; undefined for an impossible limit.
 */
export function limitedRun({ owner, contract, data, callValue, limit }: LimitedCall): ContractRun | undefined {
  const given = callValue > 0n ? limit - STIPEND : limit;
  if (given <= 0n || limit > LARGEST_LIMIT) return undefined;
  const size = word(BigInt(data.length / 2), 4);
  const head = (offset: number): string =>
    [
      `63${size}61${word(BigInt(offset), 2)}600039`, // CODECOPY(0, offset, size)
      `5a`, // GAS: before
      `6000600063${size}6000`, // output size and offset, input size and offset
      `3473${contract.slice(2)}63${word(given, 4)}f1`, // CALLVALUE, address, energy, CALL
      `5a604052`, // GAS: after, to 0x40
      `600052602052`, // success to 0x00, before to 0x20
      `60606000f3`, // RETURN(0, 0x60)
    ].join("");
  const code = hex(head(head(0).length / 2) + data);
  return { owner, data: code, callValue };
}

/** Returns the energy that the measured call took, or undefined if it failed or the answer is of another form. */
export function limitedEnergy(returned: Hex, { callValue }: Pick<LimitedCall, "callValue">): bigint | undefined {
  const [succeeded, before, after] = [0, 64, 128].map((at) => BigInt(`0x${returned.slice(at, at + 64) || "0"}`));
  if (returned.length !== 192 || succeeded !== 1n || before === undefined || after === undefined) return undefined;
  const energy = before - after - AROUND - (callValue > 0n ? VALUE_PRICE - STIPEND : 0n);
  return energy > 0n ? energy : undefined;
}

function word(value: bigint, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, "0");
}
