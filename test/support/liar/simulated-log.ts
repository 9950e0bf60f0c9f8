let reader: ((line: string) => void) | undefined;

/** Reads what is logged, before anything is masked. */
export function watchLog(reported: typeof reader): void {
  reader = reported;
}

/** In the place of the log. */
export class OutputLog {
  trace(line: string): void {
    reader?.(line);
  }
  debug(line: string): void {
    reader?.(line);
  }
  info(line: string): void {
    reader?.(line);
  }
  warn(line: string): void {
    reader?.(line);
  }
  error(line: string, cause?: unknown): void {
    reader?.(cause instanceof Error ? `${line} ${cause.stack}` : line);
  }
  show(): void {}
  dispose(): void {}
}
