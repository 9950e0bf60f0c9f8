import { LOCAL_NETWORK_NAME, type NetworkProfile, originOf } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import type { CommandHandler, Commands } from "../../host/commands/commands.ts";
import type { CommandIdOf } from "../../host/contributions.ts";
import { askLocalChain } from "../../host/local-chain/local-chain-process.ts";
import { confirmModal, notify, showStatusMessage, showWork } from "../../host/prompts/notify.ts";
import { quickPick, quickPickMany } from "../../host/prompts/quick-input.ts";
import type { NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import {
  ACCESS_MODES,
  type AccessMode,
  accessItems,
  type FaultItem,
  faultItems,
  LOCAL_AUDIENCE,
  parseAccessMode,
  summarizeFaults,
} from "./chain.view.ts";
import { activeFaults, controlChain, type FaultReport, setFaults } from "./chain-control.ts";
import {
  ChainSection,
  type ChainStateCommand,
  chainStateCommands,
  confirmLoss,
  type ViewOfRows,
} from "./chain-section.ts";
import { forkNetwork } from "./fork-network.ts";
import { LocalChain, type LocalChainResult, type LocalChainServices } from "./local-chain.ts";

/** The chain, its row, and its commands. */
export interface OpenedChain extends vscode.Disposable {
  readonly chain: LocalChain;
  readonly section: ChainSection;
  readonly commands: Commands<"localChain">;
}

/**
 * Creates the local chain and its commands. This is a separate module, because it is not needed until the user wants a
 * local chain.
 */
export function openChain(services: LocalChainServices, view: ViewOfRows): OpenedChain {
  const chain = new LocalChain(services);
  const section = new ChainSection(services.networks, view);
  /** Updates the row after a command. */
  const thenRefresh = <Id extends ChainCommand>(act: Act<Id>): CommandHandler<Id> => {
    return async (argument, raw) => {
      const result = await act(chain, argument, !isCallOfProgram(raw));
      void section.look();
      return result;
    };
  };
  return {
    chain,
    section,
    commands: {
      "finality.startLocalChain": thenRefresh(startWith),
      "finality.forkNetwork": thenRefresh((it, { network }) => forkNetwork(it, services.networks, network)),
      "finality.localChainAccess": thenRefresh(accessOf),
      "finality.stopLocalChain": thenRefresh((it, { confirmed = false }, person) => stop(it, confirmed, person)),
      "finality.localChainFaults": thenRefresh(faults),
      "finality.localChainMine": thenRefresh(life("finality.localChainMine")),
      "finality.localChainWarp": thenRefresh(life("finality.localChainWarp")),
      "finality.localChainSnapshot": thenRefresh(life("finality.localChainSnapshot")),
      "finality.localChainRestore": thenRefresh(life("finality.localChainRestore")),
      "finality.localChainReset": thenRefresh(reset),
    },
    dispose: () => vscode.Disposable.from(section, chain).dispose(),
  };
}

type ChainCommand = CommandIdOf<"localChain">;

/** @param person - Whether a user can be prompted. */
type Act<Id extends ChainCommand> = (
  chain: LocalChain,
  argument: CommandArguments[Id],
  person: boolean,
) => Thenable<unknown>;

/** Reloads balances, because they changed. */
function life<Id extends ChainStateCommand>(id: Id): Act<Id> {
  return async (chain, argument, person) => {
    const baseUrl = await running(chain, person);
    if (baseUrl === undefined) return undefined;
    const answer = await chainStateCommands[id]({ chain, baseUrl, person }, argument);
    if (answer !== undefined) void vscode.commands.executeCommand("finality.refreshAccounts", {});
    return answer;
  };
}

/** A call of a program shows the dialog before it starts a chain. */
const reset: Act<"finality.localChainReset"> = async (chain, argument, person) => {
  if (!person && !(await confirmLoss(chain))) return undefined;
  return await life("finality.localChainReset")(chain, argument, person);
};

/**
 * Returns the URL of the chain. If none runs, a program's call starts one. A user's call does not: the start makes
 * another network the active one, so the user decides it.
 */
async function running(chain: LocalChain, person: boolean): Promise<string | undefined> {
  if (chain.baseUrl !== undefined) return chain.baseUrl;
  if (person) return await sayNotRunning(chain);
  return (await start(chain)).baseUrl;
}

async function sayNotRunning({ isDisconnected }: LocalChain): Promise<undefined> {
  const startIt = t`Start Local Chain`;
  const message = isDisconnected
    ? t`This window is disconnected from the local chain.`
    : t`The local chain is not running.`;
  const chosen = await notify("information", message, startIt);
  if (chosen !== undefined) await vscode.commands.executeCommand("finality.startLocalChain");
}

/** Prompts before it starts the chain, so that cancelling changes nothing. */
async function accessOf(
  chain: LocalChain,
  { access }: CommandArguments["finality.localChainAccess"],
): Promise<AccessResult | undefined> {
  const word = access === undefined ? await askAccess(chain) : parseAccessMode(access);
  if (word === undefined) return undefined;
  if (!chain.isRunning) await start(chain);
  return await changeAccess(chain, word);
}

function start(chain: LocalChain): Thenable<LocalChainResult> {
  return showWork("finality.transactions", t`Starting the local chain`, () => chain.start());
}

/** A running chain keeps its state; only its required credentials change. */
async function startWith(
  chain: LocalChain,
  { access }: CommandArguments["finality.startLocalChain"],
): Promise<LocalChainResult> {
  const word = access === undefined ? undefined : parseAccessMode(access);
  const result = await start(chain);
  if (word !== undefined) await changeAccess(chain, word);
  return result;
}

/** Returns undefined if the user cancels or no chain runs. */
async function stop(
  chain: LocalChain,
  confirmed: boolean,
  person: boolean,
): Promise<{ readonly network: string } | undefined> {
  if (!chain.isRunning) {
    return person ? await sayNotRunning(chain) : undefined;
  }
  const { isStored } = chain;
  if (isStored && !confirmed && !(await confirmStop((await chain.liveTransactions()).length))) return undefined;
  await chain.stop();
  const message = isStored ? t`The local chain has stopped` : t`Disconnected from the local chain`;
  if (person) showStatusMessage("debug-stop", message, 5_000);
  return { network: LOCAL_NETWORK_NAME };
}

/** Returns undefined if the user cancels. */
async function faults(
  chain: LocalChain,
  { faults: list, seed }: CommandArguments["finality.localChainFaults"],
  person: boolean,
): Promise<FaultReport | undefined> {
  const baseUrl = await running(chain, person);
  if (baseUrl === undefined) return undefined;
  return list === undefined ? chooseFaults(baseUrl) : setFaults(baseUrl, list, seed);
}

async function confirmStop(live: number): Promise<boolean> {
  const stopIt = t`Stop Local Chain`;
  const question = t`Stop the local chain?`;
  const stored = t`All windows use this chain. Its accounts, contracts and transactions are stored, and the next start continues them.`;
  const open = live === 0 ? "" : t` Transactions that are not final yet: ${live}. They wait until then.`;
  return await confirmModal({ title: question, detail: `${stored}${open}` }, stopIt);
}

type Item = vscode.QuickPickItem & { readonly fault?: FaultItem["fault"] };

/** Shows the faults with check marks and applies the selection. Returns undefined if the user cancels. */
async function chooseFaults(baseUrl: string): Promise<FaultReport | undefined> {
  const items = grouped(faultItems((await activeFaults(baseUrl)).faults));
  const picked = await quickPickMany(items, {
    matchOnDetail: true,
    title: t`Local Chain Faults`,
    placeholder: t`Which faults to simulate?`,
  });
  if (picked === undefined) return undefined;
  const chosen = picked.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  const report = await setFaults(baseUrl, chosen);
  showStatusMessage("zap", summarizeFaults(report.faults), 5_000);
  return report;
}

/** Adds a separator above each group. */
function grouped(items: readonly FaultItem[]): readonly Item[] {
  return items.flatMap((item, index): Item[] => {
    const { label, description, detail, picked, fault, group } = item;
    const line = { label, description, detail, picked, fault };
    const first = items[index - 1]?.group !== group;
    return first ? [{ label: group, kind: vscode.QuickPickItemKind.Separator }, line] : [line];
  });
}

/** Returns the credentials that the running chain requires from now on. */
interface AccessResult {
  readonly network: string;
  readonly access: AccessMode;
}

/** Prompts for the credentials that the chain should require. Returns undefined if the user cancels. */
async function askAccess(chain: LocalChain): Promise<AccessMode | undefined> {
  const title = t`Local Chain Access`;
  const placeholder = t`Which credentials must requests to the local chain have?`;
  return (await quickPick(accessItems(await chain.access()), { title, placeHolder: placeholder }))?.word;
}

/**
 * Makes the chain require tokens, an API key or both, as hosted gateways do. Creates and registers the keys here, so
 * that the next request carries them.
 *
 * @throws {ChainError} `GATEWAY_UNREACHABLE`
 */
async function changeAccess(chain: LocalChain, mode: AccessMode): Promise<AccessResult> {
  const { credentials, network } = chain.asked();
  const access = ACCESS_MODES[mode];
  await (access.jwt ? askForTokens(credentials, network) : askForNoTokens(credentials, network));
  await (access.apiKey ? askForApiKey(credentials, network) : askForNoApiKey(credentials, network));
  return { network: network.name, access: mode };
}

/** Stores the key before the chain requires tokens, so that no request fails in between. */
async function askForTokens(credentials: NetworkCredentials, network: NetworkProfile): Promise<void> {
  const records = await credentials.jwtKeys(network);
  if (!records.some(({ inUse }) => inUse)) {
    const { generateJwtKey } = await import("../../host/networks/lazy-gateway.ts");
    const { privateKeyPem, publicKeyPem } = await generateJwtKey();
    const name = t`Key 1`;
    const { id } = await controlChain(network.baseUrl, "keys", { name, publicKey: publicKeyPem }, "access");
    const key = { value: privateKeyPem, origins: [originOf(network.baseUrl)] };
    const record = await credentials.jwtKeysOf(network)?.add(key, { name, keyId: String(id) });
    if (record !== undefined) await credentials.jwtKeysOf(network)?.use(record.id);
  }
  await controlChain(network.baseUrl, "access", { jwt: { audience: LOCAL_AUDIENCE } }, "access");
}

async function askForNoTokens(credentials: NetworkCredentials, network: NetworkProfile): Promise<void> {
  await controlChain(network.baseUrl, "access", { jwt: null }, "access");
  for (const { keyId } of await credentials.jwtKeys(network)) {
    if (keyId !== undefined) await askLocalChain(network.baseUrl, "keys", { id: keyId }, "DELETE");
  }
  await credentials.delete("jwtKey", network.name);
}

async function askForApiKey(credentials: NetworkCredentials, network: NetworkProfile): Promise<void> {
  const known = await credentials.get("apiKey", network);
  const { value: key } = known ?? { value: crypto.randomUUID() };
  await credentials.set("apiKey", network.name, { value: key, origins: [originOf(network.baseUrl)] });
  await controlChain(network.baseUrl, "access", { apiKey: { key, header: network.apiKeyHeader } }, "access");
}

async function askForNoApiKey(credentials: NetworkCredentials, network: NetworkProfile): Promise<void> {
  await controlChain(network.baseUrl, "access", { apiKey: null }, "access");
  await credentials.delete("apiKey", network.name);
}
