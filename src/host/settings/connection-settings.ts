import { getCACertificates } from "node:tls";
import type { ConnectionSettings } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";

/**
 * Returns VS Code's proxy and the certificate authorities of the system and Node. Invalid certificates are refused even
 * if VS Code allows them, because API keys and tokens go to the holder of a valid one.
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

/** Returns a certificate store; empty if Node does not support it or it cannot be read. */
function nodeCertificates(kind: "default" | "system"): readonly string[] {
  try {
    return typeof getCACertificates === "function" ? getCACertificates(kind) : [];
  } catch {
    return [];
  }
}

/** Sources of the proxy configuration. */
interface ProxySources {
  /** Returns a setting of VS Code's section `http`. */
  readonly setting: (name: string) => unknown;
  /** Environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Proxy = Pick<ConnectionSettings, "proxy" | "noProxy" | "proxyAuthorization">;

/**
 * Returns VS Code's proxy, else that of the environment. Both lists of excluded hosts apply.
 *
 * @throws {ChainError} `SETTING_MALFORMED`; without the URL, which may contain a password
 */
export function proxySettings({ setting, env }: ProxySources): Proxy {
  if (setting("proxySupport") === "off") return {};
  const [name, url] = proxyUrl(setting("proxy"), env);
  if (url === undefined) return {};
  const authorization = setting("proxyAuthorization");
  return {
    proxy: checked(name, url),
    noProxy: [...texts(setting("noProxy")), ...(env.NO_PROXY ?? env.no_proxy ?? "").split(/[\s,]+/)].filter(Boolean),
    ...(typeof authorization === "string" && authorization !== "" ? { proxyAuthorization: authorization } : {}),
  };
}

/** Returns the secrets to mask: the password of the proxy, alone and as sent. */
export function proxySecrets({ proxy, proxyAuthorization }: Proxy): readonly string[] {
  const { username = "", password = "" } = URL.parse(proxy ?? "") ?? {};
  const [user, secret] = [decoded(username), decoded(password)];
  const sent = proxyAuthorization ?? "";
  const encoded = secret === "" ? "" : Buffer.from(`${user}:${secret}`).toString("base64");
  const bare = sent.replace(/^\S+\s+/, "");
  const clear = Buffer.from(bare, "base64")
    .toString("utf8")
    .replace(/^[^:]*:/, "");
  return [password, secret, encoded, sent, bare, clear].filter((it) => it !== "");
}

function proxyUrl(setting: unknown, env: ProxySources["env"]): readonly [name: string, url?: string] {
  if (typeof setting === "string" && setting.trim() !== "") return ["http.proxy", setting.trim()];
  for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"]) {
    const url = env[name]?.trim() ?? "";
    if (url !== "") return [name, url];
  }
  return ["http.proxy"];
}

function checked(name: string, text: string): string {
  const url = URL.parse(text);
  const isKnown = url?.protocol === "http:" || url?.protocol === "https:";
  if (url !== null && isKnown && url.hostname !== "") return text;
  const reason = t`a proxy is a URL such as http://proxy.example.org:3128; other kinds are not supported`;
  throw new ChainError("SETTING_MALFORMED", { setting: name, reason });
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === "string").map((it) => it.trim()) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
