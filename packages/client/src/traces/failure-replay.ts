import { listOf, object, oneOf, type ReadOf, text } from "@finality/tron/read";

const changedItem = object({ name: text, recorded: text, present: text });

/** Reads how a failed transaction was replayed on its record, as `--replay-call` of the local chain prints it. */
export const readReplayFacts = object(
  { differences: listOf(text), changed: listOf(changedItem), explainedBy: listOf(text), readNow: listOf(text) },
  { equals: oneOf("recorded", "present") },
);

/**
 * Facts of a replay. `equals` names the state on which it equals the receipt: that of the record, or with the present
 * values of `explainedBy`.
 */
export type ReplayFacts = ReadOf<typeof readReplayFacts>;
