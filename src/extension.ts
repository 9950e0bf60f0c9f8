import * as vscode from "vscode";
import { registerAddressNames } from "./features/address-names/register.ts";
import { registerContracts } from "./features/contracts/register.ts";
import { registerCredentials } from "./features/credentials/register.ts";
import { registerDecoder } from "./features/decoder/register.ts";
import { registerDocumentation } from "./features/documentation/register.ts";
import { registerEnergyHints } from "./features/energy-hints/register.ts";
import { registerEveryday } from "./features/everyday/register.ts";
import { registerExplanations } from "./features/explanations/register.ts";
import { registerIncoming } from "./features/incoming/register.ts";
import { registerLocalChain } from "./features/local-chain/register.ts";
import { registerNetworks } from "./features/networks/register.ts";
import { registerPermissions } from "./features/permissions/register.ts";
import { registerSharedFiles } from "./features/shared-files/register.ts";
import { createFinalityApi } from "./features/tracking/finality-api.ts";
import { registerTracking } from "./features/tracking/register.ts";
import { registerTransactions } from "./features/transactions/register.ts";
import { clearContext, setContext } from "./host/commands/commands.ts";
import { LocalChainRecordFile } from "./host/local-chain/local-chain-ready.ts";
import { threadTimeMs } from "./host/thread-time.ts";
import type { FinalityApi } from "./public/api.ts";
import { createServices } from "./services.ts";

let lastActivationMs: number | undefined;
let close = async (): Promise<void> => undefined;

/** How long `activate` worked, in ms, for the test that holds it to its budget. */
export function activationMs(): number | undefined {
  return lastActivationMs;
}

/** The editor waits for it before it ends the window: what is being written comes to its end. */
export async function deactivate(): Promise<void> {
  await close();
}

/** Hands the services to the features. It asks no network, reads no key and no file. */
export function activate(context: vscode.ExtensionContext): FinalityApi {
  const started = threadTimeMs();
  clearContext();
  setContext("finality.awake", true);
  const findRunning = () => localChain.findRunning();
  const prove = () => localChain.prove();
  const { secrets, ...services } = { ...createServices(context, { findRunning, prove }), state: context.globalState };
  const { keys, log, networks, reasons, registerCommand } = services;
  const localChain = registerLocalChain({
    ...services,
    // It alone gets the secret storage: what proves that a chain is ours is kept there.
    secrets,
    record: new LocalChainRecordFile(context.globalStorageUri.fsPath),
    program: context.asAbsolutePath("dist/local-chain.js"),
    readyLine: process.env.FINALITY_DEV_CHAIN,
  });
  const explanations = registerExplanations(services);
  const contracts = registerContracts(services);
  const incoming = registerIncoming(services);
  const energy = registerEnergyHints({ ...services, answers: context.workspaceState });
  close = services.close;
  context.subscriptions.push(
    { dispose: close },
    localChain,
    explanations,
    contracts,
    incoming,
    energy,
    registerCommand("finality.showLog", () => log.show()),
    registerCommand("finality.openWalkthrough", () => openWalkthrough(context)),
    registerCredentials({ ...services, guests: localChain.rows }),
    registerAddressNames(services),
    registerNetworks(services),
    registerTransactions({ ...services, contracts, proveLocalChain: prove }),
    registerEveryday(services),
    registerPermissions(services),
    registerSharedFiles({ ...services, explain: explanations.explain }),
    registerDocumentation(services),
    registerDecoder({ ...services, keptText: explanations.keptText }),
    registerTracking({
      ...services,
      guests: incoming.rows,
      onDidChangeSurroundings: anyOf(keys.onDidChange, networks.onDidChange, reasons.onDidChange),
    }),
  );
  const soon = setImmediate(() => {
    findRunning().catch((error: unknown) => log.error("The local chain was not found.", error));
    keys.start().catch((error: unknown) => log.error("The accounts of other windows cannot be followed.", error));
  });
  context.subscriptions.push({ dispose: () => clearImmediate(soon) });
  lastActivationMs = threadTimeMs() - started;
  log.info(`Activated in ${lastActivationMs.toFixed(1)} ms.`);
  return createFinalityApi(services, { explain: explanations.explain, estimateEnergy: energy.estimate });
}

async function openWalkthrough({ extension }: vscode.ExtensionContext): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.id}#firstSteps`, false);
}

function anyOf(...events: readonly vscode.Event<void>[]): vscode.Event<void> {
  return (listener) => vscode.Disposable.from(...events.map((event) => event(() => listener())));
}
