import { Worker } from "node:worker_threads";
import type { ArtifactIndex, FileSummary } from "@finality/tron/abi";

/** A longer file is no artifact that a compiler left. */
export const MAXIMUM_BYTES = 32 * 1024 * 1024;

/** What became of a file: `names` were taken into the index, `foreign` is something else, `broken` says why. */
export type Intake =
  | { readonly kind: "names" }
  | { readonly kind: "foreign" }
  | { readonly kind: "broken"; readonly reason: string };

/** Reads artifacts in a thread of its own, one after the other. */
export class ArtifactReader {
  readonly #worker: Worker;
  #waiting: { resolve(answer: ArtifactAnswer): void; reject(reason: unknown): void } | undefined;

  /**
   * @param program - the path of the thread's program
   * @param words - the texts in the language of the reader, which the thread cannot ask for
   */
  constructor(program: string, words?: Readonly<Record<string, string>>) {
    const workerData = words === undefined ? undefined : JSON.stringify(words);
    this.#worker = new Worker(program, { workerData, stdout: false, stderr: false });
    this.#worker.unref();
    this.#worker.on("message", (answer: ArtifactAnswer) => this.#waiting?.resolve(answer));
    this.#worker.on("error", (error) => this.#waiting?.reject(error));
    this.#worker.on("exit", () => this.#waiting?.reject(new Error("The thread that reads artifacts ended.")));
  }

  /** Puts the names of a file into the index. What cannot be read leaves nothing there. */
  async takeIn(place: ArtifactPlace, index: ArtifactIndex): Promise<Intake> {
    let answer = await this.#ask({ kind: "read", place, maximum: MAXIMUM_BYTES });
    index.remove(place.path);
    while (answer.kind === "part") {
      index.extend(answer.part);
      answer = await this.#ask({ kind: "next" });
    }
    if (answer.kind !== "broken" && answer.kind !== "foreign") return { kind: "names" };
    index.remove(place.path);
    return answer;
  }

  /** The creation code of a contract as hex without 0x, placeholders of libraries included, if the file has it. */
  async bytecode(place: ArtifactPlace, contract: string): Promise<string | undefined> {
    const answer = await this.#ask({ kind: "bytecode", place, contract, maximum: MAXIMUM_BYTES });
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
export interface ArtifactPlace {
  /** By this name it is known: relative to the folder of the workspace, with `/`. */
  readonly path: string;
  /** Where it is on disk; empty where its bytes are given. */
  readonly file: string;
  /** The folder of the workspace that it has to lie in, links followed; absent for a file that a person chose. */
  readonly root?: string;
  /** What is in it, for folders that are no folders of the disk. */
  readonly bytes?: Uint8Array;
}

/** What the thread is asked to do. `maximum` is in bytes. */
export type ArtifactOrder =
  | { readonly kind: "read"; readonly place: ArtifactPlace; readonly maximum: number }
  | { readonly kind: "next" }
  | {
      readonly kind: "bytecode";
      readonly place: ArtifactPlace;
      readonly contract: string;
      readonly maximum: number;
    };

/** What it says to each order. */
export type ArtifactAnswer =
  | { readonly kind: "part"; readonly part: FileSummary }
  | { readonly kind: "end" }
  | { readonly kind: "foreign" }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "bytecode"; readonly bytecode: string | undefined };
