// Reporter of mocha that writes the titles of passed and failed tests and the CPU time of the process, in ms, to RESULT.
const { writeFileSync } = require("node:fs");

module.exports = class ResultReporter {
  constructor(runner) {
    const passed = [];
    const failed = [];
    runner.on("pass", (test) => passed.push(test.fullTitle()));
    runner.on("fail", (test, error) => failed.push({ title: test.fullTitle(), message: String(error?.message) }));
    process.on("exit", () => {
      const { user, system } = process.cpuUsage();
      writeFileSync(process.env.RESULT, JSON.stringify({ passed, failed, cpuMs: (user + system) / 1_000 }));
    });
  }
};
