import { t } from "@vscode/l10n";
import { type ErrorCode, isChainError } from "../../core/errors/chain-error.ts";
import type { Log } from "../log/log.ts";
import { type NextStep, notifyWithSteps } from "./next-step.ts";

/**
 * Tells a person what went wrong and offers what to do next. Causes and stacks go to the log.
 *
 * @param argument - what the failed command was about; the next step gets it too
 */
export async function showError(thrown: unknown, log: Log, argument?: unknown): Promise<void> {
  log.error("A command failed.", thrown);
  await notifyWithSteps("error", messageOf(thrown), [...nextSteps(thrown), showLogStep()], argument);
}

/** A person typed no argument: only the reason says something to them. */
function messageOf(thrown: unknown): string {
  if (isChainError(thrown) && thrown.code === "COMMAND_ARGUMENT_MALFORMED") {
    const { reason } = thrown.details;
    return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;
  }
  if (isChainError(thrown)) return thrown.message;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return t`This did not work: ${reason}`;
}

function showLogStep(): NextStep {
  return { title: t`Show Log`, command: "finality.showLog" };
}

function nextSteps(thrown: unknown): readonly NextStep[] {
  return isChainError(thrown) ? nextStepsFor(thrown.code) : [];
}

function nextStepsFor(code: ErrorCode): readonly NextStep[] {
  switch (code) {
    case "GATEWAY_UNREACHABLE":
    case "GATEWAY_SILENT":
    case "GATEWAY_HTTP_STATUS":
    case "GATEWAY_ANSWER_MALFORMED":
      return [{ title: t`Test Connection`, command: "finality.testConnection" }];
    case "GATEWAY_UNAUTHORIZED":
      return [{ title: t`Set API Key…`, command: "finality.setApiKey" }];
    case "WORKSPACE_NOT_TRUSTED":
      return [{ title: t`Manage Workspace Trust`, command: "workbench.trust.manage" }];
    case "LOCAL_CHAIN_UNPROVEN":
      return [{ title: t`Stop Local Chain`, command: "finality.stopLocalChain" }];
    case "JWT_SETTING_MISSING":
      return [
        { title: t`JWT Keys…`, command: "finality.jwtKeys" },
        { title: t`Edit Network…`, command: "finality.editNetwork" },
      ];
    case "JWT_KEYS_FULL":
    case "JWT_KEY_UNKNOWN":
    case "JWT_KEY_NOT_ACCEPTED":
      return [{ title: t`JWT Keys…`, command: "finality.jwtKeys" }];
    case "JWT_KEY_MISSING":
      return [
        { title: t`Create JWT Key…`, command: "finality.createJwtKey" },
        { title: t`Import JWT Key…`, command: "finality.importJwtKey" },
      ];
    case "JWT_NOT_ASKED":
      return [{ title: t`Local Chain Access…`, command: "finality.localChainAccess" }];
    case "URL_NOT_ALLOWED":
    case "PATH_NOT_SERVED":
    case "CREDENTIALS_WITHHELD":
    case "CREDENTIALS_IN_CLEAR":
    case "PLAIN_HTTP_UNCONFIRMED":
      return [{ title: t`Edit Network…`, command: "finality.editNetwork" }];
    case "CLIENT_CERTIFICATE_UNUSABLE":
      return [{ title: t`Set Client Certificate…`, command: "finality.setClientCertificate" }];
    case "JWT_KEY_MALFORMED":
    case "JWT_KEY_TOO_SHORT":
      return [{ title: t`Create JWT Key…`, command: "finality.createJwtKey" }];
    case "NETWORK_NOT_CHOSEN":
      return [
        { title: t`Start Local Chain`, command: "finality.startLocalChain" },
        { title: t`Add Network…`, command: "finality.addNetwork" },
      ];
    case "LOCAL_CHAIN_STOPPED":
      return [
        { title: t`Start Local Chain`, command: "finality.startLocalChain" },
        { title: t`Switch Network…`, command: "finality.switchNetwork" },
      ];
    case "NETWORK_NOT_ADDED":
      return [{ title: t`Add Network…`, command: "finality.addNetwork" }];
    case "NETWORK_UNKNOWN":
      return [{ title: t`Switch Network…`, command: "finality.switchNetwork" }];
    case "SIGNING_ACCOUNT_MISSING":
      return [
        { title: t`Generate Signing Key…`, command: "finality.generateSigningKey" },
        { title: t`Import Signing Key…`, command: "finality.importSigningKey" },
      ];
    case "SIGNING_KEY_MISSING":
      return [{ title: t`Import Signing Key…`, command: "finality.importSigningKey" }];
    case "WEIGHT_TOO_LOW":
      return [{ title: t`Export for Signature…`, command: "finality.exportForSignature" }];
    default:
      return [];
  }
}
