import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram, isOwnClick, ownClick, runFor } from "../caller.ts";
import {
  type CommandId,
  type CommandIdOf,
  type ContextKey,
  commandIds,
  contextKeys,
  type Feature,
} from "../contributions.ts";
import type { Log } from "../log/log.ts";
import type { CommandArguments } from "./command-arguments.ts";
import type { IsOnLocalChain } from "./program-gate.ts";

/**
 * What a command does with what it was told; what it gives back goes to the program that called it.
 *
 * @param raw - the argument as it came, for a handler that reads more of it
 */
export type CommandHandler<Id extends CommandId> = (argument: CommandArguments[Id], raw: unknown) => unknown;

/** What the commands of a feature do: a handler for each. */
export type Commands<F extends Feature> = { readonly [Id in CommandIdOf<F>]: CommandHandler<Id> };

/** Registers a command whose failures become messages with a next step, or rejections for a program that called it. */
export type RegisterCommand = <Id extends CommandId>(id: Id, handler: CommandHandler<Id>) => vscode.Disposable;

export function commandRegistrar(log: Log, isOnLocalChain: IsOnLocalChain): RegisterCommand {
  return (id, handler) =>
    vscode.commands.registerCommand(id, async (raw?: unknown) => {
      try {
        const { argumentsOf } = await import("./command-arguments.ts");
        return await runFor(raw, async () => {
          const argument = argumentsOf(id, raw);
          if (calledByProgram()) {
            const { passProgramGate } = await import("./program-gate.ts");
            if (!(await passProgramGate(id, argument, isOnLocalChain))) return undefined;
          }
          return await handler(argument, raw);
        });
      } catch (error) {
        if (isCallOfProgram(raw)) throw error;
        // The person left.
        if (error instanceof vscode.CancellationError) return undefined;
        const { showError } = await import("./show-error.ts");
        void showError(error, log, raw);
        return undefined;
      }
    });
}

/** Registers all commands of a feature. What they do is loaded with the first of them. */
export function registerAll<F extends Feature>(
  registerCommand: RegisterCommand,
  feature: F,
  load: () => Promise<{ readonly commands: Commands<F> }>,
): vscode.Disposable {
  const ids: readonly CommandIdOf<F>[] = commandIds[feature];
  const register = <Id extends CommandIdOf<F>>(id: Id): vscode.Disposable =>
    registerCommand(id, async (argument, raw) => (await load()).commands[id](argument, raw));
  return vscode.Disposable.from(...ids.map((id) => register(id)));
}

/** Clears every context key: the window keeps the values of an extension host that was killed. */
export function clearContext(): void {
  for (const key of contextKeys) setContext(key, undefined);
}

export function setContext(key: ContextKey, value: unknown): void {
  void vscode.commands.executeCommand("setContext", key, value);
}

/**
 * The arguments with which buttons, lenses and pages of this extension call commands. Only such a call proves a click: a
 * keybinding, a task or another extension can pass any JSON, also the handle of an element of a tree.
 */
export class OwnClicks {
  /** Marks an argument as made here. */
  of<T extends object>(argument: T): T {
    return ownClick(argument);
  }

  has(argument: unknown): boolean {
    return isOwnClick(argument);
  }
}

/** What the editor keeps for the person, over all windows. */
export interface KeptState {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): Thenable<void>;
}

/**
 * A context key that depends on a file which nobody reads before it is needed: until then it is what it was the last
 * time.
 */
export class KeptContext<T extends boolean | string> {
  readonly #state: KeptState;
  readonly #key: ContextKey;
  readonly #none: T;
  #value: T;

  /** @param none - what it is when nothing is known of it */
  constructor(state: KeptState, key: ContextKey, none: T) {
    this.#state = state;
    this.#key = key;
    this.#none = none;
    const kept = state.get<unknown>(key);
    this.#value = isLike(none, kept) ? kept : none;
    setContext(key, this.#value);
  }

  /** What it is, as far as is known. */
  get value(): T {
    return this.#value;
  }

  /** Says what it is, now that the file was read. */
  set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    setContext(this.#key, value);
    void this.#state.update(this.#key, value === this.#none ? undefined : value);
  }
}

function isLike<T extends boolean | string>(none: T, value: unknown): value is T {
  return typeof value === typeof none;
}
