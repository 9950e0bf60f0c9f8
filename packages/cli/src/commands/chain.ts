import { once } from "node:events";
import { startFromFlags } from "@finality/local-chain";
import { CliError } from "../cli-error.ts";
import type { RunCommand } from "../command.ts";

const DEFAULT_PORT = "9090";

/** Starts the embedded chain and runs until a signal ends it. */
export const runChain: RunCommand = async ({ positionals }, { output }) => {
  const chain = await startFromFlags(flagsOf(positionals)).catch((error: unknown) => {
    const cause = error instanceof Error ? error.message : String(error);
    throw new CliError("USAGE", { cause, next: "Run finality chain --flags." });
  });
  if (typeof chain === "string") return { result: { flags: chain }, text: chain };
  const { baseUrl: url, ready } = chain;
  const { faucet, accounts, proof } = ready;
  const data = { url, faucet: { ...faucet }, accounts: accounts.map((it) => ({ ...it })), proof };
  const lines = accounts.map(({ address, privateKey }) => `  ${address}  ${privateKey}\n`);
  // A program may end the chain as soon as it reads the line.
  const ended = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  output(
    "ready",
    data,
    `Listening on ${url}\n\nAccounts, with private keys that are worth nothing elsewhere:\n${lines.join("")}`,
  );
  await ended;
  await chain.close();
  return { result: { url, ended: true }, text: "" };
};

function flagsOf(args: readonly string[]): readonly string[] {
  if (args.includes("--flags")) return ["--help"];
  const hasPort = args.some((it) => /^--(port|tre)\b/.test(it));
  return hasPort ? args : ["--port", DEFAULT_PORT, ...args];
}
