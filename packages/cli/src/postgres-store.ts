import { type ClaimScope, PostgresRunStore, parseStoreUrl } from "@finality/postgres";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Opens the store of `--store` or `FINALITY_STORE`. The password is in `--store-password-fd`, `PGPASSWORD` or the file of
 * `PGPASSFILE`.
 *
 * @param scope - Rows that this program can execute; undefined to claim none.
 * @throws {CliError} `USAGE`
 * @throws {ChainError} `RUN_STORE_UNAVAILABLE`
 */
export async function openPostgresStore(
  url: string,
  { invocation, terminal, scope }: { invocation: Invocation; terminal: Terminal; scope?: ClaimScope },
): Promise<PostgresRunStore> {
  const settings = parseStoreUrl(url, terminal.env, await storePassword(invocation, terminal));
  if (settings.kind === "refused") throw new CliError("USAGE", { cause: settings.reason });
  return await PostgresRunStore.open(settings, scope === undefined ? {} : { scope });
}

/** Returns the URL of the store; undefined without one. */
export function storeUrl(invocation: Invocation, { env }: Terminal): string | undefined {
  return invocation.text("store") ?? (env.FINALITY_STORE || undefined);
}

async function storePassword(invocation: Invocation, terminal: Terminal): Promise<string | undefined> {
  const descriptor = invocation.text("store-password-fd");
  if (descriptor === undefined) return terminal.env.PGPASSWORD;
  if (!/^\d+$/.test(descriptor))
    throw new CliError("USAGE", {
      cause: "--store-password-fd has to be the number of a file descriptor, not a password.",
    });
  return (await terminal.read(`fd:${descriptor}`)).replace(/\r?\n$/, "");
}
