import { executionFailed, transferFailed } from "../chain/halt.ts";
import { denyStatic } from "./frame-operations.ts";
import type { Instruction } from "./operation.ts";
import { MAX_LONG } from "./words.ts";

const MIN_TOKEN_ID = 1_000_000n;
const INVALID_TOKEN = "validateForSmartContract failure:not valid token id";

/** Operations for tokens, and for stakes of the first version, on a chain that has none of them. */

/** Nobody has tokens, but an id has to be one. */
export const tokenBalance: Instruction = ({ stack }) => {
  const id = BigInt.asIntN(256, stack.pop());
  stack.pop();
  if (id > MAX_LONG || id < -MAX_LONG - 1n) throw transferFailed(INVALID_TOKEN);
  if (id <= MIN_TOKEN_ID) throw executionFailed(INVALID_TOKEN);
  stack.push(0n);
};

/** An operation that is closed: it fails, and the code goes on. */
export function refused(operands: number): Instruction {
  return (frame) => {
    denyStatic(frame);
    frame.stack.popN(operands);
    frame.stack.push(0n);
  };
}

/** A question whose answer is nothing. */
export function unknown(operands: number): Instruction {
  return (frame) => {
    frame.stack.popN(operands);
    frame.stack.push(0n);
  };
}
