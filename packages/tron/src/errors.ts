export {
  type AnyChainError,
  ChainError,
  type ErrorCode,
  isChainError,
  isErrorCode,
  type NoAnswer,
  shortChainId,
  stateText,
} from "./errors/chain-error.ts";
