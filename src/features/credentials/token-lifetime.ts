import type { TokenLifetime } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { confirmModal, passProgram } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { chooseJwtNetwork } from "./jwt-key-commands.ts";
import { lifetimeText } from "./jwt-keys.view.ts";
import type { CredentialServices } from "./services.ts";

/** Shorter ones end on their way, longer ones are of use to whoever finds one; s. */
const [SHORTEST_S, LONGEST_S] = [10, 3_600];

interface Item extends vscode.QuickPickItem {
  readonly seconds: string;
}

const ENDLESS = "endless";

const ITEMS: readonly Item[] = [
  { label: t`$(watch) 60 seconds`, description: t`as usual`, seconds: "60" },
  { label: t`$(watch) 10 seconds`, description: t`for an exact clock`, seconds: "10" },
  { label: t`$(watch) 5 minutes`, description: t`for a clock that is up to 5 minutes slow`, seconds: "300" },
  { label: t`$(watch) 1 hour`, description: t`for a clock in another time zone`, seconds: "3600" },
  { label: t`$(warning) Without an end…`, description: t`exp is left out`, seconds: ENDLESS },
];

/**
 * How long the tokens of a network last. To leave their end out is asked whoever calls.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export async function setTokenLifetime(
  services: CredentialServices,
  argument: CommandArguments["finality.setTokenLifetime"],
): Promise<{ readonly network: string; readonly lifetime: string } | undefined> {
  const title = t`Token Lifetime`;
  const network = await chooseJwtNetwork(services, argument.network, title);
  if (network === undefined) return undefined;
  const keys = services.credentials.jwtKeysOf(network);
  const placeHolder = t`How long should a token last? Now ${lifetimeText(await keys?.lifetime())}.`;
  const text = argument.seconds ?? (await quickPick(ITEMS, { title, placeHolder }))?.seconds;
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
  const title = t`Change how long the tokens of ${network} last?`;
  return await passProgram({ title, detail: lifetimeText(lifetime) }, t`Change`);
}

async function mayLeaveOutEnd(network: string): Promise<boolean> {
  const title = t`Leave the end (exp) out of the tokens of ${network}?`;
  const detail = t`Whoever gets hold of such a token, from the log of a proxy for example, can send requests in your name until you remove the key record in the account. Do it only where the clock of this computer cannot be set right.`;
  return await confirmModal({ title, detail }, t`Leave It Out`);
}
