import { AsyncLocalStorage } from "node:async_hooks";
import { isJsonObject } from "@finality/tron/primitives";

/**
 * The caller of a command. `person`: nothing was passed, or an argument that a button, lens or page of this extension
 * made. `row`: an element of a tree, which JSON with a tree handle can name too. `program`: any other argument, of an
 * extension, a task, a keybinding, a link or an agent.
 */
type Caller = "person" | "row" | "program";

const clicks = new WeakSet<object>();
const rows = new WeakSet<object>();
const running = new AsyncLocalStorage<Caller>();

/** Marks an argument as made by a button, lens or page of this extension. JSON can never be this object. */
export function ownClick<T extends object>(argument: T): T {
  clicks.add(argument);
  return argument;
}

/** Hands the caller of the running command on to a command that it runs with this argument. */
export function passOn<T extends object>(argument: T): T {
  return calledByProgram() ? argument : ownClick(argument);
}

/** Returns whether an argument was made by `ownClick`. */
export function isOwnClick(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null && clicks.has(argument);
}

/** Marks the elements that a tree hands out as rows. */
export function markRows<T extends object>(elements: T[]): T[] {
  for (const it of elements) rows.add(it);
  return elements;
}

/** Returns the caller, determined by the argument as received. */
function callerOf(raw: unknown): Caller {
  if (raw === undefined || raw === null || isOwnClick(raw)) return "person";
  return typeof raw === "object" && rows.has(raw) ? "row" : "program";
}

/** Runs a command for its caller. @param raw - the argument as received */
export function runFor<T>(raw: unknown, work: () => T): T {
  return running.run(callerOf(raw), work);
}

/** Returns whether the command that is running was called by a program. */
export function calledByProgram(): boolean {
  return running.getStore() === "program";
}

/**
 * Returns whether a command runs without a dialog of its own: a program called it. A person is always shown the review
 * and the result.
 *
 * @param isComplete - the argument has everything that the command needs
 */
export function isUnattended(isComplete: boolean): boolean {
  return isComplete && calledByProgram();
}

/** Returns whether a program may have called: an element of a tree is no proof of a click. */
export function mayBeProgram(): boolean {
  return (running.getStore() ?? "person") !== "person";
}

/**
 * Returns whether a program called, which gets a result or an error instead of a message. The Command Palette and view
 * titles pass no object, tree rows have a `kind`, and own buttons mark their argument.
 */
export function isCallOfProgram(value: unknown): boolean {
  return isJsonObject(value) && !("kind" in value) && !isOwnClick(value);
}
