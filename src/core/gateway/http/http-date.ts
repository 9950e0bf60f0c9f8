/**
 * Unix time in ms of a date as HTTP writes it, or undefined.
 *
 * @example
 * parseHttpDate("Sat, 21 Nov 2026 03:08:49 GMT"); // 1795230529000
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  // biome-ignore lint/style/noRestrictedGlobals: it reads text and asks no clock
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
