import type { NetworkProfile, TokenLifetime } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";
import { defined, isJsonObject, type JsonObject, parseJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { confirmForProgram, confirmModal, whileWorking } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { chooseJwtNetwork, type JwtKeyServices, someJwtKeys } from "./jwt-keys.ts";
import { describeToken, type InspectedToken, lifetimeText } from "./jwt-keys.view.ts";

/** Timeout for reading the time of the gateway, ms. */
const TIMEOUT_MS = 5_000;

/**
 * Shows the token of the next request without its signature. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `JWT_KEY_MISSING`, `JWT_SETTING_MISSING` if no token can be created
 */
export async function inspectToken(
  services: JwtKeyServices,
  argument: CommandArguments["finality.inspectToken"],
  texts: Map<string, string>,
  canPrompt: boolean,
): Promise<InspectedToken | undefined> {
  const network = await chooseJwtNetwork(services, argument.network, t`Inspect Token`);
  if (network === undefined) return undefined;
  const records = await someJwtKeys(services, network);
  const { gateways, clock } = services;
  const [header = "", payload = ""] = (await gateways.tokenOf(network)).split(".");
  const key = records.find(({ inUse }) => inUse)?.name ?? "";
  const times = await whileWorking(t`Requesting the gateway's time`, (signal) => timesOf(services, network, signal));
  const local = clock.now();
  const token = { network: network.name, key, header: decoded(header), payload: decoded(payload), local, ...times };
  if (canPrompt) await show(token, texts);
  return token;
}

/** Reads the times of the gateway. Returns no times if it does not answer. */
async function timesOf(
  { gateways }: JwtKeyServices,
  network: NetworkProfile,
  cancelled: AbortSignal,
): Promise<Pick<InspectedToken, "server" | "head">> {
  try {
    const gateway = await gateways.for(network);
    const { head, serverTime } = await gateway.probe(AbortSignal.any([cancelled, AbortSignal.timeout(TIMEOUT_MS)]));
    return { head: head.timestamp, ...defined({ server: serverTime }) };
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

/** Minimum and maximum lifetime of a token, seconds. */
const [SHORTEST_S, LONGEST_S] = [10, 3_600];

interface Item extends vscode.QuickPickItem {
  readonly seconds: string;
}

const ENDLESS = "endless";

const ITEMS: readonly Item[] = [
  { label: t`$(watch) 60 seconds`, description: t`default`, seconds: "60" },
  { label: t`$(watch) 10 seconds`, description: t`for an exact clock`, seconds: "10" },
  { label: t`$(watch) 5 minutes`, description: t`for a clock that is up to 5 minutes slow`, seconds: "300" },
  { label: t`$(watch) 1 hour`, description: t`for a clock in another time zone`, seconds: "3600" },
  { label: t`$(warning) No Expiration…`, description: t`omits exp`, seconds: ENDLESS },
];

/**
 * Sets the lifetime of the tokens of a network. Tokens without expiry always need confirmation. Returns undefined if
 * the user cancels.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export async function setTokenLifetime(
  services: JwtKeyServices,
  argument: CommandArguments["finality.setTokenLifetime"],
): Promise<{ readonly network: string; readonly lifetime: string } | undefined> {
  const title = t`Token Lifetime`;
  const network = await chooseJwtNetwork(services, argument.network, title);
  if (network === undefined) return undefined;
  const keys = services.credentials.jwtKeysOf(network);
  const placeholder = t`Token lifetime? Current: ${lifetimeText(await keys?.lifetime())}.`;
  const text = argument.seconds ?? (await quickPick(ITEMS, { title, placeHolder: placeholder }))?.seconds;
  if (text === undefined) return undefined;
  const lifetime = parseLifetime(text);
  if (!network.local && !(await mayChange(network.name, lifetime))) return undefined;
  await keys?.setLifetime(lifetime);
  return { network: network.name, lifetime: lifetimeText(lifetime) };
}

function parseLifetime(text: string): TokenLifetime {
  if (text.trim() === ENDLESS) return "endless";
  const seconds = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  if (seconds >= SHORTEST_S && seconds <= LONGEST_S) return seconds * 1_000;
  throw malformedArgument("seconds", t`write ${SHORTEST_S} to ${LONGEST_S} seconds, or ${ENDLESS}`);
}

async function mayChange(network: string, lifetime: TokenLifetime): Promise<boolean> {
  if (lifetime === "endless") return await mayLeaveOutEnd(network);
  const title = t`Change the token lifetime of ${network}?`;
  return await confirmForProgram({ title, detail: lifetimeText(lifetime) }, t`Change`);
}

async function mayLeaveOutEnd(network: string): Promise<boolean> {
  const title = t`Create tokens of ${network} without an expiration (exp)?`;
  const detail = t`Anyone who gets such a token, for example from the log of a proxy, can send requests in your name until you remove the key record from the account. Do it only if the clock of this computer cannot be corrected.`;
  return await confirmModal({ title, detail }, t`Omit Expiration`);
}
