import { type Address, defined, type Hex, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { type BindingContext, type BoundCall, bindCall, type KnownContract } from "../call-sites/bind-call.ts";
import type { SetupSite } from "../call-sites/find-call-sites.ts";
import type { CodeIntent } from "../estimates/call-estimate.ts";
import { failureReason, type ReasonNames } from "../explain/failure-reason.ts";

/** Embedded chain that executes calls without signatures. */
export interface SetupChain {
  /** Executes a call or deployment in a block of its own. */
  execute(intent: CodeIntent): Promise<SetupOutcome>;
}

/** Outcome of an executed call or deployment. */
export type SetupOutcome =
  | { readonly kind: "success"; readonly contract: Address | undefined }
  /** `result` is the name in the receipt, such as REVERT, or the code of the refusal. */
  | { readonly kind: "failed"; readonly result: string; readonly message: string; readonly data: Hex };

/** Result of a step of a setup. */
export type SetupStepResult =
  /** `context` also has the deployed contract. */
  | { readonly kind: "executed"; readonly bound: BoundCall; readonly context: BindingContext }
  /** A sentence without a final full stop. */
  | { readonly kind: "failed"; readonly reason: string };

/** Executes a step of the setup of a call file. */
export async function executeSetupStep(
  chain: SetupChain,
  site: SetupSite,
  context: BindingContext,
  names: ReasonNames,
): Promise<SetupStepResult> {
  const bound = bindCall(site, context);
  if (bound.kind === "wrong") return { kind: "failed", reason: bound.reason };
  if (bound.kind === "missing")
    return { kind: "failed", reason: bound.missing.map(({ question }) => question).join("; ") };
  const outcome = await chain.execute(bound.intent);
  if (outcome.kind === "failed") return { kind: "failed", reason: reasonOf(outcome, bound, names) };
  if (outcome.contract === undefined || site.deployedAs === undefined) return { kind: "executed", bound, context };
  const deployed = { ...bound.contract, name: site.deployedAs, address: outcome.contract, addressSource: t`the setup` };
  return { kind: "executed", bound, context: withContract(context, deployed) };
}

function reasonOf(
  { result, message, data }: Extract<SetupOutcome, { kind: "failed" }>,
  { intent }: BoundCall,
  names: ReasonNames,
): string {
  const contract = intent.kind === "contract-call" ? intent.contract : undefined;
  const reason = failureReason({ kind: "failed", result, message, data }, defined({ contract }), names);
  if (reason !== undefined) return t`it fails: ${visibleLine(reason.text)}`;
  return t`it fails: ${[result, visibleLine(message)].filter((text) => text !== "").join(", ")}`;
}

function withContract(
  context: BindingContext,
  contract: KnownContract & { readonly address: Address },
): BindingContext {
  const { name, address } = contract;
  return {
    caller: context.caller,
    answer: (key) => context.answer(key),
    contractsNamed: (text) => (text === name ? [contract] : context.contractsNamed(text)),
    contractsAt: (at) => (at === address ? [contract] : context.contractsAt(at)),
    contractsWith: (functionName) => context.contractsWith(functionName),
    addressOf: (text) => (text === name ? address : context.addressOf(text)),
  };
}
