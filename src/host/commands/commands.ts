import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram, isOwnClick, markRows, ownClick, runFor } from "../caller.ts";
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
 * Handler of a command. Its result goes to the program that called it.
 *
 * @param raw - the argument as received, for handlers that read more of it
 */
export type CommandHandler<Id extends CommandId> = (argument: CommandArguments[Id], raw: unknown) => unknown;

/** Handlers of a feature's commands. */
export type Commands<F extends Feature> = { readonly [Id in CommandIdOf<F>]: CommandHandler<Id> };

/** Registers a command. A failure becomes a message with a next step, or a rejection if a program called. */
export type RegisterCommand = <Id extends CommandId>(id: Id, handler: CommandHandler<Id>) => vscode.Disposable;

export function commandRegistrar(log: Log, isOnLocalChain: IsOnLocalChain): RegisterCommand {
  return (id, handler) =>
    vscode.commands.registerCommand(id, async (received?: unknown) => {
      const raw = received instanceof vscode.Uri ? resourceRow(received) : received;
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
        // The user cancelled.
        if (error instanceof vscode.CancellationError) return undefined;
        const { showError } = await import("./show-error.ts");
        void showError(error, log, raw);
        return undefined;
      }
    });
}

/**
 * Returns the argument for a file that a menu of the Explorer or of an editor passes. JSON can name a file too, so it
 * counts like a row of a tree.
 */
function resourceRow(uri: vscode.Uri): object {
  const row = { kind: "resource", uri: uri.toString(), ...(uri.scheme === "file" ? { file: uri.fsPath } : {}) };
  markRows([row]);
  return row;
}

/** Registers all commands of a feature. Their handlers are loaded with the first one. */
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

/** Clears every context key: the window keeps values of an extension host that was killed. */
export function clearContext(): void {
  for (const key of contextKeys) setContext(key, undefined);
}

export function setContext(key: ContextKey, value: unknown): void {
  void vscode.commands.executeCommand("setContext", key, value);
}

/**
 * Arguments that own buttons, lenses and pages pass to commands. Only such an argument proves a click. A keybinding,
 * task or extension can pass any JSON, including a tree row's handle.
 */
export class OwnClicks {
  /** Marks an argument as created by this extension. */
  of<T extends object>(argument: T): T {
    return ownClick(argument);
  }

  has(argument: unknown): boolean {
    return isOwnClick(argument);
  }
}

/** State that VS Code stores for the user, for all windows. */
export interface StoredState {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): Thenable<void>;
}

/** A context key whose value depends on a file that is read later. Until then it has its last value. */
export class StoredContextKey<T extends boolean | string> {
  readonly #state: StoredState;
  readonly #key: ContextKey;
  readonly #none: T;
  #value: T;

  /** @param none - value before anything is known */
  constructor(state: StoredState, key: ContextKey, none: T) {
    this.#state = state;
    this.#key = key;
    this.#none = none;
    const stored = state.get<unknown>(key);
    this.#value = isLike(none, stored) ? stored : none;
    setContext(key, this.#value);
  }

  /** Last known value. */
  get value(): T {
    return this.#value;
  }

  /** Sets the value after the file was read. */
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
