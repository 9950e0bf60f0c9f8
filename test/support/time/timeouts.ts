/** By how much a test may exceed its timeout: the timeouts are those of an idle machine, and other suites run beside. */
const FACTOR = 4;

/** Extends the timeout of each test before it runs. `.mocharc.json` names this file, and the hosted suites its function. */
export function extendTimeout(this: Mocha.Context): void {
  const { currentTest } = this;
  currentTest?.timeout(FACTOR * currentTest.timeout());
}

export const mochaHooks = { beforeEach: extendTimeout };
