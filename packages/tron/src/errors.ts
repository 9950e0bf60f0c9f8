export {
  type AnyChainError,
  ChainError,
  type ErrorCode,
  isChainError,
  isErrorCode,
  type NoAnswer,
  shortChainId,
} from "./errors/chain-error.ts";
export { stateWord } from "./errors/error-words.ts";
