import {
  type BindingContext,
  type BoundCall,
  bindCall,
  type CallSite,
  cachedEstimateOf,
  type KnownContract,
  type MissingValue,
  type UnboundCall,
} from "@finality/client/call-sites";
import {
  type CachedEstimate,
  type CallEstimate,
  contractRunOf,
  EstimateCache,
  WINDOW_BLOCKS,
} from "@finality/client/estimates";
import { coinSymbolOf, LOCAL_NETWORK_NAME, type NetworkProfile } from "@finality/client/gateway";
import type { ArtifactIndex, WorkspaceContract } from "@finality/tron/abi";
import { BLOCK_INTERVAL_MS, parseAddress } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { WorkspaceArtifacts } from "../../host/artifacts/workspace-artifacts.ts";
import { setContext } from "../../host/commands/commands.ts";
import { energyMarginSetting } from "../../host/settings/settings.ts";
import type { EstimateAnswers } from "./answers.ts";
import type { CostRecord } from "./cost-record.ts";
import type { HintState, KnownHint, ThrownSite } from "./hint.view.ts";
import { type EnergyServices, workspaceContext } from "./workspace-context.ts";

/** Options of an estimate request. */
interface Asking {
  /** Requests a new estimate even if one is known. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

/** Prompts for values that cannot be inferred. Returns false if the user cancels. */
type AskMissing = (missing: readonly MissingValue[]) => Promise<boolean>;

/** Skips the prompt, so that missing values are reported instead. */
const skipPrompt: AskMissing = async () => false;

/** Binds the calls of documents to networks and stores their estimates. Reads use memory only. */
export class Hints implements vscode.Disposable {
  readonly #services: EnergyServices;
  readonly #answers: EstimateAnswers;
  readonly #record: CostRecord;
  readonly #cache: EstimateCache;
  readonly #changed = new PacedChange(() => this.#agesIn());
  readonly #renewed = new vscode.EventEmitter<void>();
  readonly #contexts = new Map<string, BindingContext>();
  readonly #bytecodes = new Map<WorkspaceContract, string>();
  readonly #requested = new Set<string>();
  readonly #bound = new WeakMap<
    CallSite,
    { readonly context: BindingContext; readonly bound: BoundCall | UnboundCall }
  >();
  /** Newest block that an answer of a network refers to. */
  readonly #heights = new Map<string, number>();
  /** Source lines where calls revert, by estimate; undefined while a line is read, and if it is not known. */
  readonly #sites = new WeakMap<CallEstimate, ThrownSite | undefined>();
  readonly #subscriptions: vscode.Disposable[];
  #artifacts: WorkspaceArtifacts | undefined;

  readonly onDidChange = this.#changed.onDidChange;
  /** Called when contracts, accounts, networks or estimates changed. */
  readonly onDidRenew = this.#renewed.event;

