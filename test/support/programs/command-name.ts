import type { CommandId } from "../../../src/host/contributions.ts";

/** The id of a command without `finality.`. */
export type CommandName = NameOf<CommandId>;

type NameOf<Id extends CommandId> = Id extends `finality.${infer Name}` ? Name : never;
