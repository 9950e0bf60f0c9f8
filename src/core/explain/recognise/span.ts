/** A part of a text. */
export interface Span {
  readonly start: number;
  /** The offset after it. */
  readonly end: number;
}
