import type * as vscode from "vscode";
import { EventEmitter } from "../simulated-host/simulated-editor.ts";

/** The storage of secrets of an editor, which a test can break. All its windows hear of a change. */
export class FakeStorage implements vscode.SecretStorage {
  readonly stored = new Map<string, string>();
  broken = false;
  /** Number of changes before it fails, as for a process that ends in the middle of them. */
  changesLeft = Number.POSITIVE_INFINITY;
  readonly #changed = new EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return this.#tell([...this.stored.keys()]);
  }
  async get(key: string): Promise<string | undefined> {
    return this.#tell(this.stored.get(key));
  }
  async store(key: string, value: string): Promise<void> {
    this.#change();
    this.stored.set(key, value);
    this.#changed.fire({ key });
  }
  async delete(key: string): Promise<void> {
    this.#change();
    this.stored.delete(key);
    this.#changed.fire({ key });
  }

  #change(): void {
    this.broken ||= this.changesLeft <= 0;
    this.#tell(undefined);
    this.changesLeft -= 1;
  }

  #tell<T>(value: T): T {
    if (this.broken) throw new Error("the keyring is locked");
    return value;
  }
}
