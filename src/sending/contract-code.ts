import type { CodeIntent, EstimateSource } from "@finality/client/estimates";
import { type Account, coinSymbolOf, type HttpGateway, type NetworkProfile } from "@finality/client/gateway";
import { type EstimateLabels, noSendingOf } from "@finality/client/labels";
import { approvalDoubt, type CodeDescription, reviewCode, safeButton } from "@finality/client/reviews";
import type { AbiIndex, Mutability } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { type NameOf, namesIn } from "@finality/tron/format";
import { type Address, defined, type Hex } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../host/caller.ts";
import { whileWorking } from "../host/prompts/notify.ts";
import { energyMarginSetting } from "../host/settings/settings.ts";
import { DO_NOT_SEND, type Review } from "./consent.ts";
import { planSigning, type SigningPlan } from "./signing-plan.ts";
import {
  type Draft,
  type NewTransactionRequest,
  type OwnerState,
  type StepContext,
  type TransactionKind,
  verifyBuilt,
} from "./transaction-kind.ts";

/** A contract call or a deployment. */
export interface CodeRequest extends NewTransactionRequest<CodeIntent>, CodeDetails {
  readonly gateway: HttpGateway;
  /** A program accepts that the simulation fails. */
  readonly acknowledgeFailure?: boolean | undefined;
}

/** Description of code, with what checks it. */
export interface CodeDetails extends CodeDescription {
  readonly abi?: AbiIndex | undefined;
  readonly mutability?: Mutability | undefined;
  /** Compares the contract's code with its artifact. Returns a sentence if they differ. */
  readonly codeWarning?: (() => Promise<string | undefined>) | undefined;
}

interface CodeDraft extends Draft {
  readonly plan: SigningPlan<CodeIntent>;
  readonly words: EstimateLabels;
}

const SELECTOR_DIGITS = 8;
/** Button that opens the contract's error in the decoder. */
const DECODE = t`Decode`;

/** Steps of a contract call or a deployment: the code is simulated, and the bytes are built here. */
export const contractCode: TransactionKind<CodeRequest, OwnerState, SigningPlan<CodeIntent>, CodeDraft> = {
  progress: () => t`Simulating and building`,
  read: async ({ request: { gateway, intent } }, signal) => ({ account: await gateway.account(intent.owner, signal) }),
  plan: ({ services, request }, { account }) => planSigning(services.keys, request, account),
  build: buildCode,
  check: ({ request }, { words }) => {
    const reason = noSendingOf(words);
    if (reason !== undefined && request.acknowledgeFailure !== true) throw wouldFail(reason, words);
  },
  review: reviewOf,
  revise: async ({ request }, { words }, button) => {
    const safe = safeButtonOf(request, words);
    if (button === DECODE && words.revertData !== undefined) void decode(words.revertData);
    if (safe?.feeLimit === undefined || button !== safe.title) return undefined;
    return { ...request, intent: { ...request.intent, feeLimit: safe.feeLimit } };
  },
};

/** A solidified block is the reference, so a reorganisation cannot remove it. */
async function buildCode(
  { services, request }: StepContext<CodeRequest>,
  { account }: OwnerState,
  plan: SigningPlan<CodeIntent>,
  signal: AbortSignal,
): Promise<CodeDraft> {
  const { gateway, intent, expiresInMs } = request;
  const [words, head, solid] = await Promise.all([
    simulate(withAccount(gateway, intent.owner, account), request, { signal, signatures: plan.signers.length }),
    gateway.headBlock(signal),
    gateway.solidBlock(signal),
  ]);
  const { builtFromIntent } = await import("../host/secrets/lazy-signing.ts");
  const headTimestamp = head.timestamp;
  const expiration = headTimestamp + expiresInMs;
  const built = builtFromIntent(intent, { referenceBlock: solid.id, expiration, timestamp: services.clock.now() });
  const verified = await verifyBuilt({ built, headTimestamp }, intent);
  services.recordCall?.(request.network, verified);
  return {
    plan,
    words,
    verified,
    solidHeight: solid.number,
    lifetimeMs: expiresInMs,
    estimatedEnergy: words.energy === undefined ? undefined : Number(words.energy),
    functionSignature: signatureIn(request),
  };
}

