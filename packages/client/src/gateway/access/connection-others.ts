import { shortChainId } from "@finality/tron/errors";
import type { ChainId } from "../../chain/chain-place.ts";
import { parseGenesis, parseOptionalBlock } from "../wire/block.ts";
import { otherUrlWords } from "./connection-answer-messages.ts";
import type { Asker } from "./connection-asker.ts";
import { readOr } from "./connection-chain.ts";
import { originWords, type Said } from "./connection-messages.ts";
import { GENESIS, SOLID_BLOCK, SOLID_BY_HEIGHT } from "./connection-paths.ts";
import { checkWay, type WayContext } from "./connection-way.ts";
import type { Finding } from "./finding.ts";

type UrlContext = Pick<WayContext, "probe" | "now" | "signal" | "plainHttp">;

/** Looks at the way to a further URL, as one line. @returns what is wrong with it; undefined when a request can be sent */
async function obstacleTo(url: string, context: UrlContext): Promise<Said | undefined> {
  const found: Finding[] = [];
  const isOpen = await checkWay(url, { ...context, begin: () => undefined, tell: (it) => found.push(it) });
  return isOpen ? undefined : (found.find(({ status }) => status === "failed") ?? originWords.noKeys);
}

/**
 * Whether the URL of solidified data serves some.
 *
 * @param asker - of the network: it asks there for `/walletsolidity/…`
 * @throws the reason of the signal
 */
export async function checkSolidityUrl(url: string, asker: Asker, context: UrlContext): Promise<Finding> {
  const check = "solidity-url";
  const obstacle = await obstacleTo(url, context);
  if (obstacle !== undefined) return { check, status: "failed", ...otherUrlWords.failed(url, obstacle) };
  const { exchange, verdict, ms } = await asker.ask(SOLID_BY_HEIGHT, GENESIS);
  if (exchange.kind === "answer" && (exchange.status === 404 || exchange.status === 405))
    return { check, status: "failed", ...otherUrlWords.notSolid(url, exchange.status) };
  if (verdict.kind === "failure")
    return { check, status: "failed", ...otherUrlWords.failed(url, { sentence: verdict.error.message }) };
  return { check, status: "ok", ...otherUrlWords.solid(url), ms };
}

/**
 * Whether another URL of the network can take the place of its own one: the same chain, and reachable.
 *
 * @param asker - of that URL alone
 * @param chain - of the network, where it is known
 * @throws the reason of the signal
 */
export async function checkOtherUrl(
  url: string,
  asker: Asker,
  { chain, ...context }: UrlContext & { readonly chain: ChainId | undefined },
): Promise<Finding> {
  const line = { check: "other-url", of: url } as const;
  const obstacle = await obstacleTo(url, context);
  if (obstacle !== undefined) return { ...line, status: "warning", ...otherUrlWords.failed(url, obstacle) };
  const { verdict } = await asker.ask(SOLID_BY_HEIGHT, GENESIS);
  if (verdict.kind === "failure")
    return { ...line, status: "warning", ...otherUrlWords.failed(url, { sentence: verdict.error.message }) };
  const own = await readOr(asker, { path: SOLID_BY_HEIGHT, body: GENESIS }, parseGenesis);
  if (own === undefined) return { ...line, status: "warning", ...otherUrlWords.noFirstBlock(url) };
  if (chain !== undefined && chain !== own) {
    return { ...line, status: "failed", ...otherUrlWords.otherChain(url, shortChainId(own), shortChainId(chain)) };
  }
  const solid = await readOr(asker, { path: SOLID_BLOCK, body: {} }, parseOptionalBlock);
  return { ...line, status: "ok", ...otherUrlWords.fine(url, solid?.number) };
}
