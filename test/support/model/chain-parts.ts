/** The embedded chain as the model loads it. */
export { answer } from "../../../src/local-chain/app.ts";
export { createSimulation } from "../../../src/local-chain/simulation/simulation.ts";
