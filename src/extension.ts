import { hostname } from "node:os";
import * as vscode from "vscode";
import { isAlive } from "./core/life/is-alive.ts";
import type { HeadSample } from "./core/time/chain-times.ts";
import type { NameOf } from "./core/transaction/describe-intent.ts";
import { registerContracts } from "./features/contracts/register.ts";
import { registerCredentials } from "./features/credentials/register.ts";
import { registerDecoder } from "./features/decoder/register.ts";
import { registerEnergyHints } from "./features/energy-hints/register.ts";
import { registerExplanations } from "./features/explanations/register.ts";
import { type LocalChainFeature, registerLocalChain } from "./features/local-chain/register.ts";
import { registerNetworks } from "./features/networks/register.ts";
import { createFinalityApi } from "./features/tracking/finality-api.ts";
import { registerTracking } from "./features/tracking/register.ts";
import { registerTransactions } from "./features/transactions/register.ts";
import { artifactsOnDemand } from "./host/artifacts/artifacts.ts";
import { commandRegistrar } from "./host/commands/commands.ts";
import { OwnClicks } from "./host/commands/own-clicks.ts";
import { LocalChainRecordFile } from "./host/local-chain/local-chain-record.ts";
import { OutputLog } from "./host/log/log.ts";
import { Masking } from "./host/log/masking.ts";
import { Gateways } from "./host/networks/gateways.ts";
import { Networks } from "./host/networks/networks.ts";
import { NetworkCredentials } from "./host/secrets/network-credentials.ts";
import { SecretStore } from "./host/secrets/secret-store.ts";
import { SigningKeys } from "./host/secrets/signing-keys.ts";
import type { GuardOptions } from "./host/sending/account-guard.ts";
import type { ChainRules } from "./host/sending/intent-sender.ts";
import { senderOnDemand } from "./host/sending/sender.ts";
import type { TransactionService } from "./host/sending/transaction-service.ts";
import { transactionsOnChains } from "./host/sending/transactions-on-chains.ts";
import { systemClock as clock } from "./host/system-clock.ts";
import { threadTimeMs } from "./host/thread-time.ts";
import type { FinalityApi } from "./public/api.ts";

let lastActivationMs: number | undefined;

/** How long `activate` worked, in ms, for the test that holds it to its budget. */
export function activationMs(): number | undefined {
  return lastActivationMs;
}

async function onUnavailable(reason: string): Promise<"retry" | "keep-for-this-window"> {
  const { askAboutSecretStorage } = await import("./host/prompts/secrets-unavailable.ts");
  return askAboutSecretStorage(reason);
}

