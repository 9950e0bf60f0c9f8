import type { NetworkProfile } from "./network-profile.ts";

/** A credential of a network with the origins that it was entered for. It is sent to no other. */
export interface Bound<T> {
  readonly value: T;
  /** Such as `https://api.example.org`, without a path. */
  readonly origins: readonly string[];
}

/** The origin of a base URL that was parsed before. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/** The origins that a network asks: that of its URL first, each once. */
export function originsOf({ baseUrl, solidityBaseUrl, fallbackUrls }: NetworkProfile): readonly string[] {
  const urls = [baseUrl, ...(solidityBaseUrl === undefined ? [] : [solidityBaseUrl]), ...fallbackUrls];
  return [...new Set(urls.map(originOf))];
}

/** A credential for the network's own URL and no other. */
export function boundTo<T>({ baseUrl }: NetworkProfile, value: T): Bound<T> {
  return { value, origins: [originOf(baseUrl)] };
}

/** Whether a credential may go to this URL. */
export function isFor({ origins }: Bound<unknown>, url: string): boolean {
  return origins.includes(originOf(url));
}
