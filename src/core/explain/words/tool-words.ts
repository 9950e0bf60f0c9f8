import { t } from "@vscode/l10n";
import { selectorOf } from "../../abi/abi-signature.ts";
import type { ContractResult } from "../../transaction/contract-result.ts";
import { entryOf } from "../catalogue/catalogue.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { clip, type Finding, field, findingOf, plainFinding } from "./finding.ts";
import { errorWords, explainPanic, explainReason, explainRevertData } from "./revert-words.ts";
import { explainVmFailure } from "./vm-words.ts";

/** What a tool told of a call that failed, or that should have. */
export type ToolReport =
  | { readonly kind: "data"; readonly data: Uint8Array }
  | { readonly kind: "panic"; readonly code: bigint }
  | { readonly kind: "reason"; readonly reason: string }
  | NamedError
  | { readonly kind: "no-revert" }
  /** An error of the contract of which the tool tells no more. */
  | { readonly kind: "unknown-error" }
  /** The result of an execution, in words of the tool. */
  | { readonly kind: "result"; readonly result: ContractResult }
  /** A library refused something before it was sent, or could not read what came. */
  | { readonly kind: "client"; readonly entry: ClientFailure };

/** The entries for what libraries say of themselves. */
type ClientFailure = keyof typeof codeOfClient;

interface NamedError {
  readonly kind: "error";
  readonly name: string;
  /** As the tool prints them. */
  readonly values: string;
  /** Undefined while nobody knows the types of the values. */
  readonly signature: string | undefined;
}

/** Explains what a tool told. */
export function explainToolReport(report: ToolReport, context: ExplainContext): Finding {
  switch (report.kind) {
    case "data":
      return explainRevertData(report.data, context);
    case "panic":
      return explainPanic(report.code);
    case "reason":
      return explainReason(report.reason, context);
    case "error":
      return ofNamed(report, context);
    case "no-revert":
      return ofNoRevert();
    case "unknown-error":
      return ofUnknownError();
    case "result":
      return explainVmFailure(report.result, "", { code: report.result });
    case "client":
      return findingOf(entryOf(report.entry), {}, { code: codeOfClient[report.entry] });
  }
}

function ofNamed({ name, values, signature }: NamedError, { abi }: ExplainContext): Finding {
  const known = signature === undefined ? [] : (abi?.lookup(selectorOf(signature)) ?? []);
  const origins = known.filter(({ kind }) => kind === "error").map(({ origin }) => origin);
  const words = errorWords(`${name}(${values})`, clip(name, 80));
  return plainFinding(signature ?? name, words, {
    category: "abi",
    entry: words.entry,
    decoded: [...field(t`error`, name), ...field("values", values)],
    sources: origins.length > 0 ? origins : ["the words of the tool"],
  });
}

const codeOfClient = {
  "client-argument": "ABI_ARGUMENT",
  "client-number": "ABI_NUMBER",
  "client-address": "ABI_ADDRESS",
  "client-argument-count": "ABI_ARGUMENT_COUNT",
  "client-no-function": "ABI_NO_FUNCTION",
  "client-data": "ABI_DATA_TOO_SHORT",
  "no-data": "NO_DATA",
} as const;

function ofUnknownError(): Finding {
  const words = {
    title: t`Reverted with an error of the contract`,
    cause: t`The contract declares the error itself, and the tool did not decode it.`,
    fix: t`Look the transaction up here, or simulate the call: the data of the error have its name and its values.`,
  };
  return plainFinding("CUSTOM_ERROR", words, {
    category: "abi",
    entry: "revert-not-decoded",
    sources: ["the words of the tool"],
  });
}

function ofNoRevert(): Finding {
  const words = {
    title: t`A revert was expected, and the call succeeded`,
    cause: t`The test expects that the contract refuses the call, and it did not.`,
    fix: t`Compare the arguments, the caller and the state with the condition in the contract.`,
  };
  return plainFinding("NO_REVERT", words, {
    category: "execution",
    entry: "tool-no-revert",
    sources: ["the words of the tool"],
  });
}
