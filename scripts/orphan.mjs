const EVERY_MS = 250;

/**
 * Calls back once when the process that started this one is gone. A signal to npm does not always reach us: the shell
 * between npm and us dies of it and tells nobody.
 *
 * @param {() => void} callback
 */
export function onOrphaned(callback) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, EVERY_MS);
  timer.unref();
}
