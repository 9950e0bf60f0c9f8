import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TronWeb } from "tronweb";
import {
  type BindingContext,
  type BoundCall,
  bindCall,
  cachedEstimateOf,
} from "../../../packages/client/src/call-sites/bind-call.ts";
import type { CallSite } from "../../../packages/client/src/call-sites/call-site.ts";
import {
  callSitesInCallFile,
  callSitesInScript,
  callSitesInSolidity,
} from "../../../packages/client/src/call-sites/find-call-sites.ts";
import { suggestedFeeLimit } from "../../../packages/client/src/estimates/call-estimate.ts";
import { EstimateCache } from "../../../packages/client/src/estimates/estimate-cache.ts";
import type { EstimateSource } from "../../../packages/client/src/estimates/estimate-call.ts";
import type { LocalChainOptions } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { summarise } from "../../../packages/tron/src/abi/artifacts/artifact.ts";
import { ArtifactIndex, type WorkspaceContract } from "../../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { readArtifact } from "../../../packages/tron/src/abi/artifacts/read-artifact.ts";
import type { Sun } from "../../../packages/tron/src/primitives/amount.ts";
import { parseAmount } from "../../../packages/tron/src/primitives/parse-amount.ts";
import {
  type HintHover,
  type HintLabels,
  hintHover,
  hintLine,
  type KnownHint,
} from "../../../src/features/energy-hints/hint.view.ts";
import { workspaceContext } from "../../../src/features/energy-hints/workspace-context.ts";
import { ChainBench, type Person } from "../chain/chain-bench.ts";

const samples = join(import.meta.dirname, "..", "..", "..", "samples");
const NAMES = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"];

/** The sample workspace on a chain of its own, with both contracts deployed. */
export interface SampleContext {
  readonly bench: ChainBench;
  readonly people: ReadonlyMap<string, Person>;
  readonly index: ArtifactIndex;
  context(answers?: Readonly<Record<string, string>>): BindingContext;
  /** Lets the owner of a deployed contract pay what its callers do not. */
  shareEnergy(contract: string, callerPercent: number): Promise<void>;
  /** The calls of every file, by the path of the file. */
  readonly calls: readonly { readonly path: string; readonly callSite: CallSite }[];
}

/** @param options - what is not usual with the chain, such as its parameters */
export async function openSamples(options: LocalChainOptions = {}): Promise<SampleContext> {
  const bench = await ChainBench.start({ seed: "samples", startTime: Date.now(), ...options });
  const { people: clients } = (await import(join(samples, "scripts", "local-chain.mjs"))) as {
    people(baseUrl: string): Promise<Record<string, { readonly address: string; readonly tronWeb: TronWeb }>>;
  };
  const { deploy } = (await import(join(samples, "scripts", "deploy.mjs"))) as {
    deploy(baseUrl: string): Promise<{ readonly contracts: Record<string, { readonly address: string }> }>;
  };
  const index = new ArtifactIndex();
  const deployed = await deploy(bench.chain.baseUrl);
  const bytecodes = readSamples(index, JSON.stringify(deployed));
  const people: ReadonlyMap<string, Person> = new Map(NAMES.map((name, at) => [name, bench.person(at)]));
  const network = { name: "Local chain", baseUrl: bench.chain.baseUrl, local: true } as Parameters<
    typeof workspaceContext
  >[0]["network"];
  const accounts = [...people].map(([label, { address }]) => ({ label, address, watchOnly: false }));
  return {
    bench,
    people,
    index,
    context: (answers = {}) =>
      workspaceContext({
        index,
        network,
        bytecodes,
        answer: (key) => answers[key],
        networks: {
          find: () => undefined,
          list: () => [network],
          active: network,
          isLocalStopped: false,
          get: () => network,
          onDidChange: NEVER,
        },
        chains: { known: () => undefined },
        keys: { listOn: () => accounts },
        transactions: { list: () => [] },
      }),
    calls: callsOfFiles(),
    shareEnergy: async (contract, callerPercent) => {
      const { Alice } = await clients(bench.chain.baseUrl);
      const address = deployed.contracts[contract]?.address;
      if (Alice === undefined || address === undefined) throw new RangeError(`${contract} has no owner.`);
      const { tronWeb } = Alice;
      const unsigned = await tronWeb.transactionBuilder.updateSetting(address, callerPercent, Alice.address);
      await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned));
      await bench.mine();
    },
  };
}

