#!/usr/bin/env node
import { runProgram } from "./program.ts";
import { processTerminal } from "./terminal.ts";

// The reader of a pipe may close it early, as `head` does.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 70));

const OLDEST_NODE = 22;

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  process.stderr.write(`finality needs Node ${OLDEST_NODE} or newer. This is Node ${process.versions.node}.\n`);
  process.exit(2);
}

// Timers of the clock do not keep the process alive; this one does until the command ends.
const running = setInterval(() => undefined, 2 ** 30);

void runProgram(process.argv.slice(2), processTerminal()).then((exitCode) => {
  process.exitCode = exitCode;
  clearInterval(running);
});
