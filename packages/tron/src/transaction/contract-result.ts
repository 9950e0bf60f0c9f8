/**
 * The outcomes of a contract's execution; a name's index is its number in the protocol (Tron.proto, contractResult).
 */
export const contractResults = [
  "DEFAULT",
  "SUCCESS",
  "REVERT",
  "BAD_JUMP_DESTINATION",
  "OUT_OF_MEMORY",
  "PRECOMPILED_CONTRACT",
  "STACK_TOO_SMALL",
  "STACK_TOO_LARGE",
  "ILLEGAL_OPERATION",
  "STACK_OVERFLOW",
  "OUT_OF_ENERGY",
  "OUT_OF_TIME",
  "JVM_STACK_OVER_FLOW",
  "UNKNOWN",
  "TRANSFER_FAILED",
  "INVALID_CODE",
] as const;

export type ContractResult = (typeof contractResults)[number];

/** The number of a result, or undefined for a name that the protocol did not have when this was written. */
export function contractResultNumber(name: string): number | undefined {
  const index = (contractResults as readonly string[]).indexOf(name);
  return index < 0 ? undefined : index;
}

/** The name of a result, or undefined for a number that the protocol did not have when this was written. */
export function contractResultName(number: number): ContractResult | undefined {
  return contractResults[number];
}
