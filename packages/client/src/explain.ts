export { falseReturn } from "./explain/call-answers.ts";
export { hasTrace } from "./explain/decode/plain-text.ts";
export {
  documentedSources,
  forPrograms,
  loadDictionary,
  type ShownSource,
  shownSources,
} from "./explain/documented-sources.ts";
export { explain } from "./explain/explain.ts";
export {
  type Explain,
  type ExplainedRange,
  type ExplainOptions,
  failedAnswersIn,
  lastFailureIn,
  positionIn,
  rangeAt,
  rangesIn,
  windowAt,
} from "./explain/explained-range.ts";
export {
  type Category,
  type DecodedField,
  type Explanation,
  isVerdictOf,
  type RetryVerdict,
} from "./explain/explanation.ts";
export {
  type FailedRun,
  type FailureReason,
  failureReason,
  fixNow,
  isOpenRefusal,
  lacksCoins,
  type ReasonOf,
  runOf,
  wantsNames,
} from "./explain/failure-reason.ts";
export { argumentList, eventText, fieldsOfValues, readEvent } from "./explain/fields.ts";
export { revertTexts } from "./explain/messages/failures.ts";
export { rangesInText } from "./explain/ranges-in-text.ts";
export {
  answerProblems,
  type CallNames,
  callFileProblems,
  type TextFix,
  type TextProblem,
} from "./explain/text-problems.ts";
