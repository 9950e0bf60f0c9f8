/** Settings with a network that is the active one. */
export function networkSettings(
  name: string,
  baseUrl: string,
  ...fallbackUrls: readonly string[]
): Readonly<Record<string, unknown>> {
  const network = fallbackUrls.length === 0 ? { name, baseUrl } : { name, baseUrl, fallbackUrls };
  return { "finality.networks": [network], "finality.activeNetwork": name };
}
