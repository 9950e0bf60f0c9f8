import { hostname } from "node:os";
import { join } from "node:path";
import type { HeadSample } from "@finality/client/gateway";
import { systemClock as clock, threadTimeMs } from "@finality/node/system-clock";
import type { NameOf } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import * as vscode from "vscode";
import { registerAccountsView } from "./features/accounts-view/register.ts";
import { registerAddressNames } from "./features/address-names/register.ts";
import { registerAgents } from "./features/agents/register.ts";
import { registerContracts } from "./features/contracts/register.ts";
import { registerDebugger } from "./features/debugger/register.ts";
import type { CallDebugging } from "./features/debugger/services.ts";
import { registerDecoder } from "./features/decoder/register.ts";
import { registerDocumentation } from "./features/documentation/register.ts";
import { type Energy, registerEnergyHints } from "./features/energy-hints/register.ts";
import { registerExplanations } from "./features/explanations/register.ts";
import { registerIncoming } from "./features/incoming/register.ts";
import { registerJwtKeys } from "./features/jwt-keys/register.ts";
import { registerLinks } from "./features/links/register.ts";
import { registerLocalChain } from "./features/local-chain/register.ts";
import { registerNetworks } from "./features/networks/register.ts";
import { registerPermissions } from "./features/permissions/register.ts";
import { registerRuns } from "./features/runs/register.ts";
import { registerSharedFiles } from "./features/shared-files/register.ts";
import { registerSigningKeys } from "./features/signing-keys/register.ts";
import { registerSystemContracts } from "./features/system-contracts/register.ts";
import { registerTasks } from "./features/tasks/register.ts";
import { registerTerminals } from "./features/terminals/register.ts";
import { registerTestExplorer } from "./features/test-explorer/register.ts";
import { registerTraces } from "./features/traces/register.ts";
import type { CallTraces } from "./features/traces/services.ts";
import { createFinalityApi } from "./features/tracking/finality-api.ts";
import { registerTracking } from "./features/tracking/register.ts";
import { registerTransactions } from "./features/transactions/register.ts";
import { registerWalkthrough } from "./features/walkthrough/register.ts";
import { KnownNames } from "./host/addresses/address-names.ts";
import { artifactsOnDemand, namesOnDemand } from "./host/artifacts/artifacts.ts";
import { CallNames } from "./host/artifacts/call-names.ts";
import { FailureReasons } from "./host/artifacts/failure-reasons.ts";
import { lazy } from "./host/async.ts";
import {
  clearContext,
  commandRegistrar,
  OwnClicks,
  registerAll,
  StoredContextKey,
  setContext,
} from "./host/commands/commands.ts";
import type { IsOnLocalChain } from "./host/commands/program-gate.ts";
import { type ContributedRows, joinRows } from "./host/contributed-rows.ts";
import type { ConnectableWallet } from "./host/external-signer/external-signer.ts";
import { TransactionNotes } from "./host/journal/transaction-notes.ts";
import { failureRecordsOnDemand } from "./host/local-chain/lazy-failure-records.ts";
import { OutputLog } from "./host/log/log.ts";
import { Masking } from "./host/log/masking.ts";
import { Gateways } from "./host/networks/gateways.ts";
import { Networks } from "./host/networks/networks.ts";
import { PlainHttp } from "./host/networks/plain-http.ts";
import { removeCopiedSecret } from "./host/prompts/clipboard.ts";
import { NetworkCredentials } from "./host/secrets/network-credentials.ts";
import { SecretStore } from "./host/secrets/secret-store.ts";
import { SigningKeys } from "./host/secrets/signing-keys.ts";
import type { FinalityApi } from "./public/api.ts";
import type { GuardOptions } from "./sending/account-guard.ts";
import { senderOnDemand } from "./sending/sender.ts";
import type { ChainRules } from "./sending/transaction-kind.ts";
import { transactionsOnChains } from "./sending/transactions-on-chains.ts";

const CHAIN_PROGRAM = "dist/local-chain.js";

let lastActivationMs: number | undefined;
let close = async (): Promise<void> => undefined;

/** Returns the CPU time of `activate` in ms, for the test of its budget. */
export function activationMs(): number | undefined {
  return lastActivationMs;
}

/** Closes everything. VS Code waits for it, so pending writes reach the disk. */
export async function deactivate(): Promise<void> {
  await close();
}

