import { selectorOf } from "@finality/tron/abi";
import type { ContractResult } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { entryOf } from "../catalogue/catalogue.ts";
import { codeOfRpcEntry } from "../catalogue/rpc-messages.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { clip, type Finding, field, findingOf, plainFinding } from "./finding.ts";
import { explainRefusal } from "./refusal-words.ts";
import { errorWords, explainPanic, explainReason, explainRevertData } from "./revert-words.ts";
import { explainVmFailure } from "./vm-words.ts";

/** Report of a tool about a call that failed, or that should have failed. */
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
  | { readonly kind: "client"; readonly entry: ClientFailure; readonly line?: string }
  /** A code of a broadcast and its message, as the text form of protobuf. */
  | { readonly kind: "refusal"; readonly code: string; readonly message: string };

/** The entries for what libraries, tools and wallets say of themselves. */
export type ClientFailure = keyof typeof codeOfClient;

interface NamedError {
  readonly kind: "error";
  readonly name: string;
  /** As the tool prints them. */
  readonly values: string;
  /** Signature of the error; undefined while the types of the values are unknown. */
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
      return ofClient(report);
    case "refusal":
      return explainRefusal(report.code, report.message, context);
  }
}

/** Returns the diagnosis of an entry. If the entry stands for many causes, the line of the text follows. */
function ofClient({ entry, line }: { readonly entry: ClientFailure; readonly line?: string }): Finding {
  const finding = findingOf(entryOf(entry), {}, { code: codeOfClient[entry] });
  if (line === undefined || line === "" || !QUOTED.has(entry)) return finding;
  return { ...finding, cause: t`${finding.cause} The text: ${clip(line, 220)}` };
}

