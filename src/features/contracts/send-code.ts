import type { CodeIntent } from "@finality/client/estimates";
import { coinSymbolOf } from "@finality/client/gateway";
import { type EstimateLabels, objectionsOf, quoted } from "@finality/client/labels";
import { argumentLines, tokenLines } from "@finality/client/reviews";
import type { Since } from "@finality/client/tracking";
import { type AbiInput, decodeAbi, keyOf } from "@finality/tron/abi";
import { ChainError, isChainError } from "@finality/tron/errors";
import { grouped, type NameOf, percent } from "@finality/tron/format";
import {
  defined,
  foreignText,
  type Hex,
  hexToBytes,
  type Sun,
  shorten,
  sun,
  type TxId,
  toBase58,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { readAcknowledged, readPermissionId } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { textStep } from "../../host/prompts/quick-input.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { type CodeDetails, type CodeRequest, contractCode, simulate, wouldFail } from "../../sending/contract-code.ts";
import { exportOptionsOf } from "../../sending/export-file.ts";
import type { CodeReplacement, ProposalClaim, SentTransaction } from "../../sending/transaction-kind.ts";
import { amountOf, type SendingArguments, signerNamed } from "./contract-arguments.ts";
import { checkSun } from "./contracts.view.ts";
import { type CallableContract, contractAt } from "./known-contracts.ts";
import { type ContractContext, type ContractServices, contextOn } from "./services.ts";

/** Code to run by a transaction, complete except for its `fee_limit`. */
export interface CodeOrder extends CodeDetails {
  readonly intent: CodeIntent;
  readonly fields: SendingArguments;
  /** Undefined to use the setting. */
  readonly expirySeconds?: string | undefined;
  /** Transaction that this one replaces, with its timestamp. */
  readonly replaces?: TxId | undefined;
  readonly since?: Since | undefined;
  /** Proposal of an agent that becomes this transaction. */
  readonly proposal?: ProposalClaim | undefined;
  /** Called after the consent, before a key is used. An error stops the transaction. */
  readonly beforeSigning?: (() => Promise<void>) | undefined;
  /** A program passed all arguments: the review is the only dialog, and the local chain shows none. */
  readonly unattended: boolean;
}

/**
 * Sends a contract call or a deployment: chooses the `fee_limit`, then runs the send pipeline. Returns undefined if the
 * user cancels.
 *
 * @throws {ChainError} `CALL_WOULD_FAIL`, `FEE_LIMIT_MISSING` for a program
 */
export async function sendCode(context: ContractContext, order: CodeOrder): Promise<SentTransaction | undefined> {
  const { services, network, gateway, nameOf } = context;
  const { fields, expirySeconds: expiry, intent, ...details } = order;
  const feeLimit = amountOf("feeLimit", fields.feeLimit) ?? (await chooseFeeLimit(context, order));
  if (feeLimit === undefined) return undefined;
  const isOutside = services.keys.isOutside(intent.owner);
  const permissionId = readPermissionId(fields.permissionId);
  const request: CodeRequest = {
    ...details,
    network,
    gateway,
    nameOf,
    intent: { ...intent, feeLimit, ...defined({ permissionId }) },
    label: fields.label,
    acknowledgeUnknown: readAcknowledged(fields.acknowledgeUnknown ?? []),
    acknowledgeFailure: fields.acknowledgeFailure,
    exportOptions: exportOptionsOf(fields),
    expiresInMs: expirySeconds(expiry ?? fields.expirySeconds, isOutside) * 1000,
  };
  const sender = await services.sender();
  return await sender.send(contractCode, request);
}

/** Simulates an order with its `fee_limit`; without one, with the suggested one. */
export async function estimateOrder(
  { gateway, network, nameOf }: ContractContext,
  { abi, mutability, intent, fields }: CodeOrder,
): Promise<EstimateLabels> {
  const feeLimit = amountOf("feeLimit", fields.feeLimit);
  const code = { network, nameOf, abi, mutability, intent: { ...intent, feeLimit: feeLimit ?? sun(0n) } };
  const suggestsLimit = feeLimit === undefined;
  return await whileWorking(t`Simulating`, (signal) => simulate(gateway, code, { signal, suggestsLimit }));
}

/** Chooses the `fee_limit` by a simulation: the suggested one for a program, else the one that the user types. */
export async function chooseFeeLimit(context: ContractContext, order: CodeOrder): Promise<Sun | undefined> {
  const { fields } = order;
  const labels = await estimateOrder(context, order);
  if (!order.unattended) return await askFeeLimit(order, labels, coinSymbolOf(context.network.baseUrl));
  if (labels.suggestedFeeLimit !== undefined) return labels.suggestedFeeLimit;
  const reason = objectionsOf(labels).join(" ");
  if (labels.verdict === "fails" && fields.acknowledgeFailure !== true) throw wouldFail(reason, labels);
  throw new ChainError("FEE_LIMIT_MISSING", { reason: t`${reason} Set feeLimit.` });
}

async function askFeeLimit(
  { action }: CodeOrder,
  labels: EstimateLabels,
  symbol: string | undefined,
): Promise<Sun | undefined> {
  const { suggestedFeeLimit, headline } = labels;
  const answer = await textStep(
    { title: action, step: 0, totalSteps: 0 },
    {
      prompt: t`Fee limit. Estimate: ${headline}`,
      placeholder: t`such as 100 coins, or 100000000 sun`,
      value: suggestedFeeLimit === undefined ? "" : String(suggestedFeeLimit),
      check: (text: string) => checkSun(text, { symbol, warnBelow: labels.neededFeeLimit }),
    },
  );
  return answer.kind === "value" ? answer.value : undefined;
}

type Shown = Pick<
  CodeOrder,
  "action" | "money" | "details" | "contract" | "contractName" | "abi" | "codeWarning" | "mutability"
>;
type Call = Extract<CodeIntent, { kind: "contract-call" }>;
type Creation = Extract<CodeIntent, { kind: "contract-creation" }>;

/**
 * Sends a call or a deployment again, with the values that were signed before. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `SIGNING_KEY_MISSING`, `CALL_WOULD_FAIL`
 */
export async function replaceCode(
  services: ContractServices,
  order: CodeReplacement,
): Promise<SentTransaction | undefined> {
  const { intent, network, label, acknowledgeUnknown, acknowledgeFailure, lastFailure } = order;
  const context = await contextOn(services, network);
  signerNamed(context, toBase58(intent.owner));
  const shown = intent.kind === "contract-call" ? await callShown(context, intent) : creationShown(intent);
  const asSigned = lastFailure === undefined ? String(intent.feeLimit) : undefined;
  const details = lastFailure === undefined ? shown.details : [t`Last time: ${lastFailure}`, ...shown.details];
  return await sendCode(context, {
    ...order,
    ...shown,
    details,
    fields: { feeLimit: order.feeLimit ?? asSigned, label, acknowledgeUnknown, acknowledgeFailure },
  });
}

/** Describes a call. Without an ABI it shows the data. */
async function callShown(
  context: ContractContext,
  { contract: address, data, tokenId, tokenValue }: Call,
): Promise<Shown> {
  const contract = await contractAt(context, address).catch(unknownMeansNone);
  const fn = contract?.functions.find(({ signature }) => data.startsWith(keyOf({ kind: "function", signature })));
  const name = contract?.name ?? foreignText("");
  const known = fn && argumentsIn(data, fn, context.nameOf);
  return {
    contract: address,
    contractName: name,
    abi: contract?.abi,
    codeWarning: contract?.codeWarning,
    mutability: fn?.mutability,
    action: t`Call ${fn === undefined ? t`a function` : quoted(fn.name)} on ${quoted(name, toBase58(address))}`,
    money: tokenLines(tokenId, tokenValue),
    details:
      known === undefined
        ? [t`Data: ${shorten(data)}`]
        : [...(fn === undefined ? [] : [t`Function: ${quoted(fn.name)}`]), ...known],
  };
}

/** Returns the arguments, one per line. Returns undefined if the data does not match the function. */
function argumentsIn(
  data: Hex,
  { parameters }: CallableContract["functions"][number],
  nameOf: NameOf,
): readonly string[] | undefined {
  try {
    const values = decodeAbi(parameters, hexToBytes(data.slice(8)));
    return argumentLines(parameters, values as readonly AbiInput[], nameOf);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

function creationShown({ name, bytecode, userPercent, originEnergyLimit }: Creation): Shown {
  return {
    action: t`Deploy ${name === "" ? t`a contract` : quoted(foreignText(name))}`,
    money: [],
    details: [
      t`Bytecode: ${bytecode.length / 2} bytes with the arguments, as signed before`,
      t`The caller pays ${percent(userPercent)} of the energy; you pay at most ${grouped(originEnergyLimit)} per call`,
    ],
  };
}

function unknownMeansNone(error: unknown): undefined {
  if (isChainError(error) && error.code === "CONTRACT_UNKNOWN") return undefined;
  throw error;
}