/** Registers all features. Makes no request and reads no key or file. */
export function activate(context: vscode.ExtensionContext): FinalityApi {
  const started = threadTimeMs();
  clearContext();
  setContext("finality.awake", true);
  const findRunning = () => localChain.findRunning();
  const prove = () => localChain.prove();
  const { secrets, ...services } = { ...createServices(context, { findRunning, prove }), state: context.globalState };
  const { keys, log, registerCommand } = services;
  const chainProgram = context.asAbsolutePath(CHAIN_PROGRAM);
  const localChain = registerLocalChain({
    ...services,
    // Only this feature gets the secret storage: it stores the secret that proves the chain is ours.
    secrets,
    folder: context.globalStorageUri.fsPath,
    program: chainProgram,
    readyLine: process.env.FINALITY_DEV_CHAIN,
  });
  const explanations = registerExplanations(services);
  const contracts = registerContracts({ ...services, drafts: context.workspaceState });
  const incoming = registerIncoming(services);
  const agents = registerAgents({ ...services, contracts, proveLocalChain: prove, context });
  const shown = { ...services, callOfFile: ((location) => energy.callOfFile(location)) as Energy["callOfFile"] };
  const views = registerTransactionViews(context, shown, joinRows(agents.rows, incoming.rows));
  const energy = registerEnergyHints({ ...services, answers: context.workspaceState, chainProgram, traces: views });
  const runs = registerRuns(services);
  close = () => runs.close().then(services.close);
  context.subscriptions.push(
    { dispose: close },
    localChain,
    explanations,
    contracts,
    incoming,
    agents,
    runs,
    energy,
    registerCommand("finality.showLog", () => log.show()),
    registerWalkthrough({ registerCommand, id: context.extension.id }),
    registerCommand("finality.showMenu", async () => {
      const { showStatusMenu } = await import("./features/status-menu/status-menu.ts");
      await showStatusMenu(services);
    }),
    registerJwtKeys(services),
    registerSigningKeys(services),
    registerAccountsView({ ...services, contributed: localChain.rows }),
    registerAddressNames(services),
    registerNetworks(services),
    registerTransactions({ ...services, contracts, proveLocalChain: prove }),
    registerSystemContracts(services),
    registerPermissions(services),
    registerSharedFiles({ ...services, explain: explanations.explain }),
    registerDocumentation(services),
    registerDecoder({ ...services, storedText: explanations.storedText }),
    views,
  );
  const soon = setImmediate(() => {
    findRunning().catch((error: unknown) => log.error("The local chain was not found.", error));
    keys.start().catch((error: unknown) => log.error("The accounts of other windows cannot be followed.", error));
  });
  context.subscriptions.push({ dispose: () => clearImmediate(soon) });
  const api = createFinalityApi(services, { explain: explanations.explain, estimateEnergy: energy.estimate });
  context.subscriptions.push(registerEditorIntegration({ ...services, chainProgram }, api, energy));
  lastActivationMs = threadTimeMs() - started;
  log.info(`Activated in ${lastActivationMs.toFixed(1)} ms.`);
  return api;
}

/** Services of the views of transactions. */
type ShownServices = Omit<ReturnType<typeof createServices>, "secrets"> & { readonly state: vscode.Memento };

/** Registers the list of transactions, their pages and their traces. */
function registerTransactionViews(
  { workspaceState, globalStorageUri }: vscode.ExtensionContext,
  services: ShownServices & Pick<Energy, "callOfFile">,
  contributed: ContributedRows,
): CallTraces & CallDebugging & vscode.Disposable {
  const { keys, networks, reasons, callNames } = services;
  const tracking = registerTracking({
    ...{ ...services, workspaceState, contributed, notes: new TransactionNotes(globalStorageUri.fsPath) },
    onDidChangeContext: anyOf(keys.onDidChange, networks.onDidChange, reasons.onDidChange, callNames.onDidChange),
  });
  const shown = { ...services, focused: () => tracking.focused() };
  const [traces, debugging] = [registerTraces(shown), registerDebugger(shown)];
  return { ...traces, ...debugging, dispose: () => vscode.Disposable.from(tracking, traces, debugging).dispose() };
}

