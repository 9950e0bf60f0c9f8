import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import type { CodeIntent } from "../../core/estimates/call-estimate.ts";
import { type EstimateWords, noSendingOf } from "../../core/estimates/estimate-words.ts";
import { type Address, toBase58 } from "../../core/primitives/address.ts";
import { type Sun, sun } from "../../core/primitives/amount.ts";
import type { Party } from "../../core/transaction/review-words.ts";
import { whileWorking } from "../../host/sending/dialogs.ts";
import type { SentTransaction } from "../../host/sending/intent-sender.ts";
import { energyMarginSetting } from "../../host/settings.ts";
import { textStep } from "../../host/step-input.ts";
import { acknowledgedIn, amountOf, type SendingArguments } from "./contract-arguments.ts";
import { type CodeReview, checkSun, codeReviewText } from "./contracts.view.ts";
import { type CodeDraft, type CodeFacts, draftCode, simulate } from "./draft-code.ts";
import type { Place } from "./services.ts";

/** Code to run by a transaction, decided but for its `fee_limit` and the confirmation. */
export interface CodeOrder extends Omit<CodeFacts, "marginPercent"> {
  /** `Call reserve on TeaHouse`. */
  readonly action: string;
  readonly intent: CodeIntent;
  readonly contract?: Address;
  readonly contractName?: string;
  /** For the review, one a line. */
  readonly details: readonly string[];
  readonly told: SendingArguments;
  /** Everything was said in advance, so nobody may sit in front of the screen. */
  readonly unattended: boolean;
}

const NOTHING = sun(0n);

/**
 * The budget gate and what follows: simulate, choose a `fee_limit`, build, verify, show, sign, remember, broadcast.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `CALL_WOULD_FAIL`, `FEE_LIMIT_MISSING` for a caller who said everything in advance
 */
export async function sendCode(place: Place, order: CodeOrder): Promise<SentTransaction | undefined> {
  const facts: CodeFacts = { ...order, marginPercent: energyMarginSetting() };
  const feeLimit = amountOf("feeLimit", order.told.feeLimit) ?? (await chooseFeeLimit(place, order, facts));
  if (feeLimit === undefined) return undefined;
  const answer = await sendWithLimit(place, order, { ...facts, feeLimit });
  return answer.kind === "other-limit" ? await sendCode(place, withLimit(order, answer.feeLimit)) : answer.sent;
}

type Sending =
  | { readonly kind: "done"; readonly sent: SentTransaction | undefined }
  /** The person took the limit that the review offered. */
  | { readonly kind: "other-limit"; readonly feeLimit: Sun };

async function sendWithLimit(
  place: Place,
  order: CodeOrder,
  facts: CodeFacts & { readonly feeLimit: Sun },
): Promise<Sending> {
  const { network, gateway, nameOf, services } = place;
  const { told, unattended } = order;
  const intent: CodeIntent = { ...order.intent, feeLimit: facts.feeLimit };
  const sender = await services.sender();
  let other: Sun | undefined;
  const sent = await sender.send({
    ...{ network, intent, nameOf, unattended, progress: "Simulating and building" },
    ...{ label: told.label, acknowledgeUnknown: acknowledgedIn(told) },
    draft: async () => passGate(order, await draftCode(gateway, intent, { ...facts, clock: services.clock })),
    confirm: async (draft) => {
      const choice = await confirmReview(reviewOf(place, order, intent, draft));
      other = choice.feeLimit;
      return choice.signs;
    },
  });
  return other === undefined ? { kind: "done", sent } : { kind: "other-limit", feeLimit: other };
}

function withLimit(order: CodeOrder, feeLimit: Sun): CodeOrder {
  return { ...order, told: { ...order.told, feeLimit: `${feeLimit} sun` } };
}

/** Nobody reads a review of a call that a program made: what would fail is refused, unless that is what it wants. */
function passGate({ unattended, told }: CodeOrder, draft: CodeDraft): CodeDraft {
  const reason = noSendingOf(draft.words);
  if (reason === undefined || !unattended || told.acknowledgeFailure === true) return draft;
  throw new ChainError("CALL_WOULD_FAIL", { reason });
}

/** The figure of a simulation with room, which a person may change. */
async function chooseFeeLimit(place: Place, order: CodeOrder, facts: CodeFacts): Promise<Sun | undefined> {
  const intent = { ...order.intent, feeLimit: NOTHING };
  const words = await whileWorking("Simulating", () => simulate(place.gateway, intent, facts));
  if (!order.unattended) return await askFeeLimit(order, words);
  if (words.suggestedFeeLimit !== undefined) return words.suggestedFeeLimit;
  const reason = words.problems.join(" ");
  if (words.verdict === "fails" && order.told.acknowledgeFailure !== true)
    throw new ChainError("CALL_WOULD_FAIL", { reason });
  throw new ChainError("FEE_LIMIT_MISSING", { reason: `${reason} Give feeLimit.` });
}

async function askFeeLimit({ action }: CodeOrder, words: EstimateWords): Promise<Sun | undefined> {
  const { suggestedFeeLimit, headline } = words;
  const answer = await textStep(
    { title: action, step: 1, totalSteps: 1 },
    {
      prompt: `Fee limit. Estimate: ${headline.replace(/ · fee_limit.*$/, "")}`,
      placeholder: "such as 100 coins, or 100000000 sun",
      value: suggestedFeeLimit === undefined ? "" : String(suggestedFeeLimit),
      check: (text: string) => checkSun(text, words.neededFeeLimit),
    },
  );
  return answer.kind === "value" ? answer.value : undefined;
}

function reviewOf(place: Place, order: CodeOrder, intent: CodeIntent, draft: CodeDraft): CodeReview {
  const { network, nameOf } = place;
  const { action, details, contract, contractName } = order;
  const party = (address: Address, name: string | undefined): Party =>
    name === undefined || name === toBase58(address) ? { address } : { address, name };
  return {
    ...{ action, details, network: network.name, production: network.production },
    from: party(intent.owner, nameOf(intent.owner)),
    ...(contract === undefined ? {} : { contract: party(contract, contractName) }),
    ...{ callValue: intent.callValue, feeLimit: intent.feeLimit, words: draft.words, lifetimeMs: draft.lifetimeMs },
    matchingFields: draft.verified.fields.length,
  };
}

/** The last question before a signature. Escape and Cancel sign nothing; where something is wrong, neither does Enter. */
async function confirmReview(review: CodeReview): Promise<{ readonly signs: boolean; readonly feeLimit?: Sun }> {
  const { title, detail, button, safe } = codeReviewText(review);
  const isPlain = safe === undefined && !review.production;
  const ask = isPlain ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const buttons = safe === undefined ? [button] : [safe.title, button];
  const chosen = await ask(title, { modal: true, detail }, ...buttons);
  const isOther = chosen === safe?.title && safe?.feeLimit !== undefined;
  return { signs: chosen === button, ...(isOther ? { feeLimit: safe.feeLimit } : {}) };
}
