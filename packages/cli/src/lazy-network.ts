/** Commands that use a network or its code. Loaded together, because they share most of it. */
export { runCoverage } from "./commands/coverage.ts";
export { runDoctor } from "./commands/doctor.ts";
export { runEstimate } from "./commands/estimate.ts";
export { runEvents } from "./commands/events.ts";
export { runMcp } from "./commands/mcp.ts";
export { runMessage, runTypedData } from "./commands/message.ts";
export { runNetworks } from "./commands/networks.ts";
export { runProof, runRecheck } from "./commands/proof.ts";
export { runRun } from "./commands/run.ts";
export { runRuns } from "./commands/runs.ts";
export { runResend, runSend } from "./commands/send.ts";
export { runTest } from "./commands/test.ts";
export { runTrace } from "./commands/trace.ts";
export { runTrack, runWait } from "./commands/track.ts";
export { runWorker } from "./commands/worker.ts";
