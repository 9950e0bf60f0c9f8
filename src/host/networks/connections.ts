import { networkInterfaces } from "node:os";

/**
 * The addresses that this computer has in networks, as a text: another one when a cable, a radio or a tunnel comes or
 * goes. Nothing is asked of any network.
 */
export function connectionsNow(): string {
  const addresses = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all.filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
  );
  return addresses.sort().join("\n");
}
