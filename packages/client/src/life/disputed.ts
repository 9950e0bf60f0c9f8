import type { TrackedTransaction } from "./tracked-transaction.ts";

/** Whether it failed, as its gateway says, and nobody else was heard about that. */
export function isFailedByOneWord({ state, secondWord }: TrackedTransaction): boolean {
  return state.kind === "solidified" && state.outcome.kind === "failed" && secondWord === undefined;
}

/** Whether its gateway says that it failed, and somebody else that it succeeded. */
export function isDisputed({ state, secondWord }: Pick<TrackedTransaction, "state" | "secondWord">): boolean {
  return state.kind === "solidified" && state.outcome.kind === "failed" && secondWord?.outcome.kind === "success";
}
