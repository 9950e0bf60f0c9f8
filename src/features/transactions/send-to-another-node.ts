import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import { isJsonObject } from "../../core/primitives/json.ts";
import { isResendable } from "../../core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import { chooseTransaction } from "../../host/choose-transaction.ts";
import type { SentTransaction } from "../../host/sending/intent-sender.ts";
import { namesOf, type TransactionServices } from "./services.ts";
import { passNewerEquals, resend } from "./transaction-commands.ts";

/**
 * Hands the very same signed bytes to another node of the network: one that has not seen them gives the answer that
 * "Dup transaction." hides, or takes them.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `RESEND_REFUSED`, `COMMAND_ARGUMENT_MALFORMED` the URL is none of the network's
 */
export async function sendToAnotherNode(
  services: TransactionServices,
  argument: unknown,
): Promise<SentTransaction | undefined> {
  const { desk, networks, gateways } = services;
  const nameOf = namesOf(services);
  const tracked = await chooseTransaction(desk, argument, {
    title: "Send to Another Node",
    fits: isResendable,
    nameOf,
  });
  if (tracked === undefined) return undefined;
  const network = networks.get(tracked.network);
  const url = await chooseUrl(tracked, [network.baseUrl, ...network.fallbackUrls], argument);
  if (url === undefined) return undefined;
  const acknowledged = await passNewerEquals({ desk, nameOf }, tracked, argument);
  if (acknowledged === undefined) return undefined;
  return await resend({ desk }, tracked.txId, acknowledged, await gateways.at(network, url));
}

/** @throws {ChainError} `RESEND_REFUSED`, `COMMAND_ARGUMENT_MALFORMED` */
async function chooseUrl(
  { txId, attempts }: TrackedTransaction,
  urls: readonly string[],
  argument: unknown,
): Promise<string | undefined> {
  const told = isJsonObject(argument) ? argument.url : undefined;
  if (typeof told === "string") return knownUrl(told, urls);
  if (urls.length < 2) {
    const reason = "The network names no other node. Edit Network adds one to its fallback URLs.";
    throw new ChainError("RESEND_REFUSED", { txId, reason });
  }
  const asked = attempts.map(({ endpoint }) => endpoint);
  const items = urls.map((url) => ({
    label: url,
    description: asked.includes(url) ? "has seen it" : "has not seen it from here",
  }));
  const unseenFirst = items.sort(
    (left, right) => Number(asked.includes(left.label)) - Number(asked.includes(right.label)),
  );
  return (
    await vscode.window.showQuickPick(unseenFirst, { title: "Send to Another Node", placeHolder: "To which node?" })
  )?.label;
}

function knownUrl(url: string, urls: readonly string[]): string {
  if (urls.includes(url)) return url;
  const reason = `${url} is none of the URLs of the network (${urls.join(", ")})`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "url", reason });
}
