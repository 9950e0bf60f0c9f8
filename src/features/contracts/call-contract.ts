import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { calledByProgram, isUnattended } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { askSteps } from "../../host/prompts/quick-input.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import type { ArgumentPanels } from "./argument-panels.ts";
import { callOrder } from "./code-orders.ts";
import { addressesOn, amountOf, fittedValues, functionNamed, inputsOf, signerNamed } from "./contract-arguments.ts";
import { findContract } from "./known-contracts.ts";
import { openCallForm } from "./open-form.ts";
import { askArguments, askCallValue, askContract, askFunction, askSigner, type CallFields } from "./prompts.ts";
import { sendCode } from "./send-code.ts";
import { type ContractContext, type ContractServices, type SigningContext, signingContextOn } from "./services.ts";

type Arguments = CommandArguments["finality.callContract"];
type Complete = Required<Pick<CallFields, "contract" | "fn" | "from">> & CallFields;

/**
 * Sends a contract call. For missing values it opens the form, or prompts if a program called; then it runs the send
 * pipeline. Returns undefined if the form was opened or the user cancels.
 */
export async function callContract(
  services: ContractServices,
  forms: ArgumentPanels,
  fields: Arguments,
): Promise<SentTransaction | undefined> {
  const context = await signingContextOn(services, fields);
  const known = await knownAnswers(context, fields);
  const steps = stepsFor(context, fields, known);
  if (!calledByProgram() && steps(known).length > 0) {
    await openCallForm(context, forms, { command: "call", fields, known });
    return undefined;
  }
  const unattended = isUnattended(steps(known).length === 0);
  const answers = await askSteps(t`Call Contract`, known, steps);
  if (answers === undefined) return undefined;
  return await sendCode(context, callOrder(context, fields, answers as Complete, unattended));
}

async function knownAnswers(context: ContractContext, fields: Arguments): Promise<CallFields> {
  const named = fields.contract ?? fields.txId;
  const contract = named === undefined ? undefined : await findContract(context, named);
  const inputs = inputsOf(fields.arguments);
  const fn =
    contract === undefined || fields.function === undefined
      ? undefined
      : functionNamed(contract, fields.function, inputs?.length);
  const callValue = amountOf("callValue", fields.callValue);
  return {
    values: fn === undefined || inputs === undefined ? [] : fittedValues(fn, inputs, addressesOn(context)),
    ...defined({ contract, fn, callValue }),
    ...(fields.from === undefined ? {} : { from: signerNamed(context, fields.from) }),
  };
}

/** Returns prompts for missing values. Coins are prompted for only if the function is payable. */
function stepsFor(context: SigningContext, fields: Arguments, known: CallFields) {
  return (soFar: CallFields) => {
    const isPayable = soFar.fn?.mutability === "payable";
    const isGiven = known.fn !== undefined && fields.arguments !== undefined;
    return [
      ...(known.contract === undefined ? [askContract(context)] : []),
      ...(known.fn === undefined ? [askFunction(false)] : []),
      ...(isGiven ? [] : askArguments(context, soFar.fn?.parameters ?? [])),
      ...(isPayable && known.callValue === undefined && fields.from === undefined ? [askCallValue()] : []),
      ...(known.from === undefined ? [askSigner<CallFields>(context)] : []),
    ];
  };
}
