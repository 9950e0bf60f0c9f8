import { isLibrary, type LibraryPlaceholder, libraryName, type WorkspaceContract } from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { type Address, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import { indexOf } from "./known-contracts.ts";
import type { ContractContext } from "./services.ts";

/** Library with its deployment on one network. */
export interface LinkedLibrary {
  readonly placeholder: string;
  readonly name: string;
  readonly address: Address;
}

/**
 * Returns the libraries of a contract, each with its newest deployment from here on the network.
 *
 * @throws {ChainError} `CONTRACT_UNKNOWN` if one of them is not deployed; its reason names them
 */
export async function deployedLibraries(
  context: ContractContext,
  artifact: WorkspaceContract,
): Promise<readonly LinkedLibrary[]> {
  if (artifact.hasBytecode || artifact.libraries.length === 0) return [];
  const { contracts } = await indexOf(context.services.artifacts);
  const libraries = artifact.libraries.map((it) => ({ placeholder: it, linked: deploymentOf(context, it, contracts) }));
  const missing = libraries.filter(({ linked }) => linked === undefined).map(({ placeholder }) => placeholder);
  if (missing.length === 0) return libraries.flatMap(({ linked }) => linked ?? []);
  const names = missing.map((it) => nameIn(it, contracts));
  const reason = t`it needs libraries that were not deployed from here on ${context.network.name}: ${names.join(t`, `)}. Deploy them first; Finality then links them`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: artifact.name, reason });
}

function deploymentOf(
  { services, network }: ContractContext,
  library: LibraryPlaceholder,
  contracts: readonly WorkspaceContract[],
): LinkedLibrary | undefined {
  const names = new Set(contracts.filter((it) => isLibrary(library, it)).map(({ name }) => name));
  if (names.size === 0 && library.name !== undefined) names.add(library.name);
  const deployment = deploymentsHere(services, network).find(({ name }) => names.has(name));
  return deployment && { placeholder: library.placeholder, name: deployment.name, address: deployment.address };
}

function nameIn(library: LibraryPlaceholder, contracts: readonly WorkspaceContract[]): string {
  const known = contracts.find((it) => isLibrary(library, it));
  const { name, source } = known ?? { name: libraryName(library), source: library.source };
  return visibleLine(source === undefined ? name : `${name} (${source})`);
}
