/** Begin and end of a session. */
export interface StartOptions {
  /** True: at the first statement. False: at the first breakpoint or failure. Absent: at the first that there is. */
  readonly stopOnEntry?: boolean;
  /** Stops at the end of the run, so that you can step back from there. */
  readonly stopAtEnd: boolean;
}

/** Reads the options of a configuration. */
export function parseStart(configuration: object): StartOptions {
  const { stopOnEntry, stopAtEnd } = configuration as { readonly stopOnEntry?: unknown; readonly stopAtEnd?: unknown };
  return { ...(typeof stopOnEntry === "boolean" && { stopOnEntry }), stopAtEnd: stopAtEnd === true };
}
