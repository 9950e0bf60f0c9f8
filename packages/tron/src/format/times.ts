import { t } from "@vscode/l10n";

/** Locale of times: the language of the UI, as named by its translation. The locale of the computer is ignored. */
const LOCALE = t`en-US`;

/** Formats a time in the language of the UI. @param ms - Unix time */
export function localTime(ms: number): string {
  return new Date(ms).toLocaleString(LOCALE);
}

/** Formats the day of a time in the language of the UI. @param ms - Unix time */
export function localDay(ms: number): string {
  return new Date(ms).toLocaleDateString(LOCALE);
}

/** Formats the time of day, with its date unless that is today; Unix ms. */
export function formatTime(ms: number, now: number): string {
  return ms >= startOfDay(now) ? new Date(ms).toLocaleTimeString(LOCALE) : localTime(ms);
}

/** Formats a time as a UTC date, such as `2026-11-27`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the last midnight before a time, by the local clock; Unix ms. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}