/** Creates every service once and hands it to the features. It asks no network, reads no key and no file. */
export function activate(context: vscode.ExtensionContext): FinalityApi {
  const started = threadTimeMs();
  const { globalState, subscriptions, extensionUri } = context;
  const folder = context.globalStorageUri.fsPath;
  const masking = new Masking();
  const log = new OutputLog(masking);
  const registerCommand = commandRegistrar(log);
  const secrets = new SecretStore({ secrets: context.secrets, masking, onUnavailable });
  const keys = new SigningKeys(globalState, secrets, folder);
  const networks = new Networks(globalState);
  const heads = new Map<string, HeadSample>();
  const sawHead = (network: string, chain: number) => heads.set(network, { chain, local: clock.now() });
  const credentials = new NetworkCredentials({ store: secrets, log });
  const gateways = new Gateways({ credentials, clock, log, sawHead });
  const findLocal = () => localChain.findRunning();
  const { chains, transactions } = transactionsOnChains({ folder, networks, gateways, clock, log, findLocal });
  const localChain = registerLocalChain({
    ...{ registerCommand, networks, keys, secrets, transactions, log, record: new LocalChainRecordFile(folder) },
    program: context.asAbsolutePath("dist/local-chain.js"),
    readyLine: chainBeside(context),
  });
  const proveLocalChain = () => localChain.prove();
  const rules: ChainRules = {
    ...{ isOfChain: (it) => keys.isOfChain(it), prove: proveLocalChain, placeOn: (it) => chains.placeOn(it) },
  };
  const sender = senderOnDemand({ keys, transactions, chains: rules }, guardOf(context, secrets));
  const clicks = new OwnClicks();
  const nameOf: NameOf = (address) => keys.nameOf(address);
  const liveTransactions = (network: string) => liveOn(transactions, network);
  const [networkOf, masked] = [(name: string) => networks.find(name), (text: string) => masking.masked(text)];

  const services = { registerCommand, networks, gateways, keys };
  const guests = localChain.rows;
  const accounts = registerCredentials({ ...services, credentials, guests, clock });
  const artifacts = artifactsOnDemand({ program: context.asAbsolutePath("dist/artifact-worker.js"), log, clock });
  const { now } = clock;
  const explanations = registerExplanations({ registerCommand, transactions, artifacts, heads, now, log });
  const contracts = registerContracts({ ...services, chains, transactions, artifacts, sender, clock });
  const answers = context.workspaceState;
  const energy = registerEnergyHints({ ...services, chains, transactions, artifacts, now, log, answers });
  subscriptions.push(
    ...[log, keys, networks, credentials, gateways, transactions, accounts, localChain],
    ...[artifacts, explanations, contracts, energy],
    registerCommand("finality.showLog", () => log.show()),
    registerNetworks({ registerCommand, networks, gateways, chains, credentials, liveTransactions }),
    registerTransactions({ ...services, chains, transactions, sender, contracts, clicks, proveLocalChain, clock }),
    registerDecoder({
      ...{ registerCommand, transactions, artifacts, nameOf, networkOf, masked, extensionUri, log, heads, now, clicks },
      keptText: explanations.keptText,
    }),
    registerTracking({
      ...{ registerCommand, transactions, now: clock.now, sleep: clock.sleep },
      activeNetwork: () => networks.active,
      ...{ nameOf, networkOf, masked, extensionUri, clicks },
      onDidChangeSurroundings: anyOf(keys.onDidChange, networks.onDidChange),
    }),
    transactions.onDidChange((txIds) =>
      accounts.transactionsChanged(txIds.flatMap((txId) => transactions.get(txId) ?? [])),
    ),
  );
  setImmediate(() => followOthers(localChain, keys, log));
  lastActivationMs = threadTimeMs() - started;
  log.info(`Activated in ${lastActivationMs.toFixed(1)} ms.`);
  return createFinalityApi(transactions, networks, { explain: explanations.explain, estimateEnergy: energy.estimate });
}

/** What other windows started and added is looked for when this one is there. */
function followOthers(localChain: Pick<LocalChainFeature, "findRunning">, keys: SigningKeys, log: OutputLog): void {
  localChain.findRunning().catch((error: unknown) => log.error("The local chain was not found.", error));
  keys.start().catch((error: unknown) => log.error("The accounts of other windows cannot be followed.", error));
}

/** What tells this host from others. In a window of development the person runs their own build on the machine they chose. */
function guardOf(context: vscode.ExtensionContext, secrets: SecretStore): GuardOptions {
  const { globalState: state, globalStorageUri, extensionMode } = context;
  const { remoteName } = vscode.env;
  const isProduct = extensionMode === vscode.ExtensionMode.Production;
  return {
    ...{ secrets, state, isRemote: remoteName !== undefined && isProduct },
    host: remoteName === undefined ? `this computer (${hostname()})` : `${hostname()} (${remoteName})`,
    journalId: async () => (await import("./host/journal/journal-id.ts")).journalId(globalStorageUri.fsPath),
  };
}

/** How many transactions of a network may still be executed. */
async function liveOn(transactions: TransactionService, network: string): Promise<number> {
  await transactions.ready();
  return transactions.list().filter((it) => transactions.networkOf(it) === network && isAlive(it)).length;
}

/** The chain that `npm start` runs beside a window of development. Elsewhere anybody may have set the variable. */
function chainBeside({ extensionMode }: vscode.ExtensionContext): string | undefined {
  return extensionMode === vscode.ExtensionMode.Development ? process.env.FINALITY_DEV_CHAIN : undefined;
}

function anyOf(...events: readonly vscode.Event<void>[]): vscode.Event<void> {
  return (listener) => vscode.Disposable.from(...events.map((event) => event(() => listener())));
}