/** Entries that stand for many causes. */
const QUOTED: ReadonlySet<ClientFailure> = new Set([
  "node-start",
  "node-block",
  "node-event",
  "node-build",
  "sol-compile",
  "sol-import",
  "sol-version",
  "verify-failed",
  "upgrade-refused",
  "tool-storage-layout",
  "tool-import",
  "tool-argument",
  "tool-install",
  "node-produce",
  "node-files",
  "tool-no-account",
  "tool-no-tronweb",
  "client-argument-count",
  "client-no-function",
  "tool-stopped-first",
  "tool-configuration",
  "tool-reports",
  "tool-exception",
  "topic-address",
  "topic-key",
  "topic-signature",
  "topic-arguments",
  "topic-abi",
  "topic-number",
  "topic-fee",
  "topic-balance",
  "topic-nonce",
  "topic-network",
  "topic-wallet",
  "topic-contract",
  "topic-setup",
  "topic-test",
  "topic-transaction",
  "topic-answer",
  "topic-connection",
  "topic-node",
  "rpc-refused",
  "wallet-not-signed",
  "wallet-not-connected",
  "wallet-send-failed",
  "wallet-unsupported",
  "wallet-network",
  "client-argument",
  "client-number",
  "client-address",
  "client-data",
]);

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
  ...codeOfRpcEntry,
  "tool-declined": "DECLINED",
  "tool-not-ready": "NOT_SET_UP",
  "tool-configuration": "NOT_SET_UP",
  "tool-stopped-first": "NOT_SENT",
  "tool-stopped-waiting": "NOT_CONFIRMED",
  "tool-not-found": "NOT_FOUND",
  "tool-dropped": "DROPPED",
  "tool-code-not-found": "NOT_CONFIRMED",
  "tool-interference": "NOT_CONFIRMED",
  "tool-trial-reverted": "REVERT",
  "tool-no-tronweb": "NOT_SET_UP",
  "tool-unreadable": "UNEXPECTED_ANSWER",
  "vm-call-failed": "FAILED",
  "tool-account-missing": "NOT_ACTIVATED",
  "tool-argument": "REQUEST_REFUSED",
  "tool-same-account": "REQUEST_REFUSED",
  "tool-answer": "UNEXPECTED_ANSWER",
  "tool-nothing-found": "EMPTY_OBJECT",
  "wallet-missing": "WALLET_NOT_FOUND",
  "wallet-not-connected": "WALLET_NOT_CONNECTED",
  "wallet-not-signed": "NOT_SIGNED",
  "wallet-network": "WALLET_NETWORK",
  "wallet-send-failed": "NOT_CONFIRMED",
  "ledger-declined": "DECLINED",
  "ledger-data": "LEDGER_DATA",
  "ledger-path": "LEDGER_PATH",
  "ledger-setting-data": "LEDGER_SETTING",
  "ledger-setting-hash": "LEDGER_SETTING",
  "ledger-setting-contract": "LEDGER_SETTING",
  "ledger-parameter": "LEDGER_PARAMETER",
  "ledger-app": "LEDGER_APP",
  "ledger-locked": "LEDGER_LOCKED",
  "ledger-problem": "LEDGER_PROBLEM",
  "tool-private-key": "REQUEST_REFUSED",
  "node-database-locked": "DATABASE_LOCKED",
  "node-database-damaged": "DATABASE_DAMAGED",
  "tool-block-not-found": "NOT_FOUND",
  "tool-transfer-failed": "NOT_CONFIRMED",
  "tool-compiler": "NOT_SET_UP",
  "tool-storage-layout": "NOT_SENT",
  "verify-pending": "VERIFICATION_PENDING",
  "verify-failed": "NOT_VERIFIED",
  "verify-key": "NOT_SET_UP",
  "client-no-abi": "ABI_MISSING",
  "client-type": "ABI_ARGUMENT",
  "node-start": "NODE_START",
  "node-block": "NODE_BLOCK",
  "node-peer": "NODE_PEER",
  "node-memory": "NODE_MEMORY",
  "node-java": "NODE_JAVA",
  "node-event": "NODE_EVENT",
  "node-port": "NODE_PORT",
  "node-build": "NOT_BUILT",
  "node-files": "NODE_FILES",
  "node-produce": "NODE_PRODUCE",
  "tool-install": "NOT_SET_UP",
  "wallet-resources": "REQUEST_REFUSED",
  "sol-compile": "NOT_COMPILED",
  "sol-stack": "NOT_COMPILED",
  "sol-version": "NOT_COMPILED",
  "sol-import": "NOT_COMPILED",
  "verify-done": "VERIFIED",
  "verify-no-code": "NOT_VERIFIED",
  "upgrade-refused": "NOT_SENT",
  "tool-import": "NOT_SET_UP",
  "tool-not-deployed": "NOT_DEPLOYED",
  "tool-empty-answer": "NOT_DEPLOYED",
  "tool-offline": "NOT_CONNECTED",
  "tool-command-failed": "NOT_CONFIRMED",
  "wallet-unsupported": "WALLET_UNSUPPORTED",
  "wallet-project": "WALLET_PROJECT",
  "rpc-refused": "RPC_REFUSED",
  "tool-reports": "TOOL_ERROR",
  "tool-exception": "EXCEPTION",
  "topic-address": "TOOL_ADDRESS",
  "topic-key": "TOOL_KEY",
  "topic-signature": "TOOL_SIGNATURE",
  "topic-arguments": "TOOL_ARGUMENTS",
  "topic-abi": "TOOL_ABI",
  "topic-number": "TOOL_NUMBER",
  "topic-fee": "TOOL_FEE",
  "topic-balance": "TOOL_BALANCE",
  "topic-nonce": "TOOL_NONCE",
  "topic-network": "TOOL_NETWORK",
  "topic-wallet": "TOOL_WALLET",
  "topic-contract": "TOOL_CONTRACT",
  "topic-setup": "NOT_SET_UP",
  "topic-test": "TEST_FAILED",
  "topic-transaction": "TOOL_TRANSACTION",
  "topic-answer": "UNEXPECTED_ANSWER",
  "topic-connection": "NOT_CONNECTED",
  "topic-node": "NODE_PROBLEM",
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
