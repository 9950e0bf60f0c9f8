import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";

/** Environment variables that the connection takes its password and its TLS files from. */
export type StoreEnvironment = Readonly<Record<string, string | undefined>>;

/** Connection settings of a store, or the reason why its URL is refused, as a sentence. */
export type StoreSettings =
  | { readonly kind: "settings"; readonly config: ClientConfig /** URL for messages. */; readonly shown: string }
  | { readonly kind: "refused"; readonly reason: string };

const PARAMETERS = new Set(["sslmode", "sslrootcert", "sslcert", "sslkey", "application_name"]);
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses the URL of a store. It must not contain a password, because arguments are visible to other users: `password`,
 * `PGPASSWORD` or `PGPASSFILE` has it. Except on loopback the connection needs TLS with a verified certificate and host.
 */
export function parseStoreUrl(text: string, env: StoreEnvironment, password?: string): StoreSettings {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === "")
    return refused("The store has to be a URL such as postgres://user@host/database?sslmode=verify-full.");
  if (url.password !== "")
    return refused("The URL of the store contains a password, which other users of this computer can see.");
  const [database, user] = [decoded(url.pathname.slice(1)), decoded(url.username)];
  if (database === undefined || user === undefined)
    return refused("The URL of the store has a % without two hexadecimal digits of UTF-8 after it.");
  if (database === "" || user === "") return refused("The URL of the store needs a user and a database.");
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return refused(`The URL of the store has an unknown parameter "${unknown}".`);
  const mode = url.searchParams.get("sslmode");
  const isLocal = LOOPBACK.test(url.hostname);
  if (mode !== "verify-full" && !(isLocal && (mode === null || mode === "disable")))
    return refused("The connection to the store has to verify the server: add ?sslmode=verify-full to its URL.");
  const ssl = mode === "verify-full" ? tlsFiles(url, env) : false;
  if (typeof ssl === "string") return refused(ssl);
  const config: ClientConfig = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 5432 : Number(url.port),
    user,
    database,
    ssl,
    application_name: url.searchParams.get("application_name") ?? "finality",
  };
  // Without this, pg reads PGPASSWORD itself, and then the file that PGPASSFILE names.
  if (password !== undefined) config.password = password;
  return { kind: "settings", config, shown: `postgres://${url.username}@${url.host}/${database}` };
}

const refused = (reason: string): StoreSettings => ({ kind: "refused", reason });

/** Returns the text without percent-encoding; undefined if it is malformed. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the TLS options, or the reason why a file cannot be used. */
function tlsFiles(url: URL, env: StoreEnvironment): ClientConfig["ssl"] | string {
  const files = { ca: ["sslrootcert", "PGSSLROOTCERT"], cert: ["sslcert", "PGSSLCERT"], key: ["sslkey", "PGSSLKEY"] };
  const options: Record<string, string> = {};
  for (const [option, [parameter = "", variable = ""]] of Object.entries(files)) {
    const file = url.searchParams.get(parameter) ?? env[variable];
    if (file === undefined || file === null || file === "") continue;
    try {
      options[option] = readFileSync(file, "utf8");
    } catch (error) {
      return `${parameter} of the store cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
    }
  }
  return { ...options, rejectUnauthorized: true };
}
