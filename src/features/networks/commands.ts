/** A part of its own: nobody needs it before the first command. */
export { addNetwork } from "./add-network.ts";
export { editNetwork } from "./edit-network.ts";
export { removeNetwork } from "./remove-network.ts";
export { switchNetwork } from "./switch-network.ts";
export { testConnection } from "./test-connection.ts";
