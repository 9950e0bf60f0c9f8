import type { Commands } from "../../host/commands/commands.ts";
import { addNetwork } from "./add-network.ts";
import { editNetwork } from "./edit-network.ts";
import { removeNetwork } from "./remove-network.ts";
import type { NetworkServices } from "./services.ts";
import { switchNetwork } from "./switch-network.ts";
import { testConnection } from "./test-connection.ts";

/** What the commands do. A part of its own: nobody needs it before the first of them. */
export function createNetworks(services: NetworkServices): { readonly commands: Commands<"networks"> } {
  return {
    commands: {
      "finality.addNetwork": (argument) => addNetwork(services, argument),
      "finality.editNetwork": (argument) => editNetwork(services, argument),
      "finality.switchNetwork": ({ network }) => switchNetwork(services.networks, network),
      "finality.removeNetwork": (argument) => removeNetwork(services, argument),
      "finality.testConnection": ({ network }, raw) => testConnection(services, network, raw),
    },
  };
}
