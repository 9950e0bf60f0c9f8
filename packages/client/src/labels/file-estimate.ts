/** Estimate of one call in a file, for reports. */
export interface FileEstimate {
  /** Path below the folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Name of the call in a snapshot, or its label. */
  readonly name: string;
  readonly kind: "estimated" | "fails" | "unavailable";
  /** Of an estimated call. */
  readonly energy: number | undefined;
  /** Energy in the snapshot. */
  readonly before: number | undefined;
  /** One line, as in a code lens. */
  readonly text: string;
  /** Obstacles, each with the next step. */
  readonly problems: readonly string[];
}
