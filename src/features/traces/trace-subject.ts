import { coinSymbolOf, type DeployedContract, type NetworkProfile } from "@finality/client/gateway";
import {
  CompiledContracts,
  compiledContracts,
  failureLines,
  lineSources,
  sourcesOfFrame,
  storageVariables,
  type TraceNames,
  TraceSources,
} from "@finality/client/traces";
import { type JsonAbiEntry, joinAbiIndexes } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import type { Address, TxId } from "@finality/tron/primitives";
import type { Trace } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import { findSource, mappedFiles, readSmall } from "../../host/artifacts/source-files.ts";
import type { TraceServices } from "./services.ts";
import type { TraceSubject } from "./trace-content.view.ts";

/** Contracts whose name and ABI are read from the chain. */
const MOST_CONTRACTS = 20;

/** Traced run before its names are known. */
interface ReadRun {
  readonly trace: Trace;
  readonly txId: TxId | undefined;
  readonly network: NetworkProfile;
  readonly notes?: readonly string[];
}

/** Reads the names and sources of the contracts of a trace. */
export async function readSubject(
  services: TraceServices,
  { trace, txId, network, notes = [] }: ReadRun,
): Promise<TraceSubject> {
  const deployed = await readContracts(services, trace, network);
  const { sources, texts } = await readSources(
    trace,
    [...deployed.values()].map(({ name }) => name),
  );
  const names = await namesOf(services, { trace, network, deployed, sources });
  const sites = failureLines(trace, sources);
  const isNamed = sites[0]?.file !== undefined;
  const shown = {
    ...lineSources(trace, sources),
    sites,
    note: sites.length === 0 || isNamed ? undefined : noteOf(trace, sources),
    textOf: (file: string) => texts.get(file),
  };
  return { trace, txId, network: network.name, names, sources: shown, notes };
}

/** Returns the reason why no line is named. */
function noteOf(trace: Trace, sources: TraceSources): string {
  const isKnown = trace.frames.some((frame) => sourcesOfFrame(trace, frame, sources) !== undefined);
  return isKnown
    ? t`The source map of the compiler does not say in which line it failed.`
    : t`No artifact of the workspace with a source map has this code, so no line is named.`;
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
  { names, nameOf, artifacts }: TraceServices,
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
  { gateways }: TraceServices,
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
