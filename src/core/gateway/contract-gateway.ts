import type { Address } from "../primitives/address.ts";
import type { Sun } from "../primitives/amount.ts";
import type { Hex } from "../primitives/bytes.ts";
import type { JsonObject } from "../primitives/json.ts";

/** Code that a node may run without a transaction: a call of a contract, or, without one, a deployment of `data`. */
export interface ContractRun {
  readonly owner: Address;
  readonly contract?: Address;
  readonly data: Hex;
  /** Sun. */
  readonly callValue: Sun;
  readonly tokenId?: bigint;
  readonly tokenValue?: bigint;
}

/** How a simulated run ended. A run that the machine stopped for another reason than a revert is a `NODE_REFUSED`. */
export interface SimulatedRun {
  readonly reverted: boolean;
  /** Energy up to its end, `energyPenalty` included. */
  readonly energyUsed: bigint;
  readonly energyPenalty: bigint;
  /** What the call gives back, the code of a deployment, or the revert data. */
  readonly returned: Hex;
}

/** A contract as the chain knows it. */
export interface DeployedContract {
  readonly address: Address;
  /** Who deployed it, and shares the energy. */
  readonly owner: Address;
  readonly name: string;
  /** The caller's part of the energy, 0 to 100: `consume_user_resource_percent`. */
  readonly callerPercent: bigint;
  /** Energy that the owner pays at most for one call: `origin_energy_limit`. */
  readonly ownerEnergyLimit: bigint;
  /** The code that created it, the arguments of its constructor included; nothing for what another contract created. */
  readonly created: Hex;
  /** The entries of its ABI, spelled as compilers spell them; none after its owner cleared it. */
  readonly abi: readonly JsonObject[];
}

/** What a chain can be asked about contracts. Methods reject as those of `Gateway` do. */
export interface ContractGateway {
  /** Runs code against the newest state and keeps nothing of it. */
  constantCall(run: ContractRun, signal?: AbortSignal): Promise<SimulatedRun>;
  /** Energy that surely suffices: exact only to about one coin's worth, and not offered by every node. */
  estimateEnergy(run: ContractRun, signal?: AbortSignal): Promise<bigint>;
  deployedContract(address: Address, signal?: AbortSignal): Promise<DeployedContract | undefined>;
  /** Whether solidified data have this address: a contract that is younger may still be taken back. */
  isSolid(address: Address, signal?: AbortSignal): Promise<boolean>;
}
