import { parseArguments } from "./command-arguments.ts";
import type { CommandId } from "./command-ids.ts";
import { type CommandArguments, commandShapes } from "./command-shapes.ts";

/**
 * Reads the argument of a command as its shape says. A part of its own: nobody needs the shapes before the first
 * command.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function argumentsOf<Id extends CommandId>(id: Id, raw: unknown): CommandArguments[Id] {
  return parseArguments(raw, commandShapes[id]) as CommandArguments[Id];
}
