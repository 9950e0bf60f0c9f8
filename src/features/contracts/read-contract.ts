import { argumentList } from "@finality/client/explain";
import { tryDecode } from "@finality/tron/abi";
import { defined, hexToBytes, nameText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, isUnattended } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { askSteps } from "../../host/prompts/quick-input.ts";
import type { ArgumentPanels } from "./argument-panels.ts";
import { type CompleteRead, type ReadResult, runConstantCall, shownName } from "./constant-call.ts";
import { addressesOn, fittedValues, functionNamed, inputsOf } from "./contract-arguments.ts";
import { readText } from "./contracts.view.ts";
import { findContract } from "./known-contracts.ts";
import { openCallForm } from "./open-form.ts";
import { askArguments, askContract, askFunction, type CallFields } from "./prompts.ts";
import { type ContractContext, type ContractServices, contextOn } from "./services.ts";

type Arguments = CommandArguments["finality.readContract"];

/**
 * Runs a constant call and shows the result. For missing values it opens the form, or prompts if a program called.
 * Returns undefined if the form was opened or the user cancels.
 *
 * @throws {ChainError} `CALL_REVERTED`
 */
export async function readContract(
  services: ContractServices,
  forms: ArgumentPanels,
  fields: Arguments,
): Promise<ReadResult | undefined> {
  const context = await contextOn(services, fields.network);
  const known = await knownAnswers(context, fields);
  const steps = (soFar: CallFields) => [
    ...(known.contract === undefined ? [askContract(context)] : []),
    ...(known.fn === undefined ? [askFunction(true)] : []),
    ...(known.fn !== undefined && fields.arguments !== undefined
      ? []
      : askArguments(context, soFar.fn?.parameters ?? [])),
  ];
  if (!calledByProgram() && steps(known).length > 0) {
    await openCallForm(context, forms, { command: "read", fields, known });
    return undefined;
  }
  const unattended = isUnattended(steps(known).length === 0);
  const answers = (await askSteps(t`Read Contract`, known, steps)) as CompleteRead | undefined;
  if (answers === undefined) return undefined;
  const result = await whileWorking(t`Reading the contract`, (signal) =>
    runConstantCall(context, fields, answers, signal),
  );
  if (!unattended) await show(answers, result);
  return result;
}

async function knownAnswers(context: ContractContext, fields: Arguments): Promise<CallFields> {
  const named = fields.contract ?? fields.txId;
  const contract = named === undefined ? undefined : await findContract(context, named);
  const inputs = inputsOf(fields.arguments);
  const isNamed = contract !== undefined && fields.function !== undefined;
  const fn = isNamed ? functionNamed(contract, fields.function, inputs?.length) : undefined;
  return {
    values: fn === undefined || inputs === undefined ? [] : fittedValues(fn, inputs, addressesOn(context)),
    ...defined({ contract, fn }),
  };
}

async function show({ contract, fn, values }: CompleteRead, { returned }: ReadResult): Promise<void> {
  const decoded = tryDecode(fn.outputs, hexToBytes(returned as never)) ?? [];
  const call = `${shownName(contract)}.${nameText(fn.name)}(${argumentList(fn.parameters, values)})`;
  const [copy] = [t`Copy`];
  const chosen = await notify("information", readText(call, fn.outputs, decoded), copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(argumentList(fn.outputs, decoded));
}
