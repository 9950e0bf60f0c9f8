export {
  type AnyChainError,
  ChainError,
  type ErrorCode,
  isChainError,
  isErrorCode,
  type NoAnswer,
  shortChainId,
  stateWord,
} from "./errors/chain-error.ts";
