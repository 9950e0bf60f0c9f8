import { invalidContract } from "../chain/refusal.ts";
import { type CodeRun, messageOf } from "../vm/run-outermost.ts";
import { type ConstantRequest, constantCall } from "./constant-call.ts";
import type { View } from "./route.ts";

const SUN_PER_COIN = 1_000_000n;

export type Estimate =
  | { readonly kind: "energy"; readonly required: bigint }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "outOfTime"; readonly run: CodeRun };

/**
 * The energy that a call needs, by the node's own bisection (protocol reference §13.2): exact to one coin's worth, and
 * twice the need for cheap calls.
 *
 * @throws {Refusal} the node does not estimate, or the call cannot be tried
 */
export function estimateEnergy(view: View, request: Omit<ConstantRequest, "feeLimit">): Estimate {
  checkSupport(view);
  const { getMaxFeeLimit, getEnergyFee } = view.chain.parameters;
  const price = BigInt(getEnergyFee);
  const attempt = (feeLimit: bigint): CodeRun => constantCall(view, { ...request, feeLimit }).run;
  const first = attempt(BigInt(getMaxFeeLimit));
  if (first.result === "OUT_OF_TIME") return { kind: "outOfTime", run: first };
  if (first.result !== "SUCCESS") return { kind: "failed", message: messageOf(first) };
  const suffices = (feeLimit: bigint): boolean => attempt(feeLimit).result === "SUCCESS";
  const high = bisect(price * BigInt(first.energy), BigInt(getMaxFeeLimit), suffices);
  const last = attempt(high);
  if (last.result !== "SUCCESS") return { kind: "failed", message: messageOf(last) };
  return { kind: "energy", required: (high + price - 1n) / price };
}

/** A fee limit that suffices, at most a coin above one that does not; the first step doubles. */
function bisect(used: bigint, most: bigint, suffices: (feeLimit: bigint) => boolean): bigint {
  let [low, high] = [used, most];
  if (low * 2n < high) {
    const twice = low * 2n;
    if (suffices(twice)) high = twice;
    else low = twice;
  }
  while (low + SUN_PER_COIN < high) {
    const middle = (low + high) / 2n;
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** @throws {Refusal} */
function checkSupport({ settings }: View): void {
  if (!settings.estimateEnergy) throw invalidContract("this node does not support estimate energy");
  if (settings.constantCalls) return;
  throw invalidContract("this node does not support constant, so estimate energy cannot work");
}
