import type { Explanation } from "./result/explanation.ts";

/** Whether an answer reads like a refusal and proves none: a code that asks for the same bytes does not say that the node has not taken them. */
export function isOpenRefusal({ category, retry }: Pick<Explanation, "category" | "retry">): boolean {
  return category === "validation" && retry.sameBytes === "yes";
}
