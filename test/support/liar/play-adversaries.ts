import { playFromCommandLine } from "../model/random-run.ts";
import { bugs } from "./liar-bugs.ts";
import { runAdversaries } from "./run-adversaries.ts";

await playFromCommandLine(import.meta.filename, bugs, runAdversaries);
