import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The page that says who is believed for what. */
export const SECURITY_PAGE = readFileSync(join(import.meta.dirname, "../../../docs/security.md"), "utf8");

/** The cells of a table of the page, by the first word of its head. */
export function tableOf(head: string, page = SECURITY_PAGE): readonly (readonly string[])[] {
  const lines = page.split("\n");
  const begin = lines.findIndex((it) => it.startsWith(`| ${head} |`));
  if (begin < 0) throw new Error(`The page has no table of "${head}".`);
  const rows = lines.slice(begin + 2);
  const end = rows.findIndex((it) => !it.startsWith("|"));
  return rows.slice(0, end < 0 ? undefined : end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((it) => it.trim()),
  );
}

/** Returns the names of the forgeries that docs/security.md lists. */
export function kindsOfPage(page = SECURITY_PAGE): readonly string[] {
  return tableOf("kind", page).map(([name = ""]) => name.replaceAll("`", ""));
}
