import type { TextRange } from "../call-sites/call-site.ts";

/** Something in a document that a person should know of. */
export interface TextProblem {
  readonly range: TextRange;
  readonly message: string;
  readonly code: string;
  /** Text that the decoder shows for the problem. */
  readonly input?: string;
  readonly fixes: readonly TextFix[];
}

/** A change that solves it. */
export interface TextFix {
  readonly title: string;
  readonly range: TextRange;
  readonly text: string;
}
