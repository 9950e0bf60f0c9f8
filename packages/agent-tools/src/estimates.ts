import {
  bandwidthOf,
  type CallEstimate,
  estimateCall,
  suggestedFeeLimit,
  transferCost,
} from "@finality/client/estimates";
import { revertTexts } from "@finality/client/explain";
import type { AbiIndex } from "@finality/tron/abi";
import { type BlockId, defined, hexToBytes, type JsonObject, type Sun, sun } from "@finality/tron/primitives";
import { builtFromIntent, type IntentOf } from "@finality/tron/transaction";
import type { ReadGateway } from "./ports.ts";
import { untrusted } from "./untrusted.ts";

/** Margin of the suggested fee limit, percent. */
const MARGIN = 20n;
const LIFETIME_MS = 60_000;

/** Estimate of a call for a model, and the fee limit that a proposal of it can have. */
export interface EstimatedIntent {
  readonly json: JsonObject;
  /** Undefined if the call would fail, or if there is no estimate. */
  readonly suggestedFeeLimit?: Sun;
}

/** Simulates a call. Without a fee limit in the intent, the cost is that of the suggested one. */
export async function estimateIntent(
  gateway: ReadGateway,
  intent: IntentOf<"contract-call">,
  abi: AbiIndex,
): Promise<EstimatedIntent> {
  const first = await estimateCall(gateway, intent);
  if (first.kind !== "estimated" || intent.feeLimit > 0n) return estimatedJson(first, abi);
  const feeLimit = suggestedFeeLimit(first, MARGIN);
  return estimatedJson(await estimateCall(gateway, { ...intent, feeLimit }), abi);
}

function estimatedJson(estimate: CallEstimate, abi: AbiIndex): EstimatedIntent {
  switch (estimate.kind) {
    case "estimated": {
      const { energy, accuracy, cost, returned } = estimate;
      const suggested = suggestedFeeLimit(estimate, MARGIN);
      const amounts = {
        energy: String(energy),
        feeSun: String(cost.fee),
        highestFeeSun: String(cost.highestFee),
        suggestedFeeLimitSun: String(suggested),
      };
      const shortages = cost.shortages.map(({ kind }) => kind);
      const json = { outcome: "would succeed", accuracy, ...amounts, shortages, returned: returned.slice(0, 1_000) };
      return { json, suggestedFeeLimit: suggested };
    }
    case "unpriced":
      return { json: { outcome: "would succeed", energy: String(estimate.energy), price: "not reported by the node" } };
    case "reverted": {
      const { code, title, cause, fix } = revertTexts(hexToBytes(estimate.data), { abi });
      const texts = { title: untrusted(title), cause: untrusted(cause), fix: untrusted(fix) };
      return { json: { outcome: "would revert", code: untrusted(code), ...texts } };
    }
    case "halted":
      return {
        json: { outcome: "would fail", exception: untrusted(estimate.exception), message: untrusted(estimate.message) },
      };
    case "unavailable":
      return { json: { outcome: "no estimate", reason: estimate.reason, cause: untrusted(estimate.error.message) } };
  }
}

/** Returns the cost of a transfer of coins besides the amount, for one signature. */
export async function estimateTransfer(gateway: ReadGateway, intent: IntentOf<"transfer">): Promise<JsonObject> {
  const [recipient, resources, parameters, owner, head] = await Promise.all([
    gateway.account(intent.to),
    gateway.accountResources(intent.owner),
    gateway.chainParameters(),
    gateway.account(intent.owner),
    gateway.headBlock(),
  ]);
  const validity = { expiration: head.timestamp + LIFETIME_MS, timestamp: head.timestamp };
  const { rawDataHex } = builtFromIntent(intent, { ...validity, referenceBlock: "0".repeat(64) as BlockId });
  const bandwidth = bandwidthOf(rawDataHex.length / 2, 1);
  const facts = { bandwidth, signatures: 1, hasMemo: intent.memo !== undefined, resources };
  const { fee, parts } = transferCost({ ...facts, recipientExists: recipient !== undefined }, parameters);
  const needed = sun(intent.amount + fee);
  const balance = owner?.balance;
  return {
    feeSun: String(fee),
    parts: parts.map(({ kind, amount }) => ({ kind, sun: String(amount) })),
    recipientIsActivated: recipient !== undefined,
    ...defined({
      balanceSun: balance?.toString(),
      balanceCovers: balance === undefined ? undefined : balance >= needed,
    }),
  };
}