const NEVER = () => ({ dispose: () => undefined });

function readSamples(index: ArtifactIndex, deployments: string): ReadonlyMap<WorkspaceContract, string> {
  const bytecodes = new Map<WorkspaceContract, string>();
  const take = (path: string, text: string): void => {
    const reading = readArtifact(text, path);
    if (reading.kind !== "artifact") throw new Error(`${path} cannot be read.`);
    index.put(summarise(path, reading.contents, new Map()));
    for (const { name, bytecode = "" } of reading.contents.contracts)
      for (const contract of index.contractsNamed(name)) bytecodes.set(contract, bytecode);
  };
  for (const path of globSync("build/contracts/*.json", { cwd: samples })) take(path, readSample(path));
  take("deployments/local.json", deployments);
  return bytecodes;
}

function callsOfFiles(): SampleContext["calls"] {
  const read = (glob: string, calls: (text: string) => readonly CallSite[]) =>
    globSync(glob, { cwd: samples })
      .sort()
      .flatMap((path) => calls(readSample(path)).map((callSite) => ({ path, callSite })));
  return [
    ...read("scripts/visit.mjs", callSitesInScript),
    ...read("contracts/*.sol", callSitesInSolidity),
    ...read("calls/*.jsonc", callSitesInCallFile),
  ];
}

function readSample(path: string): string {
  return readFileSync(join(samples, path), "utf8");
}

/** Text on the line of a call, and the limit that the call is sent with. */
export interface ShownCall {
  readonly bound: BoundCall;
  readonly text: string;
  /** Read back from the text; `undefined` where it shows no figure. */
  readonly figures: { readonly energy: bigint; readonly fee: Sun } | undefined;
  /** The written one, or the one that the quick fix sets where that is too small or none is written. */
  readonly feeLimit: Sun;
}

/** The lens of a call, asked for and drawn like in an editor, with every figure read from its words. */
export async function shownCall(
  callSite: CallSite,
  { context, source, words }: { context: BindingContext; source: EstimateSource; words: HintLabels },
): Promise<ShownCall> {
  const bound = bindCall(callSite, context);
  if (bound.kind !== "bound")
    throw new Error(`${callSite.label ?? callSite.method} is not bound: ${JSON.stringify(bound)}`);
  const cache = new EstimateCache({ sourceFor: async () => source, now: () => 0, onChange: () => undefined });
  await cache.estimate({ network: "N", intent: bound.intent });
  const known = knownHint(cache, bound, words);
  const { estimate } = known;
  const hasRoom = bound.limit.isReal && estimate.kind === "estimated" && estimate.cost.shortages.length === 0;
  const feeLimit =
    estimate.kind !== "estimated" || hasRoom ? bound.limit.feeLimit : suggestedFeeLimit(estimate, words.marginPercent);
  const fixed = { ...bound, limit: { ...bound.limit, feeLimit }, intent: { ...bound.intent, feeLimit } };
  const hint = hasRoom || !bound.limit.isReal ? known : knownHint(cache, fixed, words);
  const { text } = hintLine(hint, words);
  return { bound, text, figures: figuresIn(text, hintHover(hint, words)), feeLimit };
}

function knownHint(cache: EstimateCache, bound: BoundCall, { marginPercent }: HintLabels): KnownHint {
  const entry = cachedEstimateOf(cache, "N", bound, marginPercent);
  if (entry?.kind !== "known") throw new Error("The book has no answer.");
  return { kind: "known", bound, estimate: entry.estimate, ageInBlocks: 0, isOld: false, change: undefined };
}

/**
 * Energy and coins of a lens such as `28,057 energy · 5.89197 coins`; where it shows no coins, they are those of its
 * hover.
 */
function figuresIn(text: string, hover: HintHover | undefined): ShownCall["figures"] {
  const [, shown] = /^[\d,]+ energy · (nothing to burn|[\d,.]+(?: coins?)?)/.exec(text) ?? [];
  const [taken] = /^[\d,]+(?= energy)/.exec(text) ?? [];
  if (taken === undefined) return undefined;
  const reported = shown ?? hover?.rows.find(({ name }) => name === "Costs")?.value ?? "";
  const coins = reported === "nothing to burn" ? "0" : reported.replace(/ coins?$/, "");
  return { energy: BigInt(taken.replaceAll(",", "")), fee: parseAmount(`${coins} coins`) };
}
