import { isJsonObject, type Json, printJson } from "../../core/primitives/json.ts";

/** How the one node of this chain is set up, next to the rules of the chain itself. */
export interface NodeSettings {
  /** Whether code is run without a transaction (`vm.supportConstant`). */
  readonly constantCalls: boolean;
  /** Whether `estimateenergy` is answered (`vm.estimateEnergy`). */
  readonly estimateEnergy: boolean;
  /** Whether txIDs are remembered before anything is checked (`node.rpc.trxCacheEnable`). */
  readonly transactionCache: boolean;
  /**
   * Whether somebody is there to pass broadcasts on to; a node without takes none (`node.rpc.minEffectiveConnection`).
   */
  readonly peers: boolean;
  /** With more than this in the pool broadcasts are refused (`node.maxTransactionPendingSize`). */
  readonly maxPending: number;
  /**
   * With this many blocks above the solidified one broadcasts are refused; 0 for never (`node.maxUnsolidifiedBlocks`).
   */
  readonly maxUnsolidified: number;
}

export const defaultSettings: NodeSettings = {
  constantCalls: true,
  estimateEnergy: true,
  transactionCache: false,
  peers: true,
  maxPending: 2000,
  maxUnsolidified: 0,
};

const MOST = 1_000_000;

/**
 * These settings with some of them replaced.
 *
 * @throws {TypeError} there is no such setting, or a value does not fit
 */
export function changedSettings(settings: NodeSettings, changes: Json): NodeSettings {
  if (!isJsonObject(changes)) throw new TypeError("Settings of the node have to be a JSON object.");
  for (const [name, value] of Object.entries(changes)) checkSetting(name, value);
  return { ...settings, ...changes };
}

function checkSetting(name: string, value: Json | undefined): void {
  const [, usual] = Object.entries(defaultSettings).find(([it]) => it === name) ?? [];
  if (usual === undefined) {
    throw new TypeError(`The node has no setting "${name}". It has: ${Object.keys(defaultSettings).join(", ")}.`);
  }
  const integer = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST;
  const fits = typeof usual === "boolean" ? typeof value === "boolean" : integer;
  const wanted = typeof usual === "boolean" ? "true or false" : `an integer from 0 to ${MOST}`;
  if (!fits) throw new TypeError(`${name} has to be ${wanted}, not ${printJson(value ?? null)}.`);
}
