import type { CodeIntent } from "@finality/client/estimates";
import { coinSymbolOf } from "@finality/client/gateway";
import type { Since } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { type Sun, sun, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { readAcknowledged, readPermissionId } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { textStep } from "../../host/prompts/quick-input.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { type EstimateWords, objectionsOf } from "../../labels/estimates.ts";
import { type CodeDetails, type CodeRequest, contractCode, simulate, wouldFail } from "../../sending/contract-code.ts";
import { exportOptionsOf } from "../../sending/export-file.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { amountOf, type SendingArguments } from "./contract-arguments.ts";
import { checkSun } from "./contracts.view.ts";
import type { ContractContext } from "./services.ts";

/** Code to run by a transaction, complete except for its `fee_limit`. */
export interface CodeOrder extends CodeDetails {
  readonly intent: CodeIntent;
  readonly fields: SendingArguments;
  /** Absent to use the setting. */
  readonly expirySeconds?: string | undefined;
  /** The transaction that this one replaces, and its time. */
  readonly replaces?: TxId | undefined;
  readonly since?: Since | undefined;
  /** A program passed all arguments: the review is the only dialog, and the local chain shows none. */
  readonly unattended: boolean;
}

/**
 * Sends a contract call or a deployment: chooses the `fee_limit`, then runs the send pipeline. Returns undefined if the
 * user cancels.
 *
 * @throws {ChainError} `CALL_WOULD_FAIL`, `FEE_LIMIT_MISSING` for a program
 */
export async function sendCode(place: ContractContext, order: CodeOrder): Promise<SentTransaction | undefined> {
  const { services, network, gateway, nameOf } = place;
  const { fields, expirySeconds: expiry, intent, ...details } = order;
  const feeLimit = amountOf("feeLimit", fields.feeLimit) ?? (await chooseFeeLimit(place, order));
  if (feeLimit === undefined) return undefined;
  const isOutside = services.keys.isOutside(intent.owner);
  const permissionId = readPermissionId(fields.permissionId);
  const request: CodeRequest = {
    ...details,
    network,
    gateway,
    nameOf,
    intent: { ...intent, feeLimit, ...(permissionId === undefined ? {} : { permissionId }) },
    label: fields.label,
    acknowledgeUnknown: readAcknowledged(fields.acknowledgeUnknown ?? []),
    acknowledgeFailure: fields.acknowledgeFailure,
    exportOptions: exportOptionsOf(fields),
    expiresInMs: expirySeconds(expiry ?? fields.expirySeconds, isOutside) * 1000,
  };
  const sender = await services.sender();
  return await sender.send(contractCode, request);
}

/** Chooses the `fee_limit` by a simulation: the suggested one for a program, else the one that the user types. */
async function chooseFeeLimit({ gateway, network, nameOf }: ContractContext, order: CodeOrder): Promise<Sun | undefined> {
  const { abi, mutability, fields } = order;
  const code = { network, nameOf, abi, mutability, intent: { ...order.intent, feeLimit: sun(0n) } };
  const words = await whileWorking(t`Simulating`, (signal) => simulate(gateway, code, { signal }));
  if (!order.unattended) return await askFeeLimit(order, words, coinSymbolOf(network.baseUrl));
  if (words.suggestedFeeLimit !== undefined) return words.suggestedFeeLimit;
  const reason = objectionsOf(words).join(" ");
  if (words.verdict === "fails" && fields.acknowledgeFailure !== true) throw wouldFail(reason, words);
  throw new ChainError("FEE_LIMIT_MISSING", { reason: t`${reason} Give feeLimit.` });
}

async function askFeeLimit(
  { action }: CodeOrder,
  words: EstimateWords,
  symbol: string | undefined,
): Promise<Sun | undefined> {
  const { suggestedFeeLimit, headline } = words;
  const answer = await textStep(
    { title: action, step: 1, totalSteps: 1 },
    {
      prompt: t`Fee limit. Estimate: ${headline.replace(/ · fee_limit.*$/, "")}`,
      placeholder: t`such as 100 coins, or 100000000 sun`,
      value: suggestedFeeLimit === undefined ? "" : String(suggestedFeeLimit),
      check: (text: string) => checkSun(text, { symbol, warnBelow: words.neededFeeLimit }),
    },
  );
  return answer.kind === "value" ? answer.value : undefined;
}
