/** The embedded chain as a liar needs it: with the means to make blocks that nobody made. */
export { answer } from "../../../src/local-chain/app.ts";
export { sealBlock } from "../../../src/local-chain/chain/block.ts";
export { packTransaction } from "../../../src/local-chain/routes/broadcast.ts";
export { createSimulation } from "../../../src/local-chain/simulation/simulation.ts";
