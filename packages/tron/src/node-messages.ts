export {
  type BroadcastMeaning,
  broadcastCodeOf,
  type ExecutionReport,
  endOfExecution,
  executionIn,
  readBroadcastAnswer,
  readExecution,
  resultNameOf,
} from "./node-messages/answers.ts";
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
  type BroadcastCode,
  type CodeVerdict,
  classifyBroadcastCode,
  codeMeant,
  decodeNodeMessage,
  isBroadcastCode,
  isBrokenNode,
  parseNodeFault,
} from "./node-messages/node-message.ts";
