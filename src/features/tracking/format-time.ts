/** The time of day, with its date unless that is today; Unix ms. */
export function formatTime(ms: number, now: number): string {
  const time = new Date(ms);
  return ms >= startOfDay(now) ? time.toLocaleTimeString() : time.toLocaleString();
}

/** Midnight before a moment, by the local clock; Unix ms. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}
