export { type BroadcastMeaning, broadcastCodeOf, readBroadcastAnswer } from "./node-messages/broadcast-answer.ts";
export {
  type ExecutionReport,
  endOfExecution,
  executionIn,
  readExecution,
  resultNameOf,
} from "./node-messages/execution-report.ts";
export {
  BLOCKED,
  failureInJson,
  failureOf,
  failureText,
  HTTP_RULES,
  type HttpFailure,
  type HttpMeaning,
  type HttpRule,
  httpFailureIn,
  statusOf,
  statusOfPhrase,
  statusOfReason,
} from "./node-messages/http-failure.ts";
export {
  type CodeVerdict,
  classifyBroadcastCode,
  codeMeant,
  decodeNodeMessage,
  isBrokenNode,
  parseNodeFault,
} from "./node-messages/node-message.ts";
export { type BroadcastCode, isBroadcastCode } from "./node-messages/result-codes.ts";