/** Registers what other parts of the editor call: links, terminal profile, tasks and tests. */
function registerEditorIntegration(
  services: Omit<ReturnType<typeof createServices>, "secrets"> & { readonly chainProgram: string },
  { transactions }: FinalityApi,
  { estimateFiles, runCallTests }: Energy,
): vscode.Disposable {
  const ready = () => services.transactions.ready();
  return vscode.Disposable.from(
    registerLinks(services),
    registerTerminals(services),
    registerTasks({ ...services, ready, transactions, estimateFiles }),
    registerTestExplorer({ ...services, runCallTests }),
    registerAll(
      services.registerCommand,
      "messages",
      lazy(async () => (await import("./features/messages/commands.ts")).createMessages(services)),
    ),
  );
}

function anyOf(...events: readonly vscode.Event<void>[]): vscode.Event<void> {
  return (listener) => vscode.Disposable.from(...events.map((event) => event(() => listener())));
}

/** The embedded chain. Its feature needs the services, and some services need the chain. */
interface EmbeddedChain {
  /** Finds a chain that another window may have started. */
  findRunning(): Promise<void>;
  /**
   * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`; `GATEWAY_UNREACHABLE` if the started chain does not answer at this URL
   */
  prove(): Promise<void>;
}

/** Creates the services that store secrets, accounts and networks, and the gateways. */
function storageServices(context: vscode.ExtensionContext) {
  const { globalState } = context;
  const folder = context.globalStorageUri.fsPath;
  const masking = new Masking();
  const log = new OutputLog(masking);
  const memory = { state: globalState, session: vscode.env.sessionId };
  const secrets = new SecretStore({ secrets: context.secrets, masking, onUnavailable, memory });
  const knownNames = new KnownNames(globalState);
  const keys = new SigningKeys(globalState, secrets, folder, knownNames);
  const networks = new Networks(globalState);
  const heads = new Map<string, HeadSample>();
  const notices = noticesOf(globalState, folder, log);
  const find = (it: string) => networks.find(it);
  const clockCheck = lazy(async () => {
    const { ClockCheck } = await import("./host/networks/clock-check.ts");
    return new ClockCheck({ find, notices });
  });
  const sawHead = (network: string, chain: number): void => {
    const [head, before] = [{ chain, local: clock.now() }, heads.get(network)];
    heads.set(network, head);
    void clockCheck().then((it) => it.saw(network, head, before));
  };
  const credentials = new NetworkCredentials({ store: secrets, state: globalState, now: clock.now });
  const plainHttp = new PlainHttp(globalState);
  const clientCertificates = lazy(async () => {
    const { ClientCertificates } = await import("./host/secrets/client-certificates.ts");
    return new ClientCertificates(globalState, secrets);
  });
  const mask = (secret: string) => masking.remember(secret);
  const gateways = new Gateways({ credentials, plainHttp, clientCertificates, mask, clock, log, sawHead });
  const networkServices = { networks, heads, credentials, plainHttp, clientCertificates, gateways };
  return { folder, masking, log, secrets, knownNames, keys, notices, ...networkServices };
}

/** Returns the notices that all windows share, loaded when the first one is due. */
function noticesOf(state: vscode.Memento, folder: string, log: OutputLog) {
  const isAnyHidden = new StoredContextKey<boolean>(state, "finality.hasHiddenNotice", false);
  const isFocused = (): boolean => vscode.window.state.focused;
  const report = (error: unknown): void => log.error("Windows cannot share notices.", error);
  return lazy(async () => {
    const { SharedNotices } = await import("./host/windows/shared-notices.ts");
    return new SharedNotices({ isAnyHidden, folder, report, isFocused, sleep: clock.sleep });
  });
}

