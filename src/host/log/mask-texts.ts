/** The same value with every text in it masked: answers of gateways may repeat what was sent to them. */
export function maskTexts<T>(value: T, masked: (text: string) => string): T {
  if (typeof value === "string") return masked(value) as T;
  if (Array.isArray(value)) return value.map((it: unknown) => maskTexts(it, masked)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, maskTexts(it, masked)])) as T;
}
