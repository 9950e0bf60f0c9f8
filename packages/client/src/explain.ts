export { falseReturn } from "./explain/answers/call-success.ts";
export { hasTrace } from "./explain/decode/trace.ts";
export { loadDictionary } from "./explain/dictionary.ts";
export { documentedPlaces, forPrograms, type ShownSource, shownSources } from "./explain/documented-sources.ts";
export { explain } from "./explain/explain.ts";
export {
  type FailedRun,
  type FailureReason,
  failureReason,
  type ReasonOf,
  runOf,
  wantsNames,
} from "./explain/failure-reason.ts";
export { fixNow, isOpenRefusal, lacksCoins } from "./explain/fix-now.ts";
export type { Category, DecodedField, Explanation, RetryVerdict } from "./explain/result/explanation.ts";
export { isVerdictOf } from "./explain/result/retry-verdict.ts";
export { eventText } from "./explain/words/event-text.ts";
export { argumentList } from "./explain/words/fields.ts";
export { revertWords } from "./explain/words/revert-words.ts";
export { answerProblems } from "./explain-in-text/answer-problems.ts";
export { type CallNames, callFileProblems } from "./explain-in-text/call-file-problems.ts";
export type { Reading } from "./explain-in-text/reading.ts";
export { readingAt } from "./explain-in-text/readings-at.ts";
export { lastFailureIn, readingsIn } from "./explain-in-text/readings-in.ts";
export type { TextFix, TextProblem } from "./explain-in-text/text-problem.ts";
export { positionIn, windowAt } from "./explain-in-text/text-window.ts";