  constructor(services: EnergyServices, answers: EstimateAnswers, record: CostRecord) {
    this.#services = services;
    this.#answers = answers;
    this.#record = record;
    this.#cache = new EstimateCache({
      sourceFor: (network) => services.gateways.for(services.networks.get(nameIn(network))),
      now: services.now,
      onChange: () => this.#changed.tell(),
    });
    const renew = (): void => this.#renew();
    this.#subscriptions = [
      services.keys.onDidChange(renew),
      services.networks.onDidChange(renew),
      services.transactions.onDidChange(renew),
      answers.onDidChange(renew),
      record.onDidChange(renew),
      this.#changed,
      this.#renewed,
    ];
  }

  /** Names of errors and functions, after the artifacts were loaded. */
  get index(): ArtifactIndex | undefined {
    return this.#artifacts?.index;
  }

  get isIdle(): boolean {
    return this.#cache.isEmpty && this.#requested.size === 0;
  }

  /** Loads the artifacts of the workspace and watches them. */
  async open(): Promise<void> {
    if (this.#artifacts !== undefined) return;
    const artifacts = await this.#services.artifacts.get();
    await artifacts.ready();
    if (this.#artifacts !== undefined) return;
    this.#artifacts = artifacts;
    this.#subscriptions.push(artifacts.onDidChange(() => this.#renew()));
    this.#renew();
  }

  /** Returns the known state of a call, without I/O. */
  stateOf(callSite: CallSite): HintState {
    if (this.isIdle) return { kind: "idle" };
    const network = this.#networkOf(callSite);
    const bound = this.bind(callSite);
    if (bound.kind !== "bound" || network === undefined)
      return this.#requested.has(keyOf(callSite)) && bound.kind !== "bound"
        ? { kind: "unbound", reason: reasonOf(bound) }
        : { kind: "idle" };
    return this.#stateOn(network, bound);
  }

  /** Prompts for missing values of a call before it is estimated. Returns false if the user cancels. */
  async complete(callSite: CallSite, askMissing: AskMissing): Promise<boolean> {
    let hasLeft = false;
    await this.#ready();
    await this.#complete(callSite, async (missing) => {
      hasLeft = !(await askMissing(missing));
      return !hasLeft;
    });
    return !hasLeft;
  }

  /** Estimates a call on the chain. @throws the reason of the signal */
  async estimate(callSite: CallSite, asking: Asking = {}): Promise<HintState> {
    await this.#ready();
    this.#requested.add(keyOf(callSite));
    const bound = await this.#complete(callSite, skipPrompt);
    const network = this.#networkOf(callSite);
    if (bound.kind !== "bound" || network === undefined) {
      this.#changed.tell();
      return bound.kind === "bound" ? { kind: "idle" } : { kind: "unbound", reason: reasonOf(bound) };
    }
    const { refresh = false, signal } = asking;
    const id = idOf(network);
    const before = this.#stateOn(network, bound);
    const isOld = before.kind === "known" && before.isOld;
    const answer = await this.#cache.estimate({ network: id, intent: bound.intent, refresh: refresh || isOld }, signal);
    if ("height" in answer) {
      this.#heights.set(id, answer.height);
      setContext("finality.hasEstimate", true);
    }
    this.#changed.tell();
    // Belongs to the requested network, even if another one is active by now.
    return this.#stateOn(network, bound);
  }

  /**
   * Reads the source line where a call reverts, once for each estimate. Only for a call that the user looks at: it reads
   * the source maps of the workspace.
   */
  async findSite(callSite: CallSite): Promise<void> {
    const network = this.#networkOf(callSite);
    const state = this.stateOf(callSite);
    if (network?.local !== true || state.kind !== "known" || state.estimate.kind !== "reverted") return;
    const { bound, estimate } = state;
    if (this.#sites.has(estimate)) return;
    this.#sites.set(estimate, undefined);
    const call = { run: contractRunOf(bound.intent), network: network.name };
    try {
      const site = await this.#services.traces.thrownSite(call);
      if (site === undefined) return;
      this.#sites.set(estimate, site);
      this.#changed.tell();
    } catch (error) {
      this.#services.log.error("The source line of a call that reverts was not read.", error);
    }
  }

  /**
   * Returns the reason why a call cannot be made on any network that the workspace knows. Returns undefined while its
   * network or the artifacts are missing.
   */
  faultOf(callSite: CallSite): string | undefined {
    const network = this.#networkOf(callSite);
    if (network === undefined || this.#artifacts === undefined) return undefined;
    const context = this.#contextOn(network);
    const bound = bindCall(callSite, {
      ...context,
      contractsNamed: (name) => context.contractsNamed(name).map(withPlaceholderAddress),
    });
    return bound.kind === "wrong" ? bound.reason : undefined;
  }

  /**
   * Returns contracts and accounts on the network of a call; undefined until the network and the artifacts are known.
   */
  contextOf(callSite: Pick<CallSite, "network">): BindingContext | undefined {
    const network = this.#networkOf(callSite);
    return network === undefined || this.#artifacts === undefined ? undefined : this.#contextOn(network);
  }

  /** Call with its network, contracts and accounts. */
  bind(callSite: CallSite): BoundCall | UnboundCall {
    const network = this.#networkOf(callSite);
    if (network !== undefined) return this.#bindOn(callSite, this.#contextOn(network));
    return { kind: "wrong", reason: noNetwork(callSite.network) };
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Binds a call. The stored binding is replaced when its context has changed. */
  #bindOn(callSite: CallSite, context: BindingContext): BoundCall | UnboundCall {
    const known = this.#bound.get(callSite);
    if (known?.context === context) return known.bound;
    const bound = bindCall(callSite, context);
    this.#bound.set(callSite, { context, bound });
    return bound;
  }

  async #ready(): Promise<void> {
    await Promise.all([this.open(), this.#services.transactions.ready()]);
  }

  /** Binds a call; reads creation code and prompts until nothing is missing or the user cancels. */
  async #complete(callSite: CallSite, askMissing: AskMissing): Promise<BoundCall | UnboundCall> {
    for (;;) {
      const bound = this.bind(callSite);
      if (bound.kind !== "missing") return bound;
      const forPeople = bound.missing.filter(({ kind }) => kind !== "bytecode");
      if (forPeople.length === 0) {
        if (!(await this.#readBytecode(bound.missing))) return bound;
      } else if (!(await askMissing(forPeople))) return bound;
    }
  }

  async #readBytecode([missing]: readonly MissingValue[]): Promise<boolean> {
    const [contract] = (this.index?.contractsNamed(missing?.key ?? "") ?? []).filter((one) => one.hasBytecode);
    const code = contract && (await this.#artifacts?.bytecodeOf(contract));
    if (contract === undefined || code === undefined) return false;
    this.#bytecodes.set(contract, code);
    this.#contexts.clear();
    return true;
  }

  #stateOn(network: NetworkProfile, bound: BoundCall): HintState {
    const id = idOf(network);
    const entry = cachedEstimateOf(this.#cache, id, bound, energyMarginSetting());
    if (entry === undefined) return { kind: "idle" };
    if (entry.kind === "asking") return { kind: "asking" };
    return { ...this.#known(bound, entry, this.#heights.get(id)), symbol: coinSymbolOf(network.baseUrl) };
  }

  #known(bound: BoundCall, entry: Extract<CachedEstimate, { kind: "known" }>, newest: number | undefined): KnownHint {
    const { estimate } = entry;
    const passed = newest === undefined || !("height" in estimate) ? 0 : newest - estimate.height;
    const ageInBlocks = Math.max(this.#cache.ageInBlocks(entry), passed);
    const change = estimate.kind === "estimated" ? this.#record.changeOf(bound, estimate.energy) : undefined;
    return {
      kind: "known",
      bound,
      estimate,
      ageInBlocks,
      isOld: ageInBlocks >= WINDOW_BLOCKS,
      change,
      site: this.#sites.get(estimate),
    };
  }

  #networkOf({ network }: Pick<CallSite, "network">): NetworkProfile | undefined {
    const { networks } = this.#services;
    return network === undefined ? networks.active : networks.find(network);
  }

  #contextOn(network: NetworkProfile): BindingContext {
    const id = idOf(network);
    const { networks, chains, keys, transactions } = this.#services;
    const answer = (key: string): string | undefined => this.#answers.get(key);
    const context =
      this.#contexts.get(id) ??
      workspaceContext({
        networks,
        chains,
        keys,
        transactions,
        network,
        answer,
        index: this.#indexOrNone(),
        bytecodes: this.#bytecodes,
      });
    this.#contexts.set(id, context);
    return context;
  }

  #indexOrNone(): ArtifactIndex {
    if (this.#artifacts === undefined) throw new Error("The artifacts were not read yet.");
    return this.#artifacts.index;
  }

  #renew(): void {
    this.#contexts.clear();
    this.#renewed.fire();
    this.#changed.tell();
  }

  /** Age at which the newest figures expire, ms. */
  #agesIn(): number | undefined {
    return this.#cache.isEmpty ? undefined : (WINDOW_BLOCKS + 1) * BLOCK_INTERVAL_MS;
  }
}

