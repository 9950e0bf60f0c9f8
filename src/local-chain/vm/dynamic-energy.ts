import type { ContractUse } from "../chain/contract.ts";
import type { ChainParameters } from "../chain/parameters.ts";
import type { Frame } from "./frame.ts";

/** Prices in parts of 10,000, while a contract is not used much. */
export const NORMAL_PRICE = 10_000;
/** Prices fall by a quarter of what they rise by. */
const DECREASE_DIVISION = 4;

/** The number of a maintenance cycle: they follow each other by chain time. */
export function cycleAt(now: number, parameters: ChainParameters): number {
  return Math.floor(now / parameters.getMaintenanceTimeInterval);
}

/** What a contract's prices are multiplied with, in parts of 10,000; its state moves on to the present cycle. */
export function priceFactor(frame: Frame): number {
  const { parameters, now } = frame.machine.surroundings;
  if (parameters.getAllowDynamicEnergy !== 1) return NORMAL_PRICE;
  const { address } = frame.call;
  const before = frame.ledger.use(address);
  const use = caughtUp(before, cycleAt(now, parameters), parameters);
  if (use !== before) frame.ledger.putUse(address, use);
  return NORMAL_PRICE + use.energyFactor;
}

/** Counts what a contract has used in this cycle. */
export function addUse(frame: Frame, energy: number): void {
  const { parameters, now } = frame.machine.surroundings;
  const { address } = frame.call;
  const use = caughtUp(frame.ledger.use(address), cycleAt(now, parameters), parameters);
  frame.ledger.putUse(address, { ...use, energyUsage: use.energyUsage + energy });
}

/** A contract's use as of a cycle (ContractStateCapsule.catchUpToCycle). */
export function caughtUp(use: ContractUse | undefined, cycle: number, parameters: ChainParameters): ContractUse {
  if (use === undefined || use.updateCycle === 0 || use.updateCycle > cycle) {
    return { energyUsage: 0, energyFactor: 0, updateCycle: cycle };
  }
  if (use.updateCycle === cycle) return use;
  const raised = use.energyUsage > parameters.getDynamicEnergyThreshold ? raise(use, parameters) : use;
  const idle = cycle - raised.updateCycle;
  if (idle <= 0) return raised;
  const step = 1 - parameters.getDynamicEnergyIncreaseFactor / DECREASE_DIVISION / NORMAL_PRICE;
  const factor = Math.floor((raised.energyFactor + NORMAL_PRICE) * step ** idle) - NORMAL_PRICE;
  return { energyUsage: 0, energyFactor: Math.max(0, factor), updateCycle: cycle };
}

function raise(use: ContractUse, parameters: ChainParameters): ContractUse {
  const step = 1 + parameters.getDynamicEnergyIncreaseFactor / NORMAL_PRICE;
  const factor = Math.floor((use.energyFactor + NORMAL_PRICE) * step) - NORMAL_PRICE;
  return {
    energyUsage: 0,
    energyFactor: Math.min(parameters.getDynamicEnergyMaxFactor, factor),
    updateCycle: use.updateCycle + 1,
  };
}

/** What is added to a price, rounded down. */
export function penaltyOf(energy: number, factor: number): number {
  return Math.floor((energy * factor) / NORMAL_PRICE) - energy;
}
