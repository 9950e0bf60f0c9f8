import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TronWeb } from "tronweb";
import type { BindingContext } from "../../../packages/client/src/call-sites/bind-call.ts";
import type { CallSite } from "../../../packages/client/src/call-sites/call-site.ts";
import {
  callSitesInCallFile,
  callSitesInScript,
  callSitesInSolidity,
} from "../../../packages/client/src/call-sites/find-call-sites.ts";
import type { LocalChainOptions } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { summarise } from "../../../packages/tron/src/abi/artifacts/artifact.ts";
import { ArtifactIndex, type WorkspaceContract } from "../../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { readArtifact } from "../../../packages/tron/src/abi/artifacts/read-artifact.ts";
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
  readonly calls: readonly { readonly path: string; readonly wanted: CallSite }[];
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
          get: () => network,
          onDidChange: NEVER,
        },
        chains: { known: () => undefined },
        keys: { listOn: () => accounts, onDidChange: NEVER },
        transactions: { list: () => [], ready: async () => undefined, onDidChange: NEVER },
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
      .flatMap((path) => calls(readSample(path)).map((wanted) => ({ path, wanted })));
  return [
    ...read("scripts/visit.mjs", callSitesInScript),
    ...read("contracts/*.sol", callSitesInSolidity),
    ...read("calls/*.jsonc", callSitesInCallFile),
  ];
}

function readSample(path: string): string {
  return readFileSync(join(samples, path), "utf8");
}
