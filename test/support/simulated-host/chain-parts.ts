/** The embedded chain as the simulations load it, with functions that forge blocks. */

export { sealBlock } from "../../../packages/local-chain/src/chain/block.ts";
export { handleRequest as answer } from "../../../packages/local-chain/src/request-handler.ts";
export { packTransaction } from "../../../packages/local-chain/src/routes/broadcast.ts";
export { createSimulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