/** Returns the signature of the called function in the ABI that the call was built with. */
function signatureIn({ intent, abi }: Pick<CodeRequest, "intent" | "abi">): string | undefined {
  if (intent.kind !== "contract-call") return undefined;
  const candidates = abi?.lookup(intent.data.slice(0, SELECTOR_DIGITS), intent.contract) ?? [];
  return candidates.find(({ kind }) => kind === "function")?.signature;
}

/** Code to simulate, with the known data about it. */
interface SimulatedCode extends Pick<CodeDetails, "abi" | "mutability"> {
  readonly intent: CodeIntent;
  readonly network: NetworkProfile;
  readonly nameOf: NameOf;
}

interface SimulationOptions {
  readonly signal: AbortSignal;
  readonly signatures?: number;
  /** Prices the code with the `fee_limit` that the simulation suggests. */
  readonly suggestsLimit?: boolean;
}

/** Simulates code and describes the result. */
export async function simulate(
  source: EstimateSource,
  { intent, network, nameOf, abi, mutability }: SimulatedCode,
  { signal, signatures, suggestsLimit = false }: SimulationOptions,
): Promise<EstimateLabels> {
  const { estimateLabels, measureCall, priceCall } = await import("../host/lazy-estimates.ts");
  const measured = await measureCall(source, intent, signatures, signal);
  const context = { abi, mutability, marginPercent: energyMarginSetting(), symbol: coinSymbolOf(network.baseUrl) };
  const describe = (code: CodeIntent): EstimateLabels => {
    const estimate = measured.kind === "measured" ? priceCall(measured, code) : measured;
    const labels = estimateLabels(estimate, code, context);
    return { ...labels, headline: namesIn(labels.headline, nameOf) };
  };
  const labels = describe(intent);
  const { suggestedFeeLimit } = labels;
  if (!suggestsLimit || suggestedFeeLimit === undefined) return labels;
  return describe({ ...intent, feeLimit: suggestedFeeLimit });
}

/** Returns the gateway with an account that was just read, so that it is not requested again. */
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

/** Returns the error for code that fails in the simulation. */
export function wouldFail(reason: string, { revertData: data }: EstimateLabels): ChainError {
  return new ChainError("CALL_WOULD_FAIL", { reason, ...defined({ data }) });
}

async function decode(revertData: Hex): Promise<void> {
  const input = `0x${revertData}`;
  await vscode.commands.executeCommand("finality.decode", ownClick({ kind: "review", input }));
}

/** If something is wrong, Enter does not sign. */
async function reviewOf({ services, request }: StepContext<CodeRequest>, draft: CodeDraft): Promise<Review> {
  const { network, nameOf, intent } = request;
  const { lifetimeMs, verified, words, plan } = draft;
  const doubts = await whileWorking(t`Checking the call`, (signal) => warningsAbout(request, signal));
  const { title, detail, button, safe } = reviewCode(
    { network, nameOf, signing: plan, verified, lifetimeMs, now: services.clock.now() },
    { intent, code: request, words, doubts },
  );
  const isPlain = safe === undefined && !network.production && doubts.length === 0;
  const harmless = safe?.title ?? (doubts.length > 0 ? DO_NOT_SEND : undefined);
  const decodes = words.revertData === undefined ? [] : [DECODE];
  return {
    title,
    detail,
    severity: isPlain ? "information" : "warning",
    isRealMoney: network.production,
    buttons: harmless === undefined ? [button] : [harmless, button, ...decodes],
    sign: button,
  };
}

function safeButtonOf({ network }: CodeRequest, labels: EstimateLabels): ReturnType<typeof safeButton> {
  return safeButton({ words: labels, symbol: coinSymbolOf(network.baseUrl) });
}

/** Returns warnings that the simulation does not give, as sentences. */
async function warningsAbout(
  { gateway, codeWarning, intent }: CodeRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (intent.kind !== "contract-call") return [];
  const [code, approval] = await Promise.all([codeWarning?.(), approvalDoubt(gateway, intent, signal)]);
  return [code, approval].filter((it) => it !== undefined);
}
