import { getCACertificates } from "node:tls";
import type { ConnectionSettings } from "@finality/client/gateway";
import * as vscode from "vscode";
import { proxySettings } from "./proxy-settings.ts";

/**
 * How the editor reaches hosts: its proxy, and the authorities that the system trusts besides those of Node. Invalid
 * certificates are refused whatever the editor allows, for API keys and tokens go to who has a valid one.
 *
 * @throws {ChainError} `SETTING_MALFORMED`
 */
export function connectionSettings(): ConnectionSettings {
  const http = vscode.workspace.getConfiguration("http");
  const certificates = http.get<unknown>("systemCertificates") === false ? [] : systemCertificates();
  return {
    ...proxySettings({ setting: (name) => http.get<unknown>(name), env: process.env }),
    ...(certificates.length === 0 ? {} : { certificates: [...nodeCertificates("default"), ...certificates] }),
  };
}

function systemCertificates(): readonly string[] {
  const default_ = new Set(nodeCertificates("default"));
  return nodeCertificates("system").filter((it) => !default_.has(it));
}

/** Older editors have a Node without them; a store that cannot be read has none. */
function nodeCertificates(kind: "default" | "system"): readonly string[] {
  try {
    return typeof getCACertificates === "function" ? getCACertificates(kind) : [];
  } catch {
    return [];
  }
}
