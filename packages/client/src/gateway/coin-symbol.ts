/**
 * Returns the symbol of a network's coin by the URL of its gateway, where the coin is known: TRX on the networks of
 * TronGrid. Amounts of every other network are in coins.
 */
export function coinSymbolOf(url = ""): string | undefined {
  const host = URL.parse(url)?.hostname ?? "";
  return /(?:^|\.)trongrid\.io\.?$/.test(host) ? "TRX" : undefined;
}
