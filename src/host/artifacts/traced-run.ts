import { coinSymbolOf, type DeployedContract, type HttpGateway, type NetworkProfile } from "@finality/client/gateway";
import {
  CompiledContracts,
  compiledContracts,
  storageVariables,
  type TraceNames,
  TraceSources,
} from "@finality/client/traces";
import { type JsonAbiEntry, joinAbiIndexes } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import type { Address } from "@finality/tron/primitives";
import type { Trace } from "@finality/tron/traces";
import type { Artifacts, NamesOnDemand } from "./artifacts.ts";
import { findSource, mappedFiles, readSmall } from "./source-files.ts";

/** Contracts whose name and ABI are read from the chain. */
const MOST_CONTRACTS = 20;

/** Services that name the contracts of a run. */
export interface NameServices {
  readonly gateways: { for(network: NetworkProfile): Promise<HttpGateway> };
  readonly artifacts: Artifacts;
  readonly names: NamesOnDemand;
  readonly nameOf: NameOf;
}

/** Names and sources of the contracts of a run. */
export interface RunNames {
  readonly names: TraceNames;
  readonly sources: TraceSources;
  /** Text of each source file of the contracts, by the compiler's name of the file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Names that the chain has for the contracts. */
  readonly deployed: ReadonlyMap<Address, DeployedContract>;
}

/** Reads the names and sources of the contracts of a run. */
export async function readRunNames(services: NameServices, trace: Trace, network: NetworkProfile): Promise<RunNames> {
  const deployed = await readContracts(services, trace, network);
  const { sources, texts } = await readSources(
    trace,
    [...deployed.values()].map(({ name }) => name),
  );
  const names = await namesOf(services, { trace, network, deployed, sources });
  return { names, sources, texts, deployed };
}

/** Reads artifacts until all code of the trace is known, and the source files that they name. */
async function readSources(
  trace: Trace,
  names: readonly string[],
): Promise<{ readonly sources: TraceSources; readonly texts: ReadonlyMap<string, string> }> {
  const contracts = new CompiledContracts();
  const kinds = new Map(
    trace.frames.flatMap(({ code, kind }) =>
      code === undefined ? [] : [[code, kind === "create" || kind === "create2" ? "creation" : "runtime"] as const],
    ),
  );
  const isFound = (code: number): boolean =>
    contracts.find(trace.codes[code]?.bytes ?? "", kinds.get(code) ?? "runtime") !== undefined;
  const missing = new Set(kinds.keys());
  for (const uri of missing.size === 0 ? [] : await mappedFiles(names)) {
    const text = await readSmall(uri);
    if (text === undefined || !contracts.put(uri.toString(), text)) continue;
    for (const code of missing) if (isFound(code)) missing.delete(code);
    if (missing.size === 0) break;
  }
  const texts = new Map<string, string>();
  for (const [code, kind] of kinds) {
    const found = contracts.find(trace.codes[code]?.bytes ?? "", kind);
    for (const { path, text } of found?.compiled.sources.values() ?? []) {
      if (texts.has(path)) continue;
      const uri = text === undefined ? await findSource(path) : undefined;
      const content = text ?? (uri && (await readSmall(uri)));
      if (content !== undefined) texts.set(path, content);
    }
  }
  return { sources: new TraceSources(contracts, (path) => texts.get(path)), texts };
}

interface NamedRun {
  readonly trace: Trace;
  readonly network: NetworkProfile;
  readonly deployed: ReadonlyMap<Address, DeployedContract>;
  readonly sources: TraceSources;
}

async function namesOf(
  { names, nameOf, artifacts }: NameServices,
  { trace, network, deployed, sources }: NamedRun,
): Promise<TraceNames> {
  const selectors = await names();
  await selectors.nearlyReady();
  const workspace = await artifacts.get();
  for (const [address, { abi }] of deployed)
    await selectors.keep(network.name, address, abi as readonly JsonAbiEntry[]);
  const compiled = compiledContracts(trace, sources);
  return {
    nameOf,
    abiOf: (address) => {
      const known = selectors.indexAt({ network: network.name, contract: address });
      const own = compiled.get(address)?.abi;
      return own === undefined ? known : joinAbiIndexes(own, known);
    },
    contractNameOf: (address) => {
      const onChain = deployed.get(address)?.name;
      const recorded = workspace.index.deploymentsAt(address)[0]?.contract;
      return compiled.get(address)?.name ?? recorded ?? (onChain === "" ? undefined : onChain);
    },
    variableOf: storageVariables(trace, sources, nameOf),
    symbol: coinSymbolOf(network.baseUrl),
  };
}

/** Without the ABI on the chain only names are missing, so failures are ignored. */
async function readContracts(
  { gateways }: NameServices,
  { frames }: Trace,
  network: NetworkProfile,
): Promise<ReadonlyMap<Address, DeployedContract>> {
  const addresses = new Set(frames.filter(({ code }) => code !== undefined).map(({ codeAddress }) => codeAddress));
  const gateway = await gateways.for(network);
  const found = await Promise.all(
    [...addresses].slice(0, MOST_CONTRACTS).map(async (address) => {
      try {
        const contract = await gateway.deployedContract(address);
        return contract === undefined ? [] : [[address, contract] as const];
      } catch (error) {
        if (isChainError(error)) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}
