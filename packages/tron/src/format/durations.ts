import { t } from "@vscode/l10n";

/** Formats a duration: seconds below two minutes, then minutes, then hours with one decimal. */
export function roughly(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return t`${seconds} s`;
  return seconds < 7_200 ? t`${Math.round(seconds / 60)} min` : t`${Math.round(seconds / 360) / 10} h`;
}

/** Formats an elapsed time: hours and minutes, minutes and seconds, or seconds. */
export function timeTaken(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return t`${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? t`${minutes} min` : t`${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? t`${hours} h` : t`${hours} h ${minutes % 60} min`;
}

/** Formats a remaining time, rounded down. */
export function timeLeft(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 120) return t`${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? t`${minutes} min` : t`${Math.floor(minutes / 60)} h`;
}

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

const DAY_MS = 24 * HOUR_MS;

/** Formats a future time span, rounded down, in the largest unit of which it has at least two. */
export function timeAhead(ms: number): string {
  if (ms >= 2 * DAY_MS) return t`${Math.ceil(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return t`${Math.ceil(ms / HOUR_MS)} h`;
  return ms >= 2 * MINUTE_MS ? t`${Math.ceil(ms / MINUTE_MS)} min` : t`${Math.ceil(Math.max(0, ms) / 1000)} s`;
}
