/** The parts of the product that a simulation of runs executes, as one module, so that all of them have a planted bug. */
export { RunWorker } from "../../../packages/client/src/runs/run-worker.ts";
export { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
