import { type ContractResult, contractResults } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { receiptResultWords } from "../catalogue/receipt-results.ts";
import { matchNodeText, stripPrefix } from "../decode/message-text.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { type CodedDetails, clip, type Finding, findingOf, plainFinding } from "./finding.ts";

/** The exceptions of the virtual machine, and the result that each becomes. */
const resultOfException: { readonly [name: string]: ContractResult } = {
  BadJumpDestinationException: "BAD_JUMP_DESTINATION",
  OutOfMemoryException: "OUT_OF_MEMORY",
  PrecompiledContractException: "PRECOMPILED_CONTRACT",
  StackTooSmallException: "STACK_TOO_SMALL",
  StackTooLargeException: "STACK_TOO_LARGE",
  IllegalOperationException: "ILLEGAL_OPERATION",
  OutOfEnergyException: "OUT_OF_ENERGY",
  OutOfTimeException: "OUT_OF_TIME",
  JVMStackOverFlowException: "JVM_STACK_OVER_FLOW",
  TransferException: "TRANSFER_FAILED",
  InvalidCodeException: "INVALID_CODE",
};

/** Returns true if a name is a contract result that receipts contain. */
export function isContractResult(name: string): name is ContractResult {
  return (contractResults as readonly string[]).includes(name);
}

/** The result that a message with the class of an exception names, for a simulation has no receipt. */
export function resultInMessage(message: string): ContractResult | undefined {
  const name = /Program\$(\w{1,60})/.exec(message.slice(0, 300))?.[1] ?? "";
  return Object.hasOwn(resultOfException, name) ? resultOfException[name] : undefined;
}

/** Words for a failure of the virtual machine: those of its message, or else those of its result. */
export function explainVmFailure(result: string, message: string, details: CodedDetails): Finding {
  const found = matchNodeText(message);
  const shared = { category: "execution", retry: verdictOf("if-executed"), ...details } as const;
  if (found !== undefined && found.entry.category === "execution")
    return findingOf(found.entry, found.captures, shared);
  const sources = ["gateway document, Execution result values; protocol reference §11.5"];
  if (result === "FAILED") return ofFailed(stripPrefix(message.trim()), { ...shared, sources });
  if (!isContractResult(result)) return ofUnknownResult(result, message, { ...shared, sources });
  const words = receiptResultWords[result];
  const said = stripPrefix(message.trim());
  const cause = said === "" ? words.cause : t`${words.cause} The node says: ${clip(said)}`;
  return plainFinding(details.code, { ...words, cause }, { ...shared, sources, entry: `result-${result}` });
}

/** The word of the information and of simulations; system contracts have no result that would say more. */
function ofFailed(said: string, details: CodedDetails): Finding {
  const words = {
    title: t`The execution failed`,
    cause:
      said === ""
        ? t`receipt.result and resMessage of the transaction's information tell how.`
        : t`The node says: ${clip(said)}`,
    fix: t`Read receipt.result, resMessage and contractResult of the transaction's information.`,
  };
  return plainFinding(details.code, words, { ...details, entry: "result-FAILED" });
}

function ofUnknownResult(result: string, message: string, details: CodedDetails): Finding {
  const words = {
    title: t`The contract failed with a result that no document names`,
    cause: `${clip(result, 80)}: ${clip(message)}`,
    fix: t`Read the message, and simulate the call.`,
  };
  return plainFinding(details.code, words, { ...details, entry: "generic-result" });
}
