import { type ErrorCode, isChainError } from "@finality/tron/errors";
import { isJsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../caller.ts";
import type { CommandId } from "../contributions.ts";
import type { Log } from "../log/log.ts";
import { notify, type Severity } from "../prompts/notify.ts";

/** A next step as a button. */
export interface NextStep {
  readonly title: string;
  readonly command: CommandId | "workbench.trust.manage";
  /** Argument of the command; by default the subject of the message. */
  readonly argument?: object;
}

/**
 * Shows a notification with next steps and runs the chosen one.
 *
 * @param argument - subject of the message, passed to the next step
 */
export async function notifyWithSteps(
  severity: Severity,
  message: string,
  steps: readonly NextStep[],
  argument?: unknown,
): Promise<void> {
  const chosen = await notify(severity, message, ...steps);
  if (chosen === undefined) return;
  const about = chosen.argument ?? argument;
  await vscode.commands.executeCommand(chosen.command, ...(about === undefined ? [] : [about]));
}

/**
 * Shows an error with next steps. Causes and stacks go to the log.
 *
 * @param argument - argument of the failed command, passed to the next step
 */
export async function showError(thrown: unknown, log: Log, argument?: unknown): Promise<void> {
  log.error("A command failed.", thrown);
  await notifyWithSteps("error", messageOf(thrown), [...nextSteps(thrown, argument), showLogStep()], argument);
}

/** Returns the message. The user typed no argument, so only its reason is shown. */
function messageOf(thrown: unknown): string {
  if (isChainError(thrown) && thrown.code === "COMMAND_ARGUMENT_MALFORMED") {
    const { reason } = thrown.details;
    return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;
  }
  if (isChainError(thrown)) return thrown.message;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return t`The command failed: ${reason}`;
}

function showLogStep(): NextStep {
  return { title: t`Show Log`, command: "finality.showLog" };
}

function nextSteps(thrown: unknown, argument: unknown): readonly NextStep[] {
  if (!isChainError(thrown)) return [];
  if (thrown.code === "CALL_WOULD_FAIL")
    return [...(isCallSite(argument) ? [showEstimate] : []), ...decodeStep(thrown.details.data)];
  if (thrown.code === "CALL_REVERTED") return decodeStep(thrown.details.data);
  if (thrown.code === "NETWORK_NOT_CHOSEN" && thrown.details.available > 0) return [switchNetwork, startLocalChain];
  return nextStepsOf[thrown.code] ?? [];
}

/** Returns whether a command was about a call that is written in a file. */
function isCallSite(argument: unknown): boolean {
  return isJsonObject(argument) && typeof argument.uri === "string";
}

function decodeStep(data: string | undefined): readonly NextStep[] {
  if (data === undefined || data === "") return [];
  const argument = ownClick({ kind: "revert", input: `0x${data}` });
  return [{ title: t`Decode`, command: "finality.decode", argument }];
}

const step = (title: string, command: NextStep["command"]): NextStep => ({ title, command });

const showEstimate = step(t`Show Estimate Details`, "finality.showEstimate");
const testConnection = step(t`Test Connection`, "finality.testConnection");
const editNetwork = step(t`Edit Network…`, "finality.editNetwork");
const addNetwork = step(t`Add Network…`, "finality.addNetwork");
const switchNetwork = step(t`Switch Network…`, "finality.switchNetwork");
const startLocalChain = step(t`Start Local Chain`, "finality.startLocalChain");
const jwtKeys = step(t`JWT Keys…`, "finality.jwtKeys");
const createJwtKey = step(t`Create JWT Key…`, "finality.createJwtKey");
const importSigningKey = step(t`Import Signing Key…`, "finality.importSigningKey");

/** Next steps by error code. */
const nextStepsOf: { readonly [C in ErrorCode]?: readonly NextStep[] } = {
  GATEWAY_UNREACHABLE: [testConnection],
  GATEWAY_SILENT: [testConnection],
  GATEWAY_HTTP_STATUS: [testConnection],
  GATEWAY_ANSWER_MALFORMED: [testConnection],
  GATEWAY_UNAUTHORIZED: [step(t`Set API Key…`, "finality.setApiKey")],
  WORKSPACE_NOT_TRUSTED: [step(t`Manage Workspace Trust`, "workbench.trust.manage")],
  LOCAL_CHAIN_UNPROVEN: [step(t`Stop Local Chain`, "finality.stopLocalChain")],
  LOCAL_CHAIN_STOPPED: [startLocalChain, switchNetwork],
  LOCAL_CHAIN_FAILED: [step(t`Try Again`, "finality.startLocalChain")],
  JWT_SETTING_MISSING: [jwtKeys, editNetwork],
  JWT_KEYS_FULL: [jwtKeys],
  JWT_KEY_UNKNOWN: [jwtKeys],
  JWT_KEY_NOT_ACCEPTED: [jwtKeys],
  JWT_KEY_MISSING: [createJwtKey, step(t`Import JWT Key…`, "finality.importJwtKey")],
  JWT_KEY_MALFORMED: [createJwtKey],
  JWT_KEY_TOO_SHORT: [createJwtKey],
  JWT_NOT_ASKED: [step(t`Local Chain Access…`, "finality.localChainAccess")],
  URL_NOT_ALLOWED: [editNetwork],
  PATH_NOT_SERVED: [editNetwork],
  CREDENTIALS_WITHHELD: [editNetwork],
  CREDENTIALS_IN_CLEAR: [editNetwork],
  PLAIN_HTTP_UNCONFIRMED: [editNetwork],
  CLIENT_CERTIFICATE_UNUSABLE: [step(t`Set Client Certificate…`, "finality.setClientCertificate")],
  NETWORK_NOT_CHOSEN: [startLocalChain, addNetwork],
  NETWORK_NOT_ADDED: [addNetwork],
  NETWORK_UNKNOWN: [switchNetwork],
  SIGNING_ACCOUNT_MISSING: [step(t`Generate Signing Key…`, "finality.generateSigningKey"), importSigningKey],
  SIGNING_KEY_MISSING: [importSigningKey],
  VOTING_POWER_MISSING: [step(t`Stake…`, "finality.stake")],
  WEIGHT_TOO_LOW: [step(t`Export for Signature…`, "finality.exportForSignature")],
};
