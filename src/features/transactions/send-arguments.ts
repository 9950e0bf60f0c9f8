import { type Address, parseAddress, parseCoins, type Sun, type TxId } from "@finality/tron/primitives";
import {
  type CommandArguments,
  readAcknowledged,
  readAs,
  readPermissionId,
} from "../../host/commands/command-arguments.ts";

/** Arguments of Send Coins. Missing ones are prompted for. */
export interface SendArguments {
  readonly from?: Address | undefined;
  readonly to?: Address | undefined;
  readonly amount?: Sun | undefined;
  readonly memo?: string | undefined;
  readonly permissionId?: number | undefined;
  readonly label?: string | undefined;
  /** TxIDs of equal transactions that may still be executed and that the caller acknowledges. */
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
}

/**
 * Parses the arguments of Send Coins. The sender may be a row of Accounts, which has an `address`.
 *
 * @param addressOf - Returns the address of an account's name.
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function readSendArguments(
  argument: CommandArguments["finality.sendCoins"],
  addressOf: (name: string) => Address | undefined,
): SendArguments {
  const party = (text: string): Address => addressOf(text) ?? parseAddress(text);
  const read = <T>(field: "from" | "address" | "to" | "amount", parse: (text: string) => T): T | undefined =>
    argument[field] === undefined ? undefined : readAs(field, argument[field], parse);
  return {
    from: read("from", party) ?? read("address", party),
    to: read("to", party),
    amount: read("amount", parseCoins),
    memo: argument.memo,
    permissionId: readPermissionId(argument.permissionId),
    label: argument.label,
    acknowledgeUnknown: argument.acknowledgeUnknown && readAcknowledged(argument.acknowledgeUnknown),
  };
}

/** Returns whether all fields are known, so that no prompt is needed. */
export function isComplete(it: SendArguments): it is SendArguments & { from: Address; to: Address; amount: Sun } {
  return it.from !== undefined && it.to !== undefined && it.amount !== undefined;
}
