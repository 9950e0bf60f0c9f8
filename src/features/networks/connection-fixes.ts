import type { CheckResult } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import type { CommandId } from "../../host/contributions.ts";

/** What a person can do about a finding: a command of ours for the network, or the settings of the editor. */
export interface Fix {
  readonly label: string;
  readonly command: CommandId | "workbench.action.openSettings";
}

const EDIT: Fix = { label: t`Edit Network…`, command: "finality.editNetwork" };
const PROXY: Fix = { label: t`Open Proxy Settings`, command: "workbench.action.openSettings" };
const API_KEY: Fix = { label: t`Set API Key…`, command: "finality.setApiKey" };
const JWT_KEYS: Fix = { label: t`JWT Keys…`, command: "finality.jwtKeys" };

/** Undefined where nothing is wrong, or nothing of ours mends it. */
export function fixFor({ check, status }: CheckResult): Fix | undefined {
  if (status !== "failed" && status !== "warning") return undefined;
  switch (check) {
    case "api-key":
    case "rate-limit":
      return API_KEY;
    case "jwt-key":
    case "public-key":
    case "key-id":
      return JWT_KEYS;
    case "proxy":
      return PROXY;
    case "address":
    case "origin":
    case "name":
    case "connection":
    case "tls":
    case "gateway":
    case "audience":
    case "token":
    case "solidity-url":
    case "same-chain":
    case "other-url":
      return EDIT;
    case "chain":
    case "clock":
    case "fork":
    case "head":
    case "solidified":
    case "version":
    case "path":
    case "optional-path":
      return undefined;
  }
}
