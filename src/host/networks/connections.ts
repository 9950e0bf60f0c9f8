import { networkInterfaces } from "node:os";

/**
 * Returns the network addresses of this computer as a text that changes when an interface comes or goes. Makes no
 * request.
 */
export function connectionsNow(): string {
  const addresses = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all.filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
  );
  return addresses.sort().join("\n");
}
