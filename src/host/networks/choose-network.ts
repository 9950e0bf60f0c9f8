import type { NetworkProfile } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { quickPick } from "../prompts/quick-input.ts";
import type { Networks } from "./networks.ts";

export interface NetworkChoice {
  readonly title: string;
  /** Networks that can be chosen; all of them when absent. */
  readonly fits?: (network: NetworkProfile) => boolean;
}

/**
 * The network of this name; without one, the person chooses, unless there is only one.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `NETWORK_UNKNOWN`, `NETWORK_NOT_ADDED` when there is none to choose
 */
export async function chooseNetwork(
  networks: Networks,
  name: string | undefined,
  { title, fits = () => true }: NetworkChoice,
): Promise<NetworkProfile | undefined> {
  if (name !== undefined) return networks.get(name);
  const fitting = networks.list().filter(fits);
  if (fitting.length === 0) throw new ChainError("NETWORK_NOT_ADDED", {});
  if (fitting.length === 1) return fitting[0];
  const active = networks.active?.name;
  const items = fitting
    .map((network) => ({
      label: `$(${network.local ? "beaker" : "broadcast"}) ${network.name}`,
      description: network.name === active ? t`active` : "",
      detail: network.baseUrl,
      network,
    }))
    .sort((left, right) => Number(right.network.name === active) - Number(left.network.name === active));
  const picked = await quickPick(items, { title, placeHolder: t`Which network?` });
  return picked?.network;
}
