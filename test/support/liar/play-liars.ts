import { playFromCommandLine } from "../model/random-run.ts";
import { bugs } from "./liar-bugs.ts";
import { runLiars } from "./run-liars.ts";

await playFromCommandLine(import.meta.filename, bugs, runLiars);
