import { argumentList, revertTexts } from "@finality/client/explain";
import { type AbiInput, type ContractFunction, functionDataOf, tryDecode } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { namesIn } from "@finality/tron/format";
import { type Address, defined, hexToBytes, nameText, sun, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isUnattended } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { askSteps } from "../../host/prompts/quick-input.ts";
import { addressesOn, amountOf, fittedValues, functionNamed, inputsOf, partyNamed } from "./contract-arguments.ts";
import { type PlainValue, plainValue, readText } from "./contracts.view.ts";
import { type CallableContract, findContract } from "./known-contracts.ts";
import { askArguments, askContract, askFunction, type CallFields } from "./prompts.ts";
import { type ContractContext, type ContractServices, contextOn } from "./services.ts";

type Arguments = CommandArguments["finality.readContract"];

/** Result of a constant call. */
export interface ReadResult {
  /** base58. */
  readonly contract: string;
  readonly function: string;
  /** Integers are strings, addresses base58, bytes 0x…. */
  readonly values: readonly PlainValue[];
  /** Hex, as returned by the node. */
  readonly returned: string;
}

interface CompleteCall {
  readonly contract: CallableContract;
  readonly fn: ContractFunction;
  readonly values: readonly AbiInput[];
}

/**
 * Runs a constant call: prompts for missing values and shows the result. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `CALL_REVERTED`
 */
export async function readContract(services: ContractServices, fields: Arguments): Promise<ReadResult | undefined> {
  const context = await contextOn(services, fields.network);
  const known = await knownAnswers(context, fields);
  const steps = (soFar: CallFields) => [
    ...(known.contract === undefined ? [askContract(context)] : []),
    ...(known.fn === undefined ? [askFunction(true)] : []),
    ...(known.fn !== undefined && fields.arguments !== undefined
      ? []
      : askArguments(context, soFar.fn?.parameters ?? [])),
  ];
  const unattended = isUnattended(steps(known).length === 0);
  const answers = (await askSteps(t`Read Contract`, known, steps)) as CompleteCall | undefined;
  if (answers === undefined) return undefined;
  const result = await whileWorking(t`Reading the contract`, (signal) => read(context, fields, answers, signal));
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

async function read(
  context: ContractContext,
  fields: Arguments,
  { contract, fn, values }: CompleteCall,
  signal: AbortSignal,
): Promise<ReadResult> {
  const callValue = amountOf("callValue", fields.callValue) ?? sun(0n);
  const run = { owner: askerOf(context, fields, contract), contract: contract.address, callValue };
  const data = functionDataOf(fn, values);
  const { reverted, returned } = await context.gateway.constantCall({ ...run, data }, signal);
  if (reverted) {
    const { title, fix } = revertTexts(hexToBytes(returned), { abi: contract.abi }, contract.address);
    throw new ChainError("CALL_REVERTED", {
      function: nameText(fn.name),
      contract: shownName(contract),
      reason: namesIn(t`${title}. ${fix}`, context.nameOf),
      data: returned,
    });
  }
  const decoded = tryDecode(fn.outputs, hexToBytes(returned));
  if (decoded === undefined) {
    const reason = t`the result of ${nameText(fn.name)} of ${shownName(contract)} does not match its types; ${visibleLine(contract.origin)} may be another contract`;
    throw new ChainError("ABI_MALFORMED", { reason });
  }
  return {
    contract: toBase58(contract.address),
    function: fn.signature,
    returned,
    values: fn.outputs.map(({ type }, index) => plainValue(type, decoded[index])),
  };
}

/** Returns the caller of a constant call: the given one, else the first account, else the contract itself. */
function askerOf(context: ContractContext, fields: Arguments, { address }: CallableContract): Address {
  if (fields.from !== undefined) return partyNamed(context, "from", fields.from);
  return context.services.keys.listOn(context.network)[0]?.address ?? address;
}

function shownName({ name, address }: CallableContract): string {
  return nameText(name, toBase58(address));
}

async function show({ contract, fn, values }: CompleteCall, { returned }: ReadResult): Promise<void> {
  const decoded = tryDecode(fn.outputs, hexToBytes(returned as never)) ?? [];
  const call = `${shownName(contract)}.${nameText(fn.name)}(${argumentList(fn.parameters, values)})`;
  const [copy] = [t`Copy`];
  const chosen = await notify("information", readText(call, fn.outputs, decoded), copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(argumentList(fn.outputs, decoded));
}
