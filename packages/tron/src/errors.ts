export {
  type AnyChainError,
  ChainError,
  type ErrorCode,
  isChainError,
  isErrorCode,
  type NoAnswer,
  shortChainId,
  stateText as stateWord,
} from "./errors/chain-error.ts";
