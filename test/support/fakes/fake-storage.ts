import type * as vscode from "vscode";
import { EventEmitter } from "../model/simulated-vscode.ts";

/** The storage of secrets of an editor, which a test can break. All its windows hear of a change. */
export class FakeStorage implements vscode.SecretStorage {
  readonly stored = new Map<string, string>();
  broken = false;
  readonly #changed = new EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return this.#tell([...this.stored.keys()]);
  }
  async get(key: string): Promise<string | undefined> {
    return this.#tell(this.stored.get(key));
  }
  async store(key: string, value: string): Promise<void> {
    this.#tell(undefined);
    this.stored.set(key, value);
    this.#changed.fire({ key });
  }
  async delete(key: string): Promise<void> {
    this.#tell(this.stored.delete(key));
    this.#changed.fire({ key });
  }

  #tell<T>(value: T): T {
    if (this.broken) throw new Error("the keyring is locked");
    return value;
  }
}
