/** A time as people of this place write it. @param ms - Unix time */
export function localTime(ms: number): string {
  return new Date(ms).toLocaleString();
}

/** The time of day, with its date unless that is today; Unix ms. */
export function formatTime(ms: number, now: number): string {
  return ms >= startOfDay(now) ? new Date(ms).toLocaleTimeString() : localTime(ms);
}

/** Midnight before a moment, by the local clock; Unix ms. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}
