import { functionDataOf } from "@finality/tron/abi";
import { defined, nameText, sun, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isUnattended } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { askSteps } from "../../host/prompts/quick-input.ts";
import { quoted } from "../../labels/reviews.ts";
import { argumentLines, tokenLines } from "../../sending/code-review.view.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import {
  addressesOn,
  amountOf,
  fittedValues,
  functionNamed,
  inputsOf,
  integerOf,
  signerNamed,
} from "./contract-arguments.ts";
import { findContract } from "./known-contracts.ts";
import { askArguments, askCallValue, askContract, askFunction, askSigner, type CallFields } from "./prompts.ts";
import { sendCode } from "./send-code.ts";
import { type ContractContext, type ContractServices, type SigningContext, signingContextOn } from "./services.ts";

type Arguments = CommandArguments["finality.callContract"];
type Complete = Required<Pick<CallFields, "contract" | "fn" | "from">> & CallFields;

const MOST = 2n ** 63n - 1n;

/**
 * Sends a contract call: prompts for missing values, then runs the send pipeline. Returns undefined if the user
 * cancels.
 */
export async function callContract(
  services: ContractServices,
  fields: Arguments,
): Promise<SentTransaction | undefined> {
  const context = await signingContextOn(services, fields);
  const known = await knownAnswers(context, fields);
  const steps = stepsFor(context, fields, known);
  const unattended = isUnattended(steps(known).length === 0);
  const answers = await askSteps(t`Call Contract`, known, steps);
  return answers === undefined ? undefined : await send(context, fields, answers as Complete, unattended);
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

async function send(
  context: ContractContext,
  fields: Arguments,
  { contract, fn, from, values, callValue = sun(0n) }: Complete,
  unattended: boolean,
): Promise<SentTransaction | undefined> {
  const tokenId = integerOf("tokenId", fields.tokenId, 0n, MOST);
  const tokenValue = integerOf("tokenValue", fields.tokenValue, 0n, MOST);
  return await sendCode(context, {
    action: t`Call ${quoted(fn.name)} on ${quoted(contract.name, toBase58(contract.address))}`,
    intent: {
      kind: "contract-call",
      owner: from,
      contract: contract.address,
      callValue,
      feeLimit: sun(0n),
      data: functionDataOf(fn, values),
      ...defined({ tokenId, tokenValue }),
    },
    contract: contract.address,
    contractName: contract.name,
    abi: contract.abi,
    codeWarning: contract.codeWarning,
    mutability: fn.mutability,
    money: tokenLines(tokenId, tokenValue),
    details: [t`Function: ${quoted(fn.name)}`, ...argumentLines(fn.parameters, values)],
    fields: { label: `${nameText(contract.name, toBase58(contract.address))}.${nameText(fn.name)}`, ...fields },
    unattended,
  });
}
