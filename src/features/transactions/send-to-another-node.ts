import { ChainError } from "../../core/errors/chain-error.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { judge } from "../../core/retry/judge.ts";
import type { CommandArguments } from "../../host/commands/command-shapes.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { chooseTransaction } from "../../host/sending/choose-transaction.ts";
import type { SentTransaction } from "../../host/sending/intent-sender.ts";
import { namesOf, type TransactionServices } from "./services.ts";
import { consentToResend, passNewerEquals, resend } from "./transaction-commands.ts";

/**
 * Hands the very same signed bytes to another node of the network: one that has not seen them gives the answer that
 * "Dup transaction." hides, or takes them.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `RESEND_REFUSED`, `COMMAND_ARGUMENT_MALFORMED` the URL is none of the network's
 */
export async function sendToAnotherNode(
  services: TransactionServices,
  argument: CommandArguments["finality.sendToAnotherNode"],
  raw: unknown,
): Promise<SentTransaction | undefined> {
  const { transactions, networks, gateways, chains } = services;
  const nameOf = namesOf(services);
  const tracked = await chooseTransaction(transactions, argument, {
    title: "Send to Another Node",
    fits: (it) => judge(it).sendToAnotherNode.allowed,
    nameOf,
  });
  if (tracked === undefined) return undefined;
  const network = networks.get(transactions.networkOf(tracked));
  // Its URLs are asked for their chain before bytes go to one of them.
  await chains.placeOn(network);
  const url = await chooseUrl(tracked, network, argument.url);
  if (url === undefined) return undefined;
  const acknowledged = await passNewerEquals({ transactions, nameOf }, tracked, argument, raw);
  if (acknowledged === undefined) return undefined;
  const consent = await consentToResend({ ...services, nameOf }, tracked, raw, url);
  if (consent === undefined) return undefined;
  return await resend({ transactions }, consent, acknowledged, await gateways.at(network, url));
}

/** @throws {ChainError} `RESEND_REFUSED`, `COMMAND_ARGUMENT_MALFORMED` */
async function chooseUrl(
  tracked: TrackedTransaction,
  { baseUrl, fallbackUrls }: NetworkProfile,
  named: string | undefined,
): Promise<string | undefined> {
  const urls = [baseUrl, ...fallbackUrls];
  if (named !== undefined) return knownUrl(named, urls);
  const permission = judge(tracked, { otherUrls: fallbackUrls }).sendToAnotherNode;
  if (!permission.allowed) throw new ChainError(permission.code, { txId: tracked.txId, reason: permission.why });
  const asked = tracked.attempts.map(({ endpoint }) => endpoint);
  const items = urls.map((url) => ({
    label: url,
    description: asked.includes(url) ? "has seen it" : "has not seen it from here",
  }));
  const unseenFirst = items.sort(
    (left, right) => Number(asked.includes(left.label)) - Number(asked.includes(right.label)),
  );
  return (await quickPick(unseenFirst, { title: "Send to Another Node", placeHolder: "To which node?" }))?.label;
}

function knownUrl(url: string, urls: readonly string[]): string {
  if (urls.includes(url)) return url;
  const reason = `${url} is none of the URLs of the network (${urls.join(", ")})`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "url", reason });
}
