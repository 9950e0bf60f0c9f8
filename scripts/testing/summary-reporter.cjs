// A mocha reporter: the usual text, and the numbers by test file in the file that FINALITY_TEST_SUMMARY names.
// It is CommonJS because it also runs inside the extension host.

const { writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Runner.constants;

class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const tests = [];
    const record = (outcome) => (test) => tests.push({ outcome, file: test.file ?? "", title: test.fullTitle() });
    runner.on(EVENT_TEST_PASS, record("passed"));
    runner.on(EVENT_TEST_FAIL, record("failed"));
    runner.on(EVENT_TEST_PENDING, record("skipped"));
    runner.once(EVENT_RUN_END, () => {
      const file = process.env.FINALITY_TEST_SUMMARY;
      if (file) writeFileSync(file, JSON.stringify(tests));
    });
  }
}

module.exports = SummaryReporter;
