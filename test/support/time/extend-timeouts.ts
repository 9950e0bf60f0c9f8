import type Mocha from "mocha";

/** By how much tests and hooks may exceed their timeouts, which are those of an idle machine without other suites. */
const FACTOR = 4;

/** Extends every timeout that a test or hook sets or inherits. */
export function extendTimeouts({ prototype }: typeof Mocha.Runnable): void {
  const { timeout } = prototype;
  prototype.timeout = function (this: Mocha.Runnable, ms?: string | number) {
    return Reflect.apply(timeout, this, ms === undefined ? [] : [FACTOR * Number(ms)]);
  } as typeof timeout;
}
