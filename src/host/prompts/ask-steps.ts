import type { StepPlace, StepResult } from "./step-input.ts";

/** One question, which adds its answer to those so far. */
export type Ask<T> = (soFar: T, place: StepPlace) => Promise<StepResult<T>>;

/**
 * Asks one question after the other, with a way back. Which ones come may depend on the answers.
 *
 * @returns all answers, or undefined when the person left
 */
export async function askSteps<T>(
  title: string,
  initial: T,
  stepsFor: (soFar: T) => readonly Ask<T>[],
): Promise<T | undefined> {
  let answers: readonly T[] = [initial];
  for (;;) {
    const soFar = answers.at(-1) ?? initial;
    const steps = stepsFor(soFar);
    const ask = steps[answers.length - 1];
    if (ask === undefined) return soFar;
    const result = await ask(soFar, { title, step: answers.length, totalSteps: steps.length });
    if (result.kind === "left") return undefined;
    answers = result.kind === "back" ? answers.slice(0, -1) : [...answers, result.value];
  }
}
