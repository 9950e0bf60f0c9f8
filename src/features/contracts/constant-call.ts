import { revertTexts } from "@finality/client/explain";
import { type AbiInput, type ContractFunction, functionDataOf, tryDecode } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { namesIn, withoutStop } from "@finality/tron/format";
import { type Address, hexToBytes, nameText, sun, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { amountOf, partyNamed } from "./contract-arguments.ts";
import { type PlainValue, plainValue } from "./contracts.view.ts";
import type { CallableContract } from "./known-contracts.ts";
import type { ContractContext } from "./services.ts";

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

/** Values of a complete constant call. */
export interface CompleteRead {
  readonly contract: CallableContract;
  readonly fn: ContractFunction;
  readonly values: readonly AbiInput[];
}

/**
 * Runs a constant call.
 *
 * @throws {ChainError} `CALL_REVERTED`, `ABI_MALFORMED` if the result does not match the types of the ABI
 */
export async function runConstantCall(
  context: ContractContext,
  fields: Arguments,
  { contract, fn, values }: CompleteRead,
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
      reason: namesIn(t`${withoutStop(title)}. ${fix}`, context.nameOf),
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

/** Returns the name of a contract, else its address. */
export function shownName({ name, address }: CallableContract): string {
  return nameText(name, toBase58(address));
}
