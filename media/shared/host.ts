import type { Read } from "./read.ts";

/** The side of the editor, as a page sees it. */
export interface Host<Out, State> {
  send(message: Out): void;
  /** Returns the state stored before the page was reloaded, or undefined if none was stored or it is malformed. */
  remembered(): State | undefined;
  remember(state: State): void;
}

interface Editor {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): Editor;

/**
 * Joins a page to its panel. A message that does not fit is left out: it cannot have come from our panel.
 *
 * @param received - called with each message that fits
 */
export function joinHost<In, Out, State>(
  read: { readonly message: Read<In>; readonly state: Read<State> },
  received: (message: In) => void,
): Host<Out, State> {
  const editor = acquireVsCodeApi();
  addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = readOr(read.message, data);
    if (message !== undefined) received(message);
  });
  return {
    send: (message) => editor.postMessage(message),
    remembered: () => readOr(read.state, editor.getState()),
    remember: (state) => editor.setState(state),
  };
}

function readOr<T>(read: Read<T>, value: unknown): T | undefined {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
