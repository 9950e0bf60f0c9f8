import type { ContractResult } from "../../transaction/contract-result.ts";
import type { CatalogueEntry } from "./entry.ts";

type Words = Pick<CatalogueEntry, "title" | "cause" | "fix">;

const BURNT = "On the chain this charges the whole fee_limit.";

/** The values of `receipt.result` (gateway document, States; protocol reference §11.5). */
export const receiptResultWords: { readonly [R in ContractResult]: Words } = {
  DEFAULT: {
    title: "Not executed yet",
    cause: "The value before the execution has ended. On a final transaction it is not to be expected.",
    fix: "Ask again for the solidified information of the transaction.",
  },
  SUCCESS: {
    title: "Executed successfully",
    cause: "The contract ended normally.",
    fix: "Nothing has to be done. It is final once it is solidified.",
  },
  REVERT: {
    title: "The contract reverted",
    cause: "A require, assert or revert of the contract failed. Only the energy used so far is charged.",
    fix: "Decode contractResult[0]: it holds the reason. Correct the cause, and build a new transaction once the failure is solidified.",
  },
  BAD_JUMP_DESTINATION: {
    title: "Invalid jump in the bytecode",
    cause: `The code jumped to a place that is no destination. ${BURNT}`,
    fix: "Check inline assembly, and that the deployed bytecode is what the compiler made.",
  },
  OUT_OF_MEMORY: {
    title: "Out of memory",
    cause: `The execution needed more than 3 MiB. ${BURNT}`,
    fix: "Work on smaller arrays or in parts.",
  },
  PRECOMPILED_CONTRACT: {
    title: "A precompiled contract failed",
    cause: `An error inside of a contract that is built into the chain. ${BURNT}`,
    fix: "Check the arguments of ecrecover, pairings and similar calls.",
  },
  STACK_TOO_SMALL: {
    title: "Stack underflow",
    cause: `An operation took from an empty stack. ${BURNT}`,
    fix: "Check inline assembly and the deployed bytecode.",
  },
  STACK_TOO_LARGE: {
    title: "Stack limit exceeded",
    cause: `More than 1024 items were pushed. ${BURNT}`,
    fix: "Check inline assembly, and recursion without an end.",
  },
  ILLEGAL_OPERATION: {
    title: "Illegal operation in the bytecode",
    cause: `An INVALID instruction, or a compiler for a newer VM. ${BURNT}`,
    fix: "Compile for a version of the EVM that this chain runs.",
  },
  STACK_OVERFLOW: {
    title: "Stack overflow in the VM",
    cause: `The stack of the virtual machine overflowed. ${BURNT}`,
    fix: "Use less recursion.",
  },
  OUT_OF_ENERGY: {
    title: "Out of energy",
    cause: `The energy that fee_limit and stake allow ended in the middle of the execution. ${BURNT}`,
    fix: "Check fee_limit against an estimate, or stake for energy. Build a new transaction once the failure is solidified.",
  },
  OUT_OF_TIME: {
    title: "Out of time",
    cause: `The CPU time for one transaction ended, or a check of the protocol gave this result: the message tells which. ${BURNT}`,
    fix: "Read the exact message. Do less in one call, and build a new transaction once the failure is solidified.",
  },
  JVM_STACK_OVER_FLOW: {
    title: "The node's own stack overflowed",
    cause: `Calls were nested too deeply for the node. ${BURNT}`,
    fix: "Use less recursion.",
  },
  UNKNOWN: {
    title: "An unexpected error of the VM",
    cause: `An error that no other value names, such as a write in a static call. ${BURNT}`,
    fix: "Read the message, and simulate the call.",
  },
  TRANSFER_FAILED: {
    title: "An internal transfer failed",
    cause: "The contract could not send coins or tokens. Only the energy used so far is charged.",
    fix: "Check the recipient, the amount and the balance of the contract.",
  },
  INVALID_CODE: {
    title: "The bytecode is not valid",
    cause: `Code that was deployed or called failed the validation; it may not begin with ef. ${BURNT}`,
    fix: "Deploy what the compiler made.",
  },
};
