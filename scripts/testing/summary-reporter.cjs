// A mocha reporter: the usual text, and one line of JSON for each begin and end of a test in the file that
// FINALITY_TEST_SUMMARY names. Each line is there at once, so a run that is cut off still tells how far it came and
// what was running. It is CommonJS because it also runs inside the extension host.

const { appendFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");

const { EVENT_HOOK_BEGIN, EVENT_RUN_END, EVENT_TEST_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
  Runner.constants;
const TROUBLE_CHARACTERS = 2_000;

class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
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
