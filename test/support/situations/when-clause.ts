/** Values of context keys and settings. Missing names are not set. */
export type Context = { readonly [key: string]: string | number | boolean };

/** Evaluates a clause of the manifest as the editor does: `&&` binds closer than `||`. */
export function holds(clause: string, context: Context): boolean {
  const tokens = clause.match(TOKEN) ?? [];
  let at = 0;
  const taken = (token: string): boolean => tokens[at] === token && ++at > 0;
  const any = (): boolean => {
    let value = all();
    while (taken("||")) value = all() || value;
    return value;
  };
  const all = (): boolean => {
    let value = one();
    while (taken("&&")) value = one() && value;
    return value;
  };
  const one = (): boolean => {
    if (taken("!")) return !one();
    if (taken("(")) {
      const value = any();
      if (!taken(")")) throw new Error(`no ) in ${clause}`);
      return value;
    }
    const known = context[tokens[at++] ?? ""] ?? false;
    if (taken("==")) return String(known) === withoutQuotes(tokens[at++]);
    if (taken("!=")) return String(known) !== withoutQuotes(tokens[at++]);
    if (taken("=~")) return new RegExp(tokens[at++]?.slice(1, -1) ?? "").test(String(known));
    const compare = COMPARISONS[tokens[at] ?? ""];
    if (compare === undefined) return Boolean(known);
    at += 2;
    return compare(Number(known), Number(tokens[at - 1]));
  };
  const value = any();
  if (at !== tokens.length) throw new Error(`"${tokens.slice(at).join(" ")}" is too much in ${clause}`);
  return value;
}

const COMPARISONS: { readonly [sign: string]: (left: number, right: number) => boolean } = {
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
};

const TOKEN = /&&|\|\||==|!=|=~|[<>]=?|!|[()]|\/(?:[^/\\]|\\.)+\/|'[^']*'|[\w.:-]+/g;

const withoutQuotes = (text = ""): string => text.replace(/^'(.*)'$/, "$1");
