import type { SolidityCallable, SolidityContract } from "@finality/client/call-sites";
import { shortAddress } from "@finality/tron/format";
import { type Address, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Deployed contract that the lenses of a source call. */
export interface LensTarget {
  readonly network: string;
  readonly address: Address;
}

/** Command above a contract or a function of a Solidity source. */
export interface SolidityLens {
  /** Offset in the source. */
  readonly offset: number;
  readonly title: string;
  readonly tooltip: string;
  readonly command: "finality.deployContract" | "finality.callContract" | "finality.readContract";
  readonly argument: {
    readonly network?: string;
    /** Name, or base58. */
    readonly contract: string;
    readonly function?: string;
  };
}

/**
 * Returns the lenses of a source: *Deploy* for each contract that can be deployed, *Read* or *Call* for each function
 * of one that was.
 *
 * @param targetOf - the newest deployment of a contract on the active network
 */
export function solidityLenses(
  contracts: readonly SolidityContract[],
  targetOf: (name: string) => LensTarget | undefined,
): readonly SolidityLens[] {
  return contracts.filter(({ kind }) => kind === "contract").flatMap((it) => contractLenses(it, targetOf(it.name)));
}

function contractLenses(contract: SolidityContract, target: LensTarget | undefined): readonly SolidityLens[] {
  const { name, range, callables } = contract;
  const deploy: SolidityLens = {
    offset: range.start,
    title: t`Deploy ${name}`,
    tooltip: t`Deploys ${name} from its artifact. The transaction is reviewed first.`,
    command: "finality.deployContract",
    argument: { contract: name },
  };
  if (target === undefined) return [deploy];
  const functions = callables.filter(({ kind }) => kind === "function");
  return [deploy, ...functions.map((fn) => functionLens(fn, functions, target))];
}

function functionLens(
  { name, range, parameters, mutability }: SolidityCallable,
  all: readonly SolidityCallable[],
  { network, address }: LensTarget,
): SolidityLens {
  const isRead = mutability === "pure" || mutability === "view";
  const isOverloaded = all.filter((it) => it.name === name).length > 1;
  const signature = `${name}(${parameters.map(({ type }) => type).join()})`;
  const where = t`${shortAddress(address)} on ${network}`;
  return {
    offset: range.start,
    title: isRead ? t`Read` : t`Call`,
    tooltip: isRead ? t`Reads ${signature} of ${where}` : t`Calls ${signature} of ${where}`,
    command: isRead ? "finality.readContract" : "finality.callContract",
    argument: { network, contract: toBase58(address), function: isOverloaded ? signature : name },
  };
}
