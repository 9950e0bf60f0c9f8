// A mocha reporter: the usual text, and one line of JSON for each begin and end of a test in the file that
// FINALITY_TEST_SUMMARY names. Each line is there at once, so a run that is cut off still tells how far it came and
// what was running. At its end it tells which files took longest, with their hooks. It is CommonJS because it also runs
// inside the extension host.

const { appendFileSync } = require("node:fs");
const { basename } = require("node:path");
const { reporters, Runner } = require("mocha");

const { EVENT_HOOK_BEGIN, EVENT_RUN_END, EVENT_TEST_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
  Runner.constants;
const { EVENT_SUITE_BEGIN, EVENT_SUITE_END } = Runner.constants;
const TROUBLE_CHARACTERS = 2_000;
const SLOWEST = 10;

/** Prints how long the slowest files took, when a run has several. */
function tellSlowest(runner) {
  const took = new Map();
  const begun = new Map();
  runner.on(EVENT_SUITE_BEGIN, (suite) => begun.set(suite, performance.now()));
  runner.on(EVENT_SUITE_END, (suite) => {
    if (suite.parent?.root !== true) return;
    const name = basename(suite.file ?? suite.title);
    took.set(name, (took.get(name) ?? 0) + performance.now() - begun.get(suite));
  });
  runner.once(EVENT_RUN_END, () => {
    if (took.size < 2) return;
    const slowest = [...took].sort(([, one], [, other]) => other - one).slice(0, SLOWEST);
    const lines = slowest.map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`);
    reporters.Base.consoleLog(`  The slowest of ${took.size} files:\n${lines.join("\n")}\n`);
  });
}

class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    tellSlowest(runner);
    const file = process.env.FINALITY_TEST_SUMMARY;
    if (!file) return;
    const write = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
    const record = (outcome) => (test, error) => {
      const trouble = error === undefined ? {} : { trouble: String(error.stack ?? error).slice(0, TROUBLE_CHARACTERS) };
      write({ outcome, file: test.file ?? "", title: test.fullTitle(), ...trouble });
    };
    runner.on(EVENT_TEST_BEGIN, record("running"));
    runner.on(EVENT_HOOK_BEGIN, record("running"));
    runner.on(EVENT_TEST_PASS, record("passed"));
    runner.on(EVENT_TEST_FAIL, record("failed"));
    runner.on(EVENT_TEST_PENDING, record("skipped"));
    runner.once(EVENT_RUN_END, () => write({ outcome: "ended" }));
  }
}

module.exports = SummaryReporter;