/** Creates every service once. Makes no request and reads no key or file. */
export function createServices(context: vscode.ExtensionContext, localChain: EmbeddedChain) {
  const { globalState, extensionUri } = context;
  const { folder, masking, ...kept } = storageServices(context);
  const { log, secrets, keys, knownNames, networks, credentials, gateways } = kept;
  const findLocal = () => localChain.findRunning();
  const onChains = transactionsOnChains({ folder, networks, gateways, clock, log, findLocal });
  const { chains, transactions, incoming } = onChains;
  const rules: ChainRules = {
    isOfChain: (it) => keys.isOfChain(it),
    prove: () => localChain.prove(),
    isRealMoney: ({ name }) => networks.find(name)?.production === true,
    networkRefOf: (it) => chains.networkRefOf(it),
  };
  const wallet = walletOnDemand(join(extensionUri.fsPath, "dist", "media"));
  const masked = (text: string): string => masking.masked(text);
  const replays = { folder, gateways, masked, log, program: context.asAbsolutePath(CHAIN_PROGRAM) };
  const failureRecords = failureRecordsOnDemand(replays);
  const sending = { keys, transactions, chains: rules, clock, outside: wallet, recordCall: failureRecords.record };
  const sender = senderOnDemand(sending, guardOf(context, secrets));
  const artifacts = artifactsOnDemand({ program: context.asAbsolutePath("dist/artifact-worker.js"), log, clock });
  const nameOf: NameOf = (address) => keys.nameOf(address);
  const names = namesOnDemand({ artifacts, log, kept: globalState, urlOf: (it) => networks.find(it)?.baseUrl });
  const { contractBook, closeBook } = contractBookOnDemand(folder, log);
  const reasons = new FailureReasons({ names, nameOf, networkOf: (it) => transactions.networkOf(it), log });
  const callNames = new CallNames({ names, contractBook, networkOf: (it) => transactions.networkOf(it), log });
  const withNotices = { dispose: () => kept.notices.ifLoaded((it) => it.dispose()) };
  const withNames = { dispose: () => names.ifLoaded((it) => it.dispose()) };
  const disposables = vscode.Disposable.from(
    ...[knownNames, networks, credentials, artifacts, reasons, callNames, withNotices, withNames, wallet],
  );
  const isOnLocalChain: IsOnLocalChain = async ({ network, txId }) => {
    const tracked = typeof txId === "string" ? transactions.get(txId as TxId) : undefined;
    const named = typeof network === "string" ? network : tracked && transactions.networkOf(tracked);
    if ((named === undefined ? networks.active : networks.find(named))?.local !== true) return false;
    await localChain.prove();
    return true;
  };
  const close = lazy(async () => {
    disposables.dispose();
    // Completes when pending answers are stored.
    const stores = [transactions.close(), incoming.close(), keys.close(), closeBook()];
    await Promise.allSettled([removeCopiedSecret(), ...stores]);
    vscode.Disposable.from(gateways, log).dispose();
  });
  return {
    registerCommand: commandRegistrar(log, isOnLocalChain),
    clicks: new OwnClicks(),
    clock,
    ...{ now: clock.now, sleep: clock.sleep },
    extensionUri,
    ...kept,
    ...onChains,
    ...{ sender, folder, failureRecords },
    wallet,
    artifacts,
    contractBook,
    callNames,
    names,
    reasons,
    nameOf,
    networkOf: (name: string) => networks.find(name),
    masked,
    /** Closes all services. Resolves when pending writes are on disk. */
    close: async () => await close(),
  };
}

/** Returns the contracts that the user added. Their file is read on the first request. */
function contractBookOnDemand(folder: string, log: OutputLog) {
  let closeBook = async (): Promise<void> => undefined;
  const contractBook = lazy(async () => {
    const { ContractBook } = await import("./host/contracts/contract-book.ts");
    const failed = (error: unknown): void => log.error("The list of contracts cannot be read.", error);
    const book = new ContractBook({ folder, failed });
    closeBook = () => book.close();
    await book.load();
    return book;
  });
  return { contractBook, closeBook: () => closeBook() };
}

async function onUnavailable(reason: string): Promise<"retry" | "keep-for-this-window"> {
  const { askAboutSecretStorage } = await import("./host/prompts/credential-prompts.ts");
  return askAboutSecretStorage(reason);
}

/** Returns the data that distinguishes this extension host from others. */
function guardOf(context: vscode.ExtensionContext, secrets: SecretStore): GuardOptions {
  const { globalState: state, globalStorageUri } = context;
  const { remoteName } = vscode.env;
  return {
    secrets,
    state,
    isRemote: remoteName !== undefined,
    host: remoteName === undefined ? hostname() : `${hostname()} (${remoteName})`,
    journalId: async () => (await import("./host/journal/journal-id.ts")).journalId(globalStorageUri.fsPath),
  };
}

/** Returns the wallet in the user's browser. Its code is loaded on the first request. */
function walletOnDemand(folder: string): ConnectableWallet {
  const load = lazy(async () => {
    const { BrowserWallet } = await import("./host/external-signer/browser-wallet.ts");
    return new BrowserWallet({ folder, clock });
  });
  return {
    sign: async (request) => (await load()).sign(request),
    connect: async () => (await load()).connect(),
    dispose: () => load.ifLoaded((it) => it.dispose()),
  };
}
