import { join } from "node:path";
import type { ChainId } from "@finality/client/gateway";
import { SerialQueue } from "@finality/node/serial-queue";
import { AppendLog, linesOf } from "@finality/node/storage";
import type { JsonAbiEntry, JsonParameter } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import type { Address } from "@finality/tron/primitives";
import {
  flag,
  hashOf,
  listOf,
  object,
  oneOf,
  type Read,
  type ReadOf,
  address as readAddress,
  text,
  tryReadJson,
} from "@finality/tron/read";
import * as vscode from "vscode";

/** Contract that the user added to the list of a chain. */
export interface AddedContract {
  readonly chain: ChainId;
  readonly address: Address;
  /** Undefined if the ABI comes from the chain or an artifact each time. */
  readonly abi?: readonly JsonAbiEntry[] | undefined;
  /** File that the ABI was read from, for display. */
  readonly abiFile?: string | undefined;
}

export interface ContractBookOptions {
  /** Folder that windows share. */
  readonly folder: string;
  readonly failed: (error: unknown) => void;
}

const parameter: Read<JsonParameter> = object(
  { type: text },
  { name: text, indexed: flag, components: (value) => listOf(parameter)(value) },
);
const parameters = listOf(parameter);
const entry: Read<JsonAbiEntry> = object(
  {},
  {
    ...{ type: text, name: text, stateMutability: text, inputs: parameters, outputs: parameters },
    ...{ anonymous: flag, constant: flag, payable: flag },
  },
);
const line = object(
  { kind: oneOf("added", "removed"), chain: hashOf<ChainId>(), address: readAddress },
  { abi: listOf(entry), abiFile: text },
);

type Line = ReadOf<typeof line>;

/**
 * Contracts that the user added or removed, by chain and address, in an append-only file that windows share. The last
 * line about a contract counts. Lines that cannot be parsed are ignored.
 */
export class ContractBook implements vscode.Disposable {
  readonly #log: AppendLog;
  readonly #failed: ContractBookOptions["failed"];
  readonly #queue = new SerialQueue();
  readonly #changed = new vscode.EventEmitter<void>();
  #lines = new Map<string, Line>();
  #isClosed = false;

  readonly onDidChange = this.#changed.event;

  constructor({ folder, failed }: ContractBookOptions) {
    this.#log = new AppendLog(join(folder, "contracts", "contracts.jsonl"));
    this.#failed = failed;
  }

  /** Reads the file, and follows the lines of other windows. A failed read is reported, and the list is then empty. */
  async load(): Promise<void> {
    try {
      await this.#queue.run(async () => {
        // Opening a removed file would create it again.
        if (this.#isClosed) return;
        await this.#read();
        if (!this.#log.isFollowed) this.#log.follow(() => void this.load(), this.#failed);
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Returns the added contracts of a chain, in the order of their addition. */
  on(chain: ChainId): readonly AddedContract[] {
    return [...this.#lines.values()].filter((it) => it.kind === "added" && it.chain === chain).map(contractOf);
  }

  find(chain: ChainId, address: Address): AddedContract | undefined {
    const found = this.#lines.get(keyOf(chain, address));
    return found?.kind === "added" ? contractOf(found) : undefined;
  }

  /** Returns whether the user removed a contract, which the journal or an artifact may still name. */
  isRemoved(chain: ChainId, address: Address): boolean {
    return this.#lines.get(keyOf(chain, address))?.kind === "removed";
  }

  /** Adds or replaces a contract. @throws {ChainError} `CONTRACTS_UNWRITABLE` */
  async add(contract: AddedContract): Promise<void> {
    await this.#append({ kind: "added", ...contract });
  }

  /** Removes a contract from the list of its chain. @throws {ChainError} `CONTRACTS_UNWRITABLE` */
  async remove(chain: ChainId, address: Address): Promise<void> {
    await this.#append({ kind: "removed", chain, address });
  }

  /** Closes the file. Resolves when pending writes are on disk. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.dispose();
    await this.#queue.run(() => this.#log.close());
  }

  dispose(): void {
    this.#log.stopFollowing();
    this.#changed.dispose();
  }

  async #append(added: object): Promise<void> {
    try {
      await this.#queue.run(async () => {
        do await this.#log.open();
        while (!(await this.#log.append([JSON.stringify(added)])));
        await this.#read();
      });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ChainError("CONTRACTS_UNWRITABLE", { file: this.#log.file, reason }, { cause });
    }
  }

  async #read(): Promise<void> {
    await this.#log.open();
    const lines: Line[] = [];
    await this.#log.readAll((text) => lines.push(...linesOf(text).flatMap((it) => tryReadJson(line, it) ?? [])));
    const before = JSON.stringify([...this.#lines.values()]);
    this.#lines = new Map();
    for (const it of lines) {
      const key = keyOf(it.chain, it.address);
      // A contract that is added again goes to the end.
      if (it.kind === "removed") this.#lines.delete(key);
      this.#lines.set(key, it);
    }
    if (JSON.stringify([...this.#lines.values()]) !== before) this.#changed.fire();
  }
}

function contractOf({ chain, address, abi, abiFile }: Line): AddedContract {
  return { chain, address, abi, abiFile };
}

function keyOf(chain: ChainId, address: Address): string {
  return `${chain} ${address}`;
}
