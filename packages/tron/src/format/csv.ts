/** Formats rows as CSV (RFC 4180), with the names of the columns first. */
export function csvText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Spreadsheets run cells that begin like a formula, in full-width characters too, so an apostrophe is added. */
function cell(text: string): string {
  const guarded = /^\s*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Formats Unix ms as ISO 8601 in UTC; a time that no date can be stays a number. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
