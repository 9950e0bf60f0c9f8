import type { Dispatcher } from "undici";
import DispatcherBase from "undici/lib/dispatcher/dispatcher.js";

/** What an exchange does not tell: the headers of an answer, or why there was none. */
export interface Observed {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The code of the failure; undefined while there is none. */
  readonly code: string | undefined;
}

/** A dispatcher for one request, which remembers what it saw. The connections are those of the other one. */
export class ObservedDispatcher extends DispatcherBase implements Observed {
  readonly #inner: Dispatcher;
  headers: Observed["headers"] = {};
  code: string | undefined;

  constructor(inner: Dispatcher) {
    super();
    this.#inner = inner;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#inner.dispatch(options, {
      onRequestStart: (...seen) => handler.onRequestStart?.(...seen),
      onRequestUpgrade: (...seen) => handler.onRequestUpgrade?.(...seen),
      onResponseStart: (controller, status, headers, words) => {
        this.headers = headers;
        handler.onResponseStart?.(controller, status, headers, words);
      },
      onResponseData: (...seen) => handler.onResponseData?.(...seen),
      onResponseEnd: (...seen) => handler.onResponseEnd?.(...seen),
      onResponseError: (controller, error) => {
        this.code = "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
        handler.onResponseError?.(controller, error);
      },
    });
  }
}
