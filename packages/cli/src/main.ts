#!/usr/bin/env node
import { runProgram } from "./program.ts";
import { processTerminal } from "./terminal.ts";

// The reader of a pipe may close it early, as `head` does.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 70));

void runProgram(process.argv.slice(2), processTerminal()).then((exitCode) => {
  process.exitCode = exitCode;
});
