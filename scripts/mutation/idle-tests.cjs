// Root hooks of mocha that replace time limits: they end a test that waits for something that never comes. The time that
// passed tells nothing on a busy machine, but a process that waits uses no CPU.

const IDLE_MICROSECONDS = 5_000;
const IDLE_SECONDS = 6;

/** @type {NodeJS.Timeout | undefined} */
let watch;

exports.mochaHooks = {
  beforeEach() {
    const test = this.currentTest;
    test.timeout(0);
    let used = process.cpuUsage();
    let idle = 0;
    watch = setInterval(() => {
      const { user, system } = process.cpuUsage(used);
      used = process.cpuUsage();
      idle = user + system < IDLE_MICROSECONDS ? idle + 1 : 0;
      if (idle < IDLE_SECONDS) return;
      test.timeout(1);
      test.resetTimeout();
    }, 1_000);
  },
  afterEach() {
    clearInterval(watch);
  },
};
