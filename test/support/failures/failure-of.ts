import assert from "node:assert/strict";
import { type AnyChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";

/** The error of ours with which a work ends. @throws when it does not fail, or in another way */
export async function failureOf(work: PromiseLike<unknown>): Promise<AnyChainError> {
  const error = await work.then(
    () => assert.fail("it did not fail"),
    (reason: unknown) => reason,
  );
  assert.ok(isChainError(error), String(error));
  return error;
}
