/** The embedded chain as a liar needs it: with the means to make blocks that nobody made. */

export { sealBlock } from "../../../packages/local-chain/src/chain/block.ts";
export { handleRequest as answer } from "../../../packages/local-chain/src/request-handler.ts";
export { packTransaction } from "../../../packages/local-chain/src/routes/broadcast.ts";
export { createSimulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
