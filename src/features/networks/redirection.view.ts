import { type NetworkProfile, originsOf } from "../../core/gateway/network-profile.ts";

/** The credentials that a network has. */
export interface KeysOfNetwork {
  /** Such as "API key and JWT key"; undefined when there are none. */
  readonly words: string | undefined;
  /** Where they may go already. */
  readonly origins: readonly string[];
}

/** A change of a network that sends its keys, or real money, another way. */
export interface Redirection {
  readonly title: string;
  readonly detail: string;
  /** Origins that would be asked, and that the keys were not entered for. */
  readonly newOrigins: readonly string[];
}

const FIELDS = [
  ["baseUrl", "URL"],
  ["solidityBaseUrl", "URL of solidified data"],
  ["fallbackUrls", "Other URLs for reads"],
  ["apiKeyHeader", "Header of the API key"],
  ["production", "Real money"],
] as const;

type GuardedField = (typeof FIELDS)[number][0];

/**
 * What a person has to be asked before a network becomes another one; undefined when nothing secret and no real money
 * is at stake: the network has no keys and is none of real money.
 */
export function redirectionOf(
  network: NetworkProfile,
  next: NetworkProfile,
  { words, origins }: KeysOfNetwork,
): Redirection | undefined {
  if (words === undefined && !network.production) return undefined;
  const guarded = FIELDS.filter(([field]) => words !== undefined || field !== "apiKeyHeader");
  const lines = guarded.flatMap(([field, label]) => {
    const [before, after] = [shown(network, field), shown(next, field)];
    return before === after ? [] : [`${label}: ${before} → ${after}`];
  });
  if (lines.length === 0) return undefined;
  const newOrigins = words === undefined ? [] : originsOf(next).filter((it) => !origins.includes(it));
  return { title: `Change the network ${network.name}?`, detail: detailOf(lines, words, newOrigins), newOrigins };
}

function detailOf(lines: readonly string[], words: string | undefined, newOrigins: readonly string[]): string {
  const keys =
    newOrigins.length > 0
      ? [`Its ${words ?? ""} was not entered for ${newOrigins.join(", ")}. Who answers there can use what is sent.`]
      : [];
  return [lines.join("\n"), ...keys, "If you did not ask for this, cancel: a program may have."].join("\n\n");
}

function shown(network: NetworkProfile, field: GuardedField): string {
  const value = network[field];
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = typeof value === "string" ? value : (value ?? []).join(" ");
  return text === "" ? "not set" : text;
}
