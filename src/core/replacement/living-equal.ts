import { isAlive } from "../tracking/possible-actions.ts";
import type { TrackedTransaction } from "../tracking/tracked-transaction.ts";
import type { Intent } from "../transaction/intent.ts";

/**
 * The transactions that would make `intent` happen twice: same network, same kind, same parties and amounts, and not
 * at an end yet. A memo, a permission or a fee limit does not make a payment another payment.
 *
 * @param since - a solidified height: what was executed after it counts too. For whoever repeats something that was signed then
 */
export function livingEquals(
  all: readonly TrackedTransaction[],
  network: string,
  intent: Intent,
  since = Number.POSITIVE_INFINITY,
): readonly TrackedTransaction[] {
  const wanted = intentKey("", intent);
  return all.filter(
    (it) =>
      it.signed !== undefined &&
      it.network === network &&
      (isAlive(it) || wasExecutedAfter(it, since)) &&
      keyOf(it.signed.intent) === wanted,
  );
}

/** By the chain's own heights: a payment that was final before another one was signed is another payment. */
function wasExecutedAfter({ state }: TrackedTransaction, solidHeight: number): boolean {
  return state.kind === "solidified" && state.outcome.kind === "success" && state.block.number > solidHeight;
}

/** Each payment is compared with all that are alive: what they are compared by is worked out once. */
const keys = new WeakMap<Intent, string>();

function keyOf(intent: Intent): string {
  const known = keys.get(intent) ?? intentKey("", intent);
  keys.set(intent, known);
  return known;
}

/** The same text for two intents that would do the same thing twice. What they may spend on it makes no difference. */
export function intentKey(network: string, { memo: _memo, permissionId: _permissionId, ...intent }: Intent): string {
  const { feeLimit: _feeLimit, ...what } = { feeLimit: undefined, ...intent };
  return JSON.stringify([network, what], (_key, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    return isRecord(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
  });
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
