import { constructorOf, type WorkspaceContract } from "@finality/tron/abi";
import { defined, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { askSteps } from "../../host/prompts/quick-input.ts";
import type { Extras } from "./argument-form.view.ts";
import type { ArgumentPanels } from "./argument-panels.ts";
import type { FormOptions } from "./form-target.ts";
import type { LinkedLibrary } from "./link-libraries.ts";
import { askContract, askFunction, type CallFields } from "./prompts.ts";
import type { ContractContext } from "./services.ts";

interface CallFormRequest {
  readonly command: "call" | "read";
  readonly fields: FormOptions;
  readonly known: CallFields;
}

/** Opens the form of a call. Lists contracts and functions first, unless they are given. */
export async function openCallForm(
  context: ContractContext,
  forms: ArgumentPanels,
  { command, fields, known }: CallFormRequest,
): Promise<void> {
  const title = command === "read" ? t`Read Contract` : t`Call Contract`;
  const chosen = await askSteps(title, known, [
    ...(known.contract === undefined ? [askContract<CallFields>(context)] : []),
    ...(known.fn === undefined ? [askFunction<CallFields>(command === "read")] : []),
  ]);
  const { contract, fn } = chosen ?? {};
  if (contract === undefined || fn === undefined) return;
  const isGiven = known.fn !== undefined && fields.arguments !== undefined;
  const values = isGiven ? known.values : undefined;
  forms.show(context, {
    command,
    options: fields,
    target: { kind: "contract", contract },
    given: { fn, values, extras: extrasIn(fields, known) },
  });
}

interface DeployFormRequest extends CallFields {
  readonly artifact: WorkspaceContract;
  readonly libraries?: readonly LinkedLibrary[];
  readonly fields: FormOptions;
}

/** Opens the form of a deployment. */
export function openDeployForm(
  context: ContractContext,
  forms: ArgumentPanels,
  { artifact, libraries = [], fields, ...known }: DeployFormRequest,
): void {
  const deploys = constructorOf(artifact.abi());
  const values = fields.arguments === undefined ? undefined : known.values;
  forms.show(context, {
    command: "deploy",
    options: fields,
    target: { kind: "artifact", artifact, libraries, deploys },
    given: { fn: deploys, values, extras: extrasIn(fields, known) },
  });
}

function extrasIn(fields: FormOptions, { from }: CallFields): Extras {
  const { callValue, tokenId, tokenValue, feeLimit, userPercent, originEnergyLimit } = fields;
  return defined({
    ...{ callValue, tokenId, tokenValue, feeLimit, userPercent, originEnergyLimit },
    from: from === undefined ? undefined : toBase58(from),
  });
}
