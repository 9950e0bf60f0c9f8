/**
 * Time that this thread has worked, in ms: what other programs of the computer do does not count. Where Node cannot
 * tell, it is the time of the wall clock.
 */
export function threadTimeMs(): number {
  if (typeof process.threadCpuUsage !== "function") return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
