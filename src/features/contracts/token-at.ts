import type { NetworkProfile } from "@finality/client/gateway";
import {
  type ReportedDecimals,
  readDecimals,
  readToken,
  requireAgreedDecimals,
  type Token,
} from "@finality/client/tokens";
import { isChainError } from "@finality/tron/errors";
import type { Address } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { whileWorking } from "../../host/prompts/notify.ts";
import type { ContractContext } from "./services.ts";

/** A token with its decimals and their source. */
export interface KnownToken extends Token {
  /** Source in the text for the user: `as reported by https://… on first use`. */
  readonly decimalsBy: string;
}

type TokenContext = ContractContext & {
  readonly services: Pick<ContractContext["services"], "chains" | "gateways">;
};

/**
 * Reads a token. On first use it requests the decimals from all URLs of the network, and pins them for its chain.
 *
 * @throws {ChainError} `TOKEN_DECIMALS_DIFFER`, `CONTRACT_UNKNOWN`, `CHAIN_CHANGED`, and the errors of the gateway
 */
export async function tokenAt(context: TokenContext, address: Address): Promise<KnownToken> {
  return await whileWorking(t`Reading the token`, (signal) => readKnownToken(context, address, signal));
}

async function readKnownToken(context: TokenContext, address: Address, signal: AbortSignal): Promise<KnownToken> {
  const { services, network, gateway } = context;
  const [{ chain }, token] = await Promise.all([
    services.chains.networkRefOf(network),
    readToken(gateway, address, signal),
  ]);
  const reported = { url: gateway.endpoint, decimals: token.decimals };
  const key = `${chain ?? `network ${network.name}`} ${address}`;
  const pins = await services.chains.decimals();
  await pins.read();
  const pinned = numberIn(pins.get(key));
  const others = pinned === undefined ? await othersSay(context, address, signal) : [];
  requireAgreedDecimals(address, reported, others, pinned);
  // Another window may have pinned different decimals in the meantime.
  const id = numberIn(await pins.pin(key, String(token.decimals)));
  return {
    ...token,
    decimals: requireAgreedDecimals(address, reported, [], id),
    decimalsBy: sourceText(reported, others, pinned),
  };
}

function sourceText(
  reported: ReportedDecimals,
  others: readonly ReportedDecimals[],
  pinned: number | undefined,
): string {
  if (pinned !== undefined) return t`the same as at its first use here`;
  const all = [reported, ...others].map(({ url }) => url);
  const names = all.join(t` and `);
  return all.length === 1 ? t`reported by ${names}, first use` : t`reported by ${names}, first use`;
}

/** Returns the decimals that the fallback URLs report. */
async function othersSay(
  { services, network }: TokenContext,
  address: Address,
  signal: AbortSignal,
): Promise<readonly ReportedDecimals[]> {
  const answers = await Promise.all(
    network.fallbackUrls.map((url) => askAt(services, network, { url, address, signal })),
  );
  return answers.filter((it) => it !== undefined);
}

async function askAt(
  { gateways }: TokenContext["services"],
  network: NetworkProfile,
  { url, address, signal }: { readonly url: string; readonly address: Address; readonly signal: AbortSignal },
): Promise<ReportedDecimals | undefined> {
  try {
    const gateway = await gateways.at(network, url);
    const decimals = await readDecimals(gateway, address, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
    return decimals === undefined ? undefined : { url: url, decimals };
  } catch (error) {
    if (isChainError(error) || isTimeout(error)) return undefined;
    throw error;
  }
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,2}$/.test(text) ? Number(text) : undefined;
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

/** Timeout of a fallback URL, ms. */
const PATIENCE_MS = 5_000;
