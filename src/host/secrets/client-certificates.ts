import type { ClientCertificate } from "@finality/client/gateway";
import { listOf, text, tryRead, tryReadJson } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CertificateFiles } from "./client-certificate-files.ts";
import type { SecretStore } from "./secret-store.ts";

/** The origins that have one: no secret. */
const STATE = "finality.clientCertificates";

/** Those that can be used, and why the others cannot, by their origin. */
export interface ReadCertificates {
  readonly usable: readonly ClientCertificate[];
  readonly problems: ReadonlyMap<string, string>;
}

/** The client certificates of hosts, each for one origin: which files, and the passphrase. */
export class ClientCertificates {
  readonly #state: vscode.Memento;
  readonly #store: SecretStore;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento, store: SecretStore) {
    this.#state = state;
    this.#store = store;
  }

  has(origin: string): boolean {
    return this.#origins().includes(origin);
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async read(): Promise<ReadCertificates> {
    const usable: ClientCertificate[] = [];
    const problems = new Map<string, string>();
    for (const origin of this.#origins()) {
      const { certificateFiles, readIdentity } = await import("./client-certificate-files.ts");
      const files = tryReadJson(certificateFiles, (await this.#store.get("clientCertificate", origin)) ?? "");
      const identity =
        files === undefined ? t`its place is not in the secret storage any more` : await readIdentity(files);
      if (typeof identity === "string") problems.set(origin, identity);
      else usable.push({ origin, ...identity });
    }
    return { usable, problems };
  }

  async set(origin: string, files: CertificateFiles): Promise<void> {
    await this.#store.set("clientCertificate", origin, JSON.stringify(files));
    await this.#state.update(STATE, [...this.#origins().filter((it) => it !== origin), origin]);
    this.#changed.fire();
  }

  /** @throws {ChainError} `SECRETS_UNAVAILABLE` */
  async delete(origin: string): Promise<void> {
    await this.#store.delete("clientCertificate", origin);
    await this.#state.update(
      STATE,
      this.#origins().filter((it) => it !== origin),
    );
    this.#changed.fire();
  }

  #origins(): readonly string[] {
    return tryRead(listOf(text), this.#state.get(STATE)) ?? [];
  }
}
