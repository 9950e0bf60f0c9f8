import type { NetworkProfile } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";
import { isJsonObject, type JsonObject, parseJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { chooseJwtNetwork, someJwtKeys } from "./jwt-key-commands.ts";
import type { CredentialServices } from "./services.ts";
import { describeToken, type InspectedToken } from "./token.view.ts";

/** How long a gateway may take to tell its time; ms. */
const PATIENCE_MS = 5_000;

/**
 * What the next request of a network says of itself, without the signature that makes it count.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `JWT_KEY_MISSING`, `JWT_SETTING_MISSING` no token can be made
 */
export async function inspectToken(
  services: CredentialServices,
  argument: CommandArguments["finality.inspectToken"],
  texts: Map<string, string>,
  asks: boolean,
): Promise<InspectedToken | undefined> {
  const network = await chooseJwtNetwork(services, argument.network, t`Inspect Token`);
  if (network === undefined) return undefined;
  const records = await someJwtKeys(services, network);
  const { gateways, clock } = services;
  const [header = "", payload = ""] = (await gateways.tokenOf(network)).split(".");
  const key = records.find(({ inUse }) => inUse)?.name ?? "";
  const times = await whileWorking(t`Asking the gateway for its time`, (signal) => timesOf(services, network, signal));
  const local = clock.now();
  const token = { network: network.name, key, header: decoded(header), payload: decoded(payload), local, ...times };
  if (asks) await show(token, texts);
  return token;
}

/** A gateway that does not answer says nothing of its time: the rest can be read all the same. */
async function timesOf(
  { gateways }: CredentialServices,
  network: NetworkProfile,
  cancelled: AbortSignal,
): Promise<Pick<InspectedToken, "server" | "head">> {
  try {
    const gateway = await gateways.for(network);
    const { head, serverTime } = await gateway.probe(AbortSignal.any([cancelled, AbortSignal.timeout(PATIENCE_MS)]));
    return { head: head.timestamp, ...(serverTime === undefined ? {} : { server: serverTime }) };
  } catch (error) {
    if (!isChainError(error) && !(error instanceof DOMException)) throw error;
    return {};
  }
}

function decoded(part: string): JsonObject {
  const json = parseJson(Buffer.from(part, "base64url").toString("utf8"));
  return isJsonObject(json) ? json : {};
}

async function show(token: InspectedToken, texts: Map<string, string>): Promise<void> {
  const title = t`Token of ${token.network.replace(/[^\p{L}\p{N} ._-]/gu, "_")}.txt`;
  const uri = vscode.Uri.from({ scheme: "finality-token", path: `/${title}`, query: String(token.local) });
  texts.clear();
  texts.set(uri.toString(), describeToken(token));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
