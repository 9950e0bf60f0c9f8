/** The embedded chain as the model loads it. */
export { handleRequest as answer } from "../../../packages/local-chain/src/request-handler.ts";
export { createSimulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