/** Returns the reason why a network cannot be used. @param name - undefined for the active one */
export function noNetwork(name: string | undefined): string {
  if (name === undefined) return t`no network is chosen; start the local chain or add a network`;
  if (name === LOCAL_NETWORK_NAME) return t`the local chain does not run; start it`;
  return t`there is no network "${name}"; add it, or write another name`;
}

export function reasonOf(unbound: UnboundCall): string {
  if (unbound.kind === "wrong") return unbound.reason;
  return t`an answer is missing: ${unbound.missing.map(({ question }) => question).join(t`; `)}`;
}

/** Identifies a network by its name and URL, because another chain may have the same name. */
function idOf({ name, baseUrl }: NetworkProfile): string {
  return `${name}\n${baseUrl}`;
}

function nameIn(id: string): string {
  return id.split("\n")[0] ?? "";
}

function keyOf({ kind, contract, method, arguments: inputs }: CallSite): string {
  const texts = inputs?.map(({ text }) => text) ?? [];
  const owner = contract.kind === "address" ? contract.address.text : contract.name;
  return [kind, owner, method ?? "", ...texts].join("|");
}

const ANYWHERE = parseAddress(`41${"00".repeat(20)}`);

/**
 * Adds a placeholder address to a contract without one, because a call is right or wrong independent of its deployment.
 */
function withPlaceholderAddress(contract: KnownContract): KnownContract {
  return { ...contract, address: contract.address ?? ANYWHERE };
}

/** Minimum time between two redraw events, ms. */
const REDRAW_INTERVAL_MS = 100;

/**
 * Reports the first change at once, combines the following ones, and reports again when the newest estimates expire.
 */
class PacedChange implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #agesIn: () => number | undefined;
  #age: NodeJS.Timeout | undefined;
  #rest: NodeJS.Timeout | undefined;
  #isMissed = false;

  readonly onDidChange = this.#changed.event;

  /** @param agesIn - Time until the newest estimates expire, ms; undefined if there are none. */
  constructor(agesIn: () => number | undefined) {
    this.#agesIn = agesIn;
  }

  tell(): void {
    this.#isMissed = this.#rest !== undefined;
    if (this.#isMissed) return;
    this.#changed.fire();
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      if (this.#isMissed) this.tell();
    }, REDRAW_INTERVAL_MS);
    clearTimeout(this.#age);
    const ms = this.#agesIn();
    if (ms !== undefined) this.#age = setTimeout(() => this.#changed.fire(), ms);
  }

  dispose(): void {
    clearTimeout(this.#age);
    clearTimeout(this.#rest);
    this.#changed.dispose();
  }
}
