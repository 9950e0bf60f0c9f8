import { Worker } from "node:worker_threads";
import type { ArtifactIndex, FileSummary } from "@finality/tron/abi";

/** Largest artifact that is read. */
export const MAXIMUM_BYTES = 32 * 1024 * 1024;

/** Result of reading a file: `names` were added to the index, `foreign` is no artifact, `broken` has a reason. */
export type Intake =
  | { readonly kind: "names" }
  | { readonly kind: "foreign" }
  | { readonly kind: "broken"; readonly reason: string };

/** Reads artifacts in a worker thread, one at a time. */
export class ArtifactReader {
  readonly #worker: Worker;
  #waiting: { resolve(answer: ArtifactAnswer): void; reject(reason: unknown): void } | undefined;

  /**
   * @param program - path of the worker's program
   * @param translations - translated texts, which the worker cannot get from VS Code
   */
  constructor(program: string, translations?: Readonly<Record<string, string>>) {
    const workerData = translations === undefined ? undefined : JSON.stringify(translations);
    this.#worker = new Worker(program, { workerData, stdout: false, stderr: false });
    this.#worker.unref();
    this.#worker.on("message", (answer: ArtifactAnswer) => this.#waiting?.resolve(answer));
    this.#worker.on("error", (error) => this.#waiting?.reject(error));
    this.#worker.on("exit", () => this.#waiting?.reject(new Error("The thread that reads artifacts ended.")));
  }

  /** Adds the names of a file to the index. A file that cannot be read adds none. */
  async takeIn(location: ArtifactLocation, index: ArtifactIndex): Promise<Intake> {
    let answer = await this.#ask({ kind: "read", place: location, maximum: MAXIMUM_BYTES });
    index.remove(location.path);
    while (answer.kind === "part") {
      index.extend(answer.part);
      answer = await this.#ask({ kind: "next" });
    }
    if (answer.kind !== "broken" && answer.kind !== "foreign") return { kind: "names" };
    index.remove(location.path);
    return answer;
  }

  /** Returns the creation code of a contract as hex without 0x, including placeholders of libraries. */
  async bytecode(location: ArtifactLocation, contract: string): Promise<string | undefined> {
    const answer = await this.#ask({ kind: "bytecode", place: location, contract, maximum: MAXIMUM_BYTES });
    return answer.kind === "bytecode" ? answer.bytecode : undefined;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(order: ArtifactOrder): Promise<ArtifactAnswer> {
    return new Promise<ArtifactAnswer>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(order);
    });
  }
}

/** A file to read. */
export interface ArtifactLocation {
  /** Path relative to the workspace folder, with `/`. */
  readonly path: string;
  /** Path on disk; empty if its bytes are given. */
  readonly file: string;
  /** Folder that has to contain it after links are resolved; absent for a file that the user chose. */
  readonly root?: string;
  /** Content, for folders that are not on disk. */
  readonly bytes?: Uint8Array;
}

/** Request to the worker. `maximum` is in bytes. */
export type ArtifactOrder =
  | { readonly kind: "read"; readonly place: ArtifactLocation; readonly maximum: number }
  | { readonly kind: "next" }
  | {
      readonly kind: "bytecode";
      readonly place: ArtifactLocation;
      readonly contract: string;
      readonly maximum: number;
    };

/** Response to a request. */
export type ArtifactAnswer =
  | { readonly kind: "part"; readonly part: FileSummary }
  | { readonly kind: "end" }
  | { readonly kind: "foreign" }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "bytecode"; readonly bytecode: string | undefined };
