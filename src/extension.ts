import * as vscode from "vscode";
import type { FinalityApi } from "./api.ts";
import type { HeadSample } from "./core/time/chain-times.ts";
import { isAlive } from "./core/tracking/possible-actions.ts";
import type { NameOf } from "./core/transaction/describe-intent.ts";
import { registerContracts } from "./features/contracts/register.ts";
import { registerCredentials } from "./features/credentials/register.ts";
import { registerDecoder } from "./features/decoder/register.ts";
import { registerEnergyHints } from "./features/energy-hints/register.ts";
import { registerExplanations } from "./features/explanations/register.ts";
import { registerLocalChain } from "./features/local-chain/register.ts";
import { registerNetworks } from "./features/networks/register.ts";
import { createFinalityApi } from "./features/tracking/finality-api.ts";
import { registerTracking } from "./features/tracking/register.ts";
import { registerTransactions } from "./features/transactions/register.ts";
import { artifactsOnDemand } from "./host/artifacts.ts";
import { commandRegistrar } from "./host/commands.ts";
import { Gateways } from "./host/gateways.ts";
import { LocalChainRecordFile } from "./host/local-chain-record.ts";
import { OutputLog } from "./host/log.ts";
import { Masking } from "./host/masking.ts";
import { LOCAL_NETWORK_NAME } from "./host/network-settings.ts";
import { Networks } from "./host/networks.ts";
import { SecretStore } from "./host/secret-store.ts";
import { senderOnDemand } from "./host/sender.ts";
import { SigningKeys } from "./host/signing-keys.ts";
import { systemClock as clock } from "./host/system-clock.ts";
import { threadTimeMs } from "./host/thread-time.ts";
import { TransactionDesk } from "./host/transaction-desk.ts";

let lastActivationMs: number | undefined;

/** How long `activate` worked, in ms, for the test that holds it to its budget. */
export function activationMs(): number | undefined {
  return lastActivationMs;
}

async function onUnavailable(reason: string): Promise<"retry" | "keep-for-this-window"> {
  const { askAboutSecretStorage } = await import("./host/secrets-unavailable.ts");
  return askAboutSecretStorage(reason);
}

/** Creates every service once and hands it to the features. It asks no network, reads no key and no file. */
export function activate(context: vscode.ExtensionContext): FinalityApi {
  const started = threadTimeMs();
  const { globalState, globalStorageUri, subscriptions, extensionUri } = context;
  const folder = globalStorageUri.fsPath;
  const masking = new Masking();
  const log = new OutputLog(masking);
  const registerCommand = commandRegistrar(log);
  const secrets = new SecretStore({ secrets: context.secrets, masking, onUnavailable });
  const keys = new SigningKeys(globalState, secrets);
  const networks = new Networks(globalState);
  const heads = new Map<string, HeadSample>();
  const sawHead = (network: string, chain: number) => heads.set(network, { chain, local: clock.now() });
  const gateways = new Gateways({ secrets, clock, log, sawHead });
  const gatewayFor = async (name: string) => {
    // Another window may have started the local chain.
    if (name === LOCAL_NETWORK_NAME && networks.local === undefined) await localChain.findRunning();
    return gateways.for(networks.get(name));
  };
  const desk = new TransactionDesk({ folder, gatewayFor, clock, log });
  const sender = senderOnDemand(keys, desk);
  const localChain = registerLocalChain({
    ...{ registerCommand, networks, keys, desk, log, record: new LocalChainRecordFile(folder) },
    program: context.asAbsolutePath("dist/local-chain.js"),
    readyLine: process.env.FINALITY_DEV_CHAIN,
  });
  const nameOf: NameOf = (address) => keys.nameOf(address);
  const networkOf = (name: string) => networks.find(name);
  const masked = (text: string) => masking.masked(text);
  const liveTransactions = async (network: string): Promise<number> => {
    await desk.ready();
    return desk.list().filter((it) => it.network === network && isAlive(it)).length;
  };

  const accounts = registerCredentials({
    ...{ registerCommand, networks, gateways, secrets, keys },
    guests: localChain.rows,
  });
  const artifacts = artifactsOnDemand({ program: context.asAbsolutePath("dist/artifact-worker.js"), log, clock });
  const { now } = clock;
  const explanations = registerExplanations({ registerCommand, desk, artifacts, heads, now, log });
  const contracts = registerContracts({ registerCommand, networks, gateways, keys, desk, artifacts, sender, clock });
  const energy = registerEnergyHints({
    ...{ registerCommand, networks, gateways, keys, desk, artifacts, now, log },
    answers: context.workspaceState,
  });
  subscriptions.push(
    ...[log, keys, networks, gateways, desk, accounts, localChain, artifacts, explanations, contracts, energy],
    registerCommand("finality.showLog", () => log.show()),
    registerNetworks({ registerCommand, networks, gateways, secrets, liveTransactions }),
    registerTransactions({ registerCommand, networks, gateways, keys, desk, sender, contracts }),
    registerDecoder({
      ...{ registerCommand, desk, artifacts, nameOf, networkOf, masked, extensionUri, log, heads, now },
      keptText: explanations.keptText,
    }),
    registerTracking({
      ...{ registerCommand, transactions: desk, now: clock.now },
      activeNetwork: () => networks.active,
      ...{ nameOf, networkOf, masked, extensionUri },
      onDidChangeSurroundings: anyOf(keys.onDidChange, networks.onDidChange),
    }),
    desk.onDidChange(() => accounts.refreshBalances()),
  );
  setImmediate(() => {
    localChain.findRunning().catch((error: unknown) => log.error("The local chain was not found.", error));
  });
  lastActivationMs = threadTimeMs() - started;
  log.info(`Activated in ${lastActivationMs.toFixed(1)} ms.`);
  return createFinalityApi(desk, networks, { explain: explanations.explain, estimateEnergy: energy.estimate });
}

function anyOf(...events: readonly vscode.Event<void>[]): vscode.Event<void> {
  return (listener) => vscode.Disposable.from(...events.map((event) => event(() => listener())));
}
