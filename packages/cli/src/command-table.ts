import type { Command, Options } from "./command.ts";

const abiOption: Options = {
  abi: {
    value: "FILE",
    multiple: true,
    help: "artifact or ABI with names of errors, functions and events; repeatable",
  },
};

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: "explain",
    summary: "explain an error, a log or an answer of a node: cause, fix, and if it can be sent again",
    usage: "[FILE]",
    arguments: [0, 1],
    options: { text: { value: "TEXT", help: "explain this text instead of a file" }, ...abiOption },
    details: `
Reads FILE, or standard input. Sends no request. The exit code is 0 for every text.

  finality explain build.log
  finality explain --text "REVERT opcode executed"
  npx hardhat test 2>&1 | finality explain`,
    load: async () => (await import("./commands/explain.ts")).runExplain,
  },
  {
    name: "decode",
    summary: "decode a transaction, calldata, an event, revert data or an answer of a node",
    usage: "[FILE]",
    arguments: [0, 1],
    options: { text: { value: "TEXT", help: "decode this text instead of a file" }, ...abiOption },
    details: `
Reads FILE, or standard input: JSON or hex. Sends no request. A transaction is decoded from its bytes only, and its
signers are recovered from the signatures.

  finality decode payment.tron.json
  finality decode --text a9059cbb0000… --abi artifacts/Token.json`,
    load: async () => (await import("./commands/decode.ts")).runDecode,
  },
  {
    name: "schema",
    summary: "print the JSON schema of everything that --json prints",
    usage: "",
    arguments: [0, 0],
    options: { errors: { help: "print the error catalogue instead: title, next step, retry rule and exit code" } },
    details: `
  finality schema > finality.schema.json`,
    load: async () => (await import("./commands/schema.ts")).runSchema,
  },
];
