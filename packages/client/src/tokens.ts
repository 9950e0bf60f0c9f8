export {
  type Approval,
  agreedDecimals,
  approvalOf,
  approveData,
  parseTokenAmount,
  readDecimals,
  readToken,
  returnedFalse,
  type SaidDecimals,
  type Token,
  tokenBalance,
  transferData,
} from "./tokens/trc20.ts";
