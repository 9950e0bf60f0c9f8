import { type AnyChainError, isChainError } from "../errors/chain-error.ts";
import type { ContractGateway, ContractRun, DeployedContract, SimulatedRun } from "../gateway/contract-gateway.ts";
import type { AccountResources, ChainParameters, Gateway } from "../gateway/gateway.ts";
import { type Sun, sun } from "../primitives/amount.ts";
import type { BlockId } from "../primitives/block.ts";
import { bandwidthOf } from "../resources/bandwidth.ts";
import { type CallFacts, callCost, energyLeft, energyPrice, type OwnerShare } from "../resources/call-cost.ts";
import { encodeRawData } from "../transaction/raw-data-codec.ts";
import { rawDataFromIntent } from "../transaction/raw-data-from-intent.ts";
import { DEFAULT_EXPIRATION_AHEAD_MS } from "../transaction/reference-block.ts";
import type { CallEstimate, CodeIntent, Unavailability } from "./call-estimate.ts";
import { requiredEnergyOf } from "./required-energy.ts";

/** What is asked of a chain for an estimate. */
export type EstimateSource = Pick<Gateway, "headBlock" | "account" | "accountResources" | "chainParameters"> &
  ContractGateway;

const NOTHING = sun(0n);

/**
 * Asks a chain what a call or deployment would cost its owner: a constant call always, `estimateenergy` where the node has it.
 * It sends nothing and never rejects with a `ChainError`: what stands in the way is part of the estimate.
 *
 * @param signatures - how many the transaction will carry: they are bytes, and more than one costs a fee
 */
export async function estimateCall(
  source: EstimateSource,
  intent: CodeIntent,
  signatures = 1,
  signal?: AbortSignal,
): Promise<CallEstimate> {
  try {
    const head = await source.headBlock(signal);
    const simulated = await simulate(source, intent, head.number, signal);
    if ("kind" in simulated) return simulated;
    return await priced(source, { intent, signatures, head, simulated }, signal);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "unavailable", reason: reasonOf(error), error };
  }
}

interface Simulated {
  readonly intent: CodeIntent;
  readonly signatures: number;
  readonly head: { readonly number: number; readonly id: BlockId; readonly timestamp: number };
  readonly simulated: SimulatedRun;
}

async function simulate(
  source: EstimateSource,
  intent: CodeIntent,
  height: number,
  signal?: AbortSignal,
): Promise<SimulatedRun | CallEstimate> {
  try {
    const run = await source.constantCall(runOf(intent), signal);
    return run.reverted ? { kind: "reverted", data: run.returned, height } : run;
  } catch (error) {
    const halt = isChainError(error) ? haltOf(error) : undefined;
    if (halt === undefined) throw error;
    return { kind: "halted", ...halt, height };
  }
}

async function priced(source: EstimateSource, it: Simulated, signal?: AbortSignal): Promise<CallEstimate> {
  const { intent, simulated, head } = it;
  const [parameters, account, resources, sufficient, contract] = await Promise.all([
    source.chainParameters(signal),
    source.account(intent.owner, signal),
    source.accountResources(intent.owner, signal),
    sufficientEnergy(source, intent, signal),
    contractOf(source, intent, signal),
  ]);
  const dependsOnGas = sufficient !== undefined && sufficient > requiredEnergyOf(simulated.energyUsed, parameters);
  const energy = dependsOnGas && sufficient > simulated.energyUsed ? sufficient : simulated.energyUsed;
  const owner = contract && (await shareOf(source, contract, intent, signal));
  const facts = { ...factsOf(it, energy, resources), balance: account?.balance ?? NOTHING, owner };
  return {
    kind: "estimated",
    ...{ energy: simulated.energyUsed, penalty: simulated.energyPenalty, sufficient, dependsOnGas },
    price: energyPrice(parameters),
    ...maximumOf(parameters),
    cost: callCost(facts, parameters),
    isUpperBound: intent.kind === "contract-call" && contract === undefined,
    returned: simulated.returned,
    height: head.number,
  };
}

function maximumOf(parameters: ChainParameters): { readonly maxFeeLimit?: Sun } {
  const maximum = parameters.get("getMaxFeeLimit");
  return maximum === undefined ? {} : { maxFeeLimit: sun(maximum) };
}

function factsOf(
  { intent, signatures, head }: Simulated,
  energy: bigint,
  resources: AccountResources | undefined,
): Omit<CallFacts, "balance" | "owner"> {
  const { id: referenceBlock, timestamp } = head;
  const validity = { referenceBlock, timestamp, expiration: timestamp + DEFAULT_EXPIRATION_AHEAD_MS };
  const length = encodeRawData(rawDataFromIntent(intent, validity)).length;
  const { feeLimit, callValue } = intent;
  return { energy, feeLimit, callValue, resources, signatures, bandwidth: bandwidthOf(length, signatures) };
}

/** `undefined` where the node does not offer it, or does not give a figure for this run. */
async function sufficientEnergy(
  source: EstimateSource,
  intent: CodeIntent,
  signal?: AbortSignal,
): Promise<bigint | undefined> {
  return await optional(source.estimateEnergy(runOf(intent), signal));
}

async function contractOf(
  source: EstimateSource,
  intent: CodeIntent,
  signal?: AbortSignal,
): Promise<DeployedContract | undefined> {
  return intent.kind === "contract-call" ? await optional(source.deployedContract(intent.contract, signal)) : undefined;
}

/** A refusal means that there is no such figure; a gateway that does not answer is a reason to show. */
async function optional<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isChainError(error) && (error.code === "NODE_REFUSED" || error.code === "GATEWAY_HTTP_STATUS"))
      return undefined;
    throw error;
  }
}

/** Nobody shares the energy of a contract's own owner. */
async function shareOf(
  source: EstimateSource,
  contract: DeployedContract,
  { owner: caller }: CodeIntent,
  signal?: AbortSignal,
): Promise<OwnerShare | undefined> {
  if (contract.owner === caller || contract.callerPercent >= 100n) return undefined;
  const resources = await source.accountResources(contract.owner, signal);
  return {
    callerPercent: contract.callerPercent,
    energyLimit: contract.ownerEnergyLimit,
    energyLeft: energyLeft(resources),
  };
}

function runOf(intent: CodeIntent): ContractRun {
  const { owner, callValue } = intent;
  if (intent.kind === "contract-creation") return { owner, data: intent.bytecode, callValue };
  const { contract, data, tokenId, tokenValue } = intent;
  return {
    ...{ owner, contract, data, callValue },
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(tokenValue === undefined ? {} : { tokenValue }),
  };
}

/** The node names the exception of its machine: `class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout …`. */
function haltOf(error: AnyChainError): { exception: string; message: string } | undefined {
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
