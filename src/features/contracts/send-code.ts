import type { CodeIntent, EstimateSource } from "@finality/client/estimates";
import {
  type Account,
  type Block,
  type Clock,
  coinSymbolOf,
  type Head,
  type HttpGateway,
} from "@finality/client/gateway";
import { approvalOf, tokenBalance } from "@finality/client/tokens";
import type { Since } from "@finality/client/tracking";
import type { AbiIndex, Mutability } from "@finality/tron/abi";
import { ChainError, isChainError } from "@finality/tron/errors";
import { grouped, localTime, type NameOf, namesIn } from "@finality/tron/format";
import {
  type Address,
  type ForeignText,
  foreignText,
  type Hex,
  type Sun,
  sun,
  type TxId,
} from "@finality/tron/primitives";
import type { VerifiedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../../host/caller.ts";
import { readAcknowledged, readPermissionId } from "../../host/commands/command-arguments.ts";
import { textStep } from "../../host/prompts/step-input.ts";
import { type During, whileWorking } from "../../host/prompts/while-working.ts";
import { expirySeconds } from "../../host/settings/feature-settings.ts";
import { energyMarginSetting } from "../../host/settings/settings.ts";
import { type EstimateContext, type EstimateWords, noSendingOf, objectionsOf } from "../../labels/estimates.ts";
import { approvalWarning } from "../../labels/reviews.ts";
import { DO_NOT_SEND, type Review } from "../../sending/consent.ts";
import type { SentTransaction } from "../../sending/intent-sender.ts";
import { shareAsked } from "../../sending/share-file.ts";
import { planSigning, type SigningPlan } from "../../sending/signing-plan.ts";
import { amountOf, type SendingArguments } from "./contract-arguments.ts";
import { checkSun } from "./contracts.view.ts";
import { type CodeReview, codeReviewText } from "./review.view.ts";
import type { Place } from "./services.ts";

/** Code to run by a transaction, decided but for its `fee_limit` and the confirmation. */
export interface CodeOrder extends Omit<CodeFacts, "marginPercent" | "symbol" | "nameOf"> {
  /** `Call “reserve” on “TeaHouse”`. */
  readonly action: string;
  readonly intent: CodeIntent;
  readonly contract?: Address;
  readonly contractName?: ForeignText;
  /** For the review, one a line: what moves besides coins, and what else is decided. */
  readonly money: readonly string[];
  readonly details: readonly string[];
  /** Compares the code of the contract with that of its artifact; a sentence when they differ. */
  readonly codeDoubt?: (() => Promise<string | undefined>) | undefined;
  /** What the gateway said and the bytes depend on. */
  readonly onTrust?: string | undefined;
  readonly fields: SendingArguments;
  /** How long it may wait for a block; absent leaves it to the setting. */
  readonly expirySeconds?: string | undefined;
  /** The transaction whose place it takes, and the solidified height before that one was signed. */
  readonly replaces?: TxId | undefined;
  readonly since?: Since | undefined;
  /** A program passed every argument: the review is the only dialog, and there is none on the local chain. */
  readonly unattended: boolean;
}

const NOTHING = sun(0n);
/** Opens the error that the contract would give in the decoder. */
const DECODE = t`Decode`;

/**
 * The budget gate and what follows: simulate, choose a `fee_limit`, build, verify, show, sign, remember, broadcast.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `CALL_WOULD_FAIL`, `FEE_LIMIT_MISSING` for a caller who said everything in advance
 */
export async function sendCode(place: Place, order: CodeOrder): Promise<SentTransaction | undefined> {
  const symbol = coinSymbolOf(place.network.baseUrl);
  const facts: CodeFacts = { ...order, nameOf: place.nameOf, marginPercent: energyMarginSetting(), symbol };
  const feeLimit = amountOf("feeLimit", order.fields.feeLimit) ?? (await chooseFeeLimit(place, order, facts));
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
  const { fields, unattended, replaces, since } = order;
  const isOutside = services.keys.isOutside(order.intent.owner);
  const timing = {
    clock: services.clock,
    expiresInMs: expirySeconds(order.expirySeconds ?? fields.expirySeconds, isOutside) * 1000,
  };
  const permissionId = readPermissionId(fields.permissionId);
  const chosen = permissionId === undefined ? {} : { permissionId };
  const intent: CodeIntent = { ...order.intent, feeLimit: facts.feeLimit, ...chosen };
  const planFor: PlanCode = (wanted, account) =>
    planSigning(services.keys, { network, intent: wanted, nameOf, unattended, share }, account);
  const sender = await services.sender();
  const share = shareAsked(fields, unattended);
  let other: Sun | undefined;
  const sent = await sender.send({
    network,
    intent,
    nameOf,
    unattended,
    replaces,
    since,
    share,
    progress: t`Simulating and building`,
    label: fields.label,
    acknowledgeUnknown: readAcknowledged(fields.acknowledgeUnknown ?? []),
    draft: async (during) =>
      passGate(order, await draftCode(gateway, intent, { ...facts, ...timing, planFor, during })),
    confirm: async (draft, ask, known) => {
      const doubts = await whileWorking(t`Looking for doubts`, (signal) => doubtsAbout(place, order, intent, signal));
      const { safe, ...review } = signReview({
        ...reviewOf({ ...place, network: known }, order, intent, draft),
        doubts,
      });
      const { chosen, consent } = await ask(review);
      other = chosen === safe?.title ? safe?.feeLimit : undefined;
      const { revertData } = draft.words;
      if (chosen === DECODE && revertData !== undefined) void decode(revertData);
      return consent;
    },
  });
  return other === undefined ? { kind: "done", sent } : { kind: "other-limit", feeLimit: other };
}

async function decode(revertData: Hex): Promise<void> {
  const input = `0x${revertData}`;
  await vscode.commands.executeCommand("finality.decode", ownClick({ kind: "review", input }));
}

function withLimit(order: CodeOrder, feeLimit: Sun): CodeOrder {
  return { ...order, fields: { ...order.fields, feeLimit: String(feeLimit) } };
}

/** Nobody reads a review of a call that a program made: what would fail is refused, unless that is what it wants. */
function passGate({ unattended, fields }: CodeOrder, draft: CodeDraft | undefined): CodeDraft | undefined {
  if (draft === undefined) return undefined;
  const reason = noSendingOf(draft.words);
  if (reason === undefined || !unattended || fields.acknowledgeFailure === true) return draft;
  throw wouldFail(reason, draft.words);
}

function wouldFail(reason: string, { revertData: data }: EstimateWords): ChainError {
  return new ChainError("CALL_WOULD_FAIL", { reason, ...(data === undefined ? {} : { data }) });
}

/** The figure of a simulation with room, which a person may change. */
async function chooseFeeLimit(place: Place, order: CodeOrder, facts: CodeFacts): Promise<Sun | undefined> {
  const intent = { ...order.intent, feeLimit: NOTHING };
  const words = await whileWorking(t`Simulating`, (signal) => simulate(place.gateway, intent, { ...facts, signal }));
  if (!order.unattended) return await askFeeLimit(order, words, facts.symbol);
  if (words.suggestedFeeLimit !== undefined) return words.suggestedFeeLimit;
  const reason = objectionsOf(words).join(" ");
  if (words.verdict === "fails" && order.fields.acknowledgeFailure !== true) throw wouldFail(reason, words);
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

/** What the simulation does not say and a person should know before a signature, as sentences. */
async function doubtsAbout(
  { gateway }: Place,
  { codeDoubt }: CodeOrder,
  intent: CodeIntent,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (intent.kind !== "contract-call") return [];
  const [code, approval] = await Promise.all([codeDoubt?.(), approvalDoubt(gateway, intent, signal)]);
  return [code, approval].filter((it) => it !== undefined);
}

/** Read from the data themselves: whatever command makes the call, and whatever its ABI calls the function. */
async function approvalDoubt(
  gateway: Place["gateway"],
  { owner, contract, data }: Extract<CodeIntent, { kind: "contract-call" }>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const approval = approvalOf(data);
  if (approval === undefined) return undefined;
  const balance = await tokenBalance(gateway, contract, owner, signal).catch(noAnswer);
  return approvalWarning(approval, balance, (amount) => t`${grouped(amount)} of its smallest parts`);
}

/** A gateway that does not tell the balance leaves the warning about everything, which needs none. */
function noAnswer(error: unknown): undefined {
  if (!isChainError(error)) throw error;
}

function reviewOf(place: Place, order: CodeOrder, intent: CodeIntent, draft: CodeDraft): Omit<CodeReview, "doubts"> {
  const { network, nameOf, services } = place;
  const { action, money, details, onTrust, contract, contractName: name = foreignText("") } = order;
  const own = nameOf(intent.owner);
  const { lifetimeMs, verified } = draft;
  const times = { lifetimeMs, expiration: verified.expiration, now: services.clock.now(), timeOf: localTime };
  return {
    action,
    money,
    details,
    onTrust,
    network: network.name,
    symbol: coinSymbolOf(network.baseUrl),
    production: network.production,
    from: { address: intent.owner, ...(own === undefined ? {} : { name: own }) },
    signing: draft.plan,
    ...(contract === undefined ? {} : { contract: { address: contract, name } }),
    callValue: intent.callValue,
    feeLimit: intent.feeLimit,
    words: draft.words,
    expiry: { ...times, isLocalChain: network.local },
    matchingFields: draft.verified.fields.length,
  };
}

/**
 * The last question before a signature. Escape and Cancel sign nothing; where something is wrong, neither does Enter.
 */
function signReview(
  review: CodeReview,
): Review & { readonly safe: ReturnType<typeof codeReviewText>["safe"] | undefined } {
  const { title, detail, button, safe } = codeReviewText(review);
  const isPlain = safe === undefined && !review.production && review.doubts.length === 0;
  const harmless = safe?.title ?? (review.doubts.length > 0 ? DO_NOT_SEND : undefined);
  const decodes = review.words.revertData === undefined ? [] : [DECODE];
  const buttons = harmless === undefined ? [button] : [harmless, button, ...decodes];
  const severity = isPlain ? "information" : "warning";
  return { severity, isRealMoney: review.production, title, detail, buttons, sign: button, safe };
}

/** A call or a deployment that was simulated, built and verified, and is not signed yet. */
interface CodeDraft {
  readonly plan: SigningPlan<CodeIntent>;
  readonly signers: SigningPlan["signers"];
  readonly verified: VerifiedTransaction;
  readonly solidHeight: number;
  /** Chain time from the newest block to the expiration, ms. */
  readonly lifetimeMs: number;
  readonly estimatedEnergy: number | undefined;
  /** What the simulation said. */
  readonly words: EstimateWords;
}

/** What is known of the code besides the intent. */
interface CodeFacts {
  readonly abi?: AbiIndex | undefined;
  readonly mutability?: Mutability | undefined;
  readonly marginPercent: bigint;
  /** Symbol of the network's coin. */
  readonly symbol: string | undefined;
  readonly nameOf: NameOf;
}

/** Decides who signs, by what the gateway says of the owner. @returns undefined when the person left */
type PlanCode = (intent: CodeIntent, account: Account | undefined) => Promise<SigningPlan<CodeIntent> | undefined>;

interface Simulation extends CodeFacts {
  readonly signal: AbortSignal;
  /** How many the transaction will carry; one when absent. */
  readonly signatures?: number;
}

/** Simulates an intent and says in words what would happen. */
async function simulate(
  source: EstimateSource,
  intent: CodeIntent,
  { abi, mutability, marginPercent, symbol, nameOf, signatures, signal }: Simulation,
): Promise<EstimateWords> {
  const { estimateCall, estimateWords } = await import("../../host/lazy/estimates.ts");
  const estimate = await estimateCall(source, intent, signatures, signal);
  const context: EstimateContext = { abi, mutability, marginPercent, symbol };
  const words = estimateWords(estimate, intent, context);
  return { ...words, headline: namesIn(words.headline, nameOf) };
}

/** The gateway with an account that was read just now: it is not asked for again. */
function withAccount(gateway: HttpGateway, owner: Address, account: Account | undefined): EstimateSource {
  return {
    headBlock: (signal) => gateway.headBlock(signal),
    account: async (address, signal) => (address === owner ? account : await gateway.account(address, signal)),
    accountResources: (address, signal) => gateway.accountResources(address, signal),
    chainParameters: (signal) => gateway.chainParameters(signal),
    constantCall: (run, signal) => gateway.constantCall(run, signal),
    estimateEnergy: (run, signal) => gateway.estimateEnergy(run, signal),
    deployedContract: (address, signal) => gateway.deployedContract(address, signal),
    isSolid: (address, signal) => gateway.isSolid(address, signal),
  };
}

/**
 * Simulates an intent, encodes it beside the chain's blocks, and compares the bytes with what was asked.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `TRANSACTION_DIFFERS`; and what the gateway and `planFor` throw
 */
async function draftCode(
  gateway: HttpGateway,
  intent: CodeIntent,
  facts: CodeFacts & Timing & { readonly planFor: PlanCode; readonly during: During },
): Promise<CodeDraft | undefined> {
  const { planFor, during } = facts;
  const account = await during((signal) => gateway.account(intent.owner, signal));
  const plan = await planFor(intent, account);
  if (plan === undefined) return undefined;
  const { signers } = plan;
  const source = withAccount(gateway, intent.owner, account);
  const [words, head, solid] = await during((signal) =>
    Promise.all([
      simulate(source, plan.intent, { ...facts, signal, signatures: signers.length }),
      gateway.headBlock(signal),
      gateway.solidBlock(signal),
    ]),
  );
  const verified = await build(plan.intent, { head, solid, ...facts });
  const lifetimeMs = verified.expiration - head.timestamp;
  const estimatedEnergy = words.energy === undefined ? undefined : Number(words.energy);
  return { plan, signers, verified, solidHeight: solid.number, lifetimeMs, estimatedEnergy, words };
}

interface Timing {
  readonly clock: Clock;
  /** Chain time from the newest block to the expiration, ms. */
  readonly expiresInMs: number;
}

/** A solidified block is the reference: no reorganisation takes it away. */
async function build(
  intent: CodeIntent,
  { head, solid, clock, expiresInMs }: Timing & { readonly head: Head; readonly solid: Block },
): Promise<VerifiedTransaction> {
  const signing = await import("../../host/secrets/lazy-signing.ts");
  const expiration = head.timestamp + expiresInMs;
  const built = signing.builtFromIntent(intent, { referenceBlock: solid.id, expiration, timestamp: clock.now() });
  const verified = signing.verifyAgainstIntent(built, intent, { headTimestamp: head.timestamp });
  if (verified.kind === "same") return verified;
  throw new ChainError("TRANSACTION_DIFFERS", { differences: verified.differences });
}
