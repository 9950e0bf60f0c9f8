import { bugs } from "./bugs.ts";
import { playFromCommandLine } from "./random-run.ts";
import { runSchedules } from "./run-schedules.ts";

await playFromCommandLine(import.meta.filename, bugs, runSchedules);
