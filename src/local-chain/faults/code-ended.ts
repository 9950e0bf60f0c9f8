import { Halt, outOfTime } from "../chain/halt.ts";
import type { FaultType } from "./fault.ts";

const RESULTS = ["OUT_OF_TIME", "JVM_STACK_OVER_FLOW", "UNKNOWN", "PRECOMPILED_CONTRACT", "STACK_OVERFLOW"] as const;
/** No node has words for the other two. */
const TEXTS: { readonly [result: string]: string } = {
  JVM_STACK_OVER_FLOW: "StackOverflowError:  exceed default JVM stack size!",
  UNKNOWN: "Unknown Throwable",
};

/**
 * The machine of a block's producer gives up on a transaction's code, whatever the code is: it fails with this value
 * and loses its whole limit, though it went well on arrival. The count is of transactions.
 */
export const codeEnded: FaultType = {
  name: "code-ended",
  read: (fields) => {
    const result = fields.choice("result", RESULTS);
    const halt = result === "OUT_OF_TIME" ? outOfTime("") : new Halt(result, "", TEXTS[result] ?? "");
    return { seam: "execution", halt };
  },
};
