import type { ContractResult } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { CatalogueEntry } from "./entry.ts";

type Words = Pick<CatalogueEntry, "title" | "cause" | "fix">;

const BURNT = t`On the chain this charges the whole fee_limit.`;

/** The values of `receipt.result` (gateway document, States; protocol reference §11.5). */
export const receiptResultWords: { readonly [R in ContractResult]: Words } = {
  DEFAULT: {
    title: t`Not executed yet`,
    cause: t`The value before the execution has ended. On a final transaction it is not to be expected.`,
    fix: t`Ask again for the solidified information of the transaction.`,
  },
  SUCCESS: {
    title: t`Executed successfully`,
    cause: t`The contract ended normally.`,
    fix: t`Nothing has to be done. It is final once it is solidified.`,
  },
  REVERT: {
    title: t`The contract reverted`,
    cause: t`A require, assert or revert of the contract failed. Only the energy used so far is charged.`,
    fix: t`Decode contractResult[0]: it holds the reason. Correct the cause, and build a new transaction once the failure is solidified.`,
  },
  BAD_JUMP_DESTINATION: {
    title: t`Invalid jump in the bytecode`,
    cause: t`The code jumped to a place that is no destination. ${BURNT}`,
    fix: t`Check inline assembly, and that the deployed bytecode is what the compiler made.`,
  },
  OUT_OF_MEMORY: {
    title: t`Out of memory`,
    cause: t`The execution needed more than 3 MiB. ${BURNT}`,
    fix: t`Work on smaller arrays or in parts.`,
  },
  PRECOMPILED_CONTRACT: {
    title: t`A precompiled contract failed`,
    cause: t`An error inside of a contract that is built into the chain. ${BURNT}`,
    fix: t`Check the arguments of ecrecover, pairings and similar calls.`,
  },
  STACK_TOO_SMALL: {
    title: t`Stack underflow`,
    cause: t`An operation took from an empty stack. ${BURNT}`,
    fix: t`Check inline assembly and the deployed bytecode.`,
  },
  STACK_TOO_LARGE: {
    title: t`Stack limit exceeded`,
    cause: t`More than 1024 items were pushed. ${BURNT}`,
    fix: t`Check inline assembly, and recursion without an end.`,
  },
  ILLEGAL_OPERATION: {
    title: t`Illegal operation in the bytecode`,
    cause: t`An INVALID instruction, or a compiler for a newer VM. ${BURNT}`,
    fix: t`Compile for a version of the EVM that this chain runs.`,
  },
  STACK_OVERFLOW: {
    title: t`Stack overflow in the VM`,
    cause: t`The stack of the virtual machine overflowed. ${BURNT}`,
    fix: t`Use less recursion.`,
  },
  OUT_OF_ENERGY: {
    title: t`Out of energy`,
    cause: t`The energy that fee_limit and stake allow ended in the middle of the execution. ${BURNT}`,
    fix: t`Check fee_limit against an estimate, or stake for energy. Build a new transaction once the failure is solidified.`,
  },
  OUT_OF_TIME: {
    title: t`Out of time`,
    cause: t`The CPU time for one transaction ended, or a check of the protocol gave this result: the message tells which. ${BURNT}`,
    fix: t`Read the exact message. Do less in one call, and build a new transaction once the failure is solidified.`,
  },
  JVM_STACK_OVER_FLOW: {
    title: t`The node's own stack overflowed`,
    cause: t`Calls were nested too deeply for the node. ${BURNT}`,
    fix: t`Use less recursion.`,
  },
  UNKNOWN: {
    title: t`An unexpected error of the VM`,
    cause: t`An error that no other value names, such as a write in a static call. ${BURNT}`,
    fix: t`Read the message, and simulate the call.`,
  },
  TRANSFER_FAILED: {
    title: t`An internal transfer failed`,
    cause: t`The contract could not send coins or tokens. Only the energy used so far is charged.`,
    fix: t`Check the recipient, the amount and the balance of the contract.`,
  },
  INVALID_CODE: {
    title: t`The bytecode is not valid`,
    cause: t`Code that was deployed or called failed the validation; it may not begin with ef. ${BURNT}`,
    fix: t`Deploy what the compiler made.`,
  },
};
