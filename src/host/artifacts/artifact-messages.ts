import type { FileSummary } from "../../core/abi/artifacts/contract-summary.ts";

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
