import type { Command, Options } from "./command.ts";

const abiOption: Options = {
  abi: {
    value: "FILE",
    multiple: true,
    help: "artifact or ABI with names of errors, functions and events; repeatable",
  },
};

const configOption: Options = {
  config: { value: "FILE", help: "configuration (default: finality.config.json, if it exists)" },
};

const networkOptions: Options = {
  network: { value: "NAME|URL", help: "network of the configuration, or URL of a gateway (FINALITY_NETWORK)" },
  local: { help: "the chain that finality chain started on this computer" },
  ...configOption,
  "allow-http": { help: "permit http without encryption to a node in the private network" },
  "api-key-fd": { value: "N", help: "file descriptor to read the API key from (or FINALITY_API_KEY)" },
  "jwt-key-fd": { value: "N", help: "file descriptor to read the JWT key from, as PEM (or FINALITY_JWT_KEY)" },
};

const trackingOptions: Options = {
  ...networkOptions,
  journal: { value: "FOLDER", help: "folder of the journal (FINALITY_JOURNAL)" },
};

const storeOptions: Options = {
  store: {
    value: "URL",
    help: "PostgreSQL with the runs: postgres://user@host/database?sslmode=verify-full (FINALITY_STORE)",
  },
  "store-password-fd": { value: "N", help: "file descriptor to read its password from (or PGPASSWORD, PGPASSFILE)" },
};

const timeoutOption: Options = {
  timeout: { value: "SECONDS", help: "stop after this time; 0 for no limit (default 600)" },
};

const artifactsOption: Options = {
  artifacts: {
    value: "FOLDER",
    multiple: true,
    help: "folder with artifacts (default: those of the common tools); repeatable",
  },
};

const callOptions: Options = { ...networkOptions, ...artifactsOption };

const callerOption: Options = {
  caller: { value: "ADDRESS", help: "caller of calls that name none: an address or a name of the configuration" },
};

const simulationOptions: Options = {
  embedded: { help: "a new embedded chain in this process, also if a network is named" },
  ...callerOption,
};

const EMBEDDED = `
Without a network, calls run on a new embedded chain in this process, after the setup of their file. It needs no network,
and its accounts are Alice, Bob, Carol, … with 10,000 coins each.`;

const keyOptions: Options = {
  "key-env": { value: "NAME", help: "environment variable with the private key" },
  keystore: { value: "FILE", help: "keystore file; the terminal prompts for its password" },
  "password-fd": { value: "N", help: "file descriptor to read the password of the keystore from" },
  signer: {
    value: "PROGRAM",
    help: "program that signs: JSON on standard input, signature in hex on standard output",
  },
};

const signatureOptions: Options = {
  ...keyOptions,
  address: {
    value: "ADDRESS",
    help: "sign: account of --signer; verify: account or contract that has to have signed",
  },
  signature: { value: "HEX", help: "signature to verify" },
};

const CREDENTIALS = `
Credentials are never arguments and never in the configuration. A key goes to the origin of --network URL only. For a
network of the configuration, FINALITY_KEY_ORIGINS names the origins that it belongs to.`;

const STATES = `
States: signed, pending, included, solidified, unknown, provenAbsent, rejected, replaced. Exit code 0: solidified and
executed. 1: failed, rejected, replaced or proven absent. 6: not final, so send nothing new.`;

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
    name: "estimate",
    summary: "estimate energy and cost of the calls of call files and Solidity sources",
    usage: "FILE|FOLDER...",
    arguments: [1, 1_000],
    options: {
      ...callOptions,
      ...simulationOptions,
      snapshot: { help: "write the energy of all calls to finality.energy.json" },
      against: { value: "REVISION", help: "compare with an estimate of this git revision, such as main" },
      build: { value: "COMMAND", help: "shell command that writes the artifacts of --against, run in its folder" },
      tolerance: { value: "PERCENT", help: "accept this increase (default 0)" },
      markdown: { help: "print a Markdown table, for a pull request" },
    },
    details: `
Sends no transaction. A folder stands for its call files. Figures are compared with finality.energy.json of this folder,
or with a new estimate of --against, whose files are read in a temporary worktree. Exit code 5 if a call needs more energy
than there by more than --tolerance, 1 if a call would fail or cannot be read, 3 if the network did not estimate one.
${EMBEDDED}
${CREDENTIALS}

  finality estimate calls --against main --build "npm ci && npx hardhat compile" --tolerance 2 --markdown`,
    load: async () => (await import("./lazy-network.ts")).runEstimate,
  },
  {
    name: "test",
    summary: "test the calls of call files that have an expectation",
    usage: "FILE|FOLDER...",
    arguments: [1, 1_000],
    options: {
      ...callOptions,
      ...simulationOptions,
      junit: { value: "FILE", help: "write the results as JUnit XML" },
      annotations: { value: "github", help: "print workflow commands of GitHub that mark each difference in its file" },
    },
    details: `
A call with "expect" in a call file is a test: its result, its revert with arguments, its events and its energy are
compared. Calls are constant calls, which store nothing. Exit code 1 if a test failed or a call cannot be made, 3 if the
network gave no outcome.
${EMBEDDED}
${CREDENTIALS}

  finality test calls --junit results.xml`,
    load: async () => (await import("./lazy-network.ts")).runTest,
  },
  {
    name: "coverage",
    summary: "run tests, and write which lines and branches of the Solidity sources they execute",
    usage: "FILE|FOLDER... | -- COMMAND...",
    arguments: [0, 1_000],
    runsCommand: true,
    options: {
      ...configOption,
      ...artifactsOption,
      ...callerOption,
      lcov: { value: "FILE", help: "file to write in the format of lcov (default coverage/lcov.info)" },
      dependencies: { help: "list the files of installed packages too" },
    },
    details: `
Tests are the calls of call files with "expect", as for finality test, or a command after --, such as the test runner of a
project. A new embedded chain runs them and counts the instructions. A command finds the chain in CHAIN_URL; its
transactions, calls and estimates count, and its output goes to standard error. Lines need artifacts with source maps.
Exit code 1 if a test or the command failed.

  finality coverage calls
  finality coverage -- npx hardhat test --network tre`,
    load: async () => (await import("./lazy-network.ts")).runCoverage,
  },
  {
    name: "send",
    summary: "send coins, tokens, a call or a deployment: verify, review, journal, broadcast",
    usage: "[CALLFILE]",
    arguments: [0, 1],
    options: {
      call: { value: "NUMBER|LABEL", help: "call of CALLFILE, if it has several" },
      to: { value: "ADDRESS", help: "recipient of a payment: an address or a name of the configuration" },
      amount: { value: "NUMBER", help: "amount of the payment in coins, or in units of --token, such as 1.5" },
      token: { value: "ADDRESS|ID", help: "TRC-20 contract, or number of a TRC-10 token (default: the coins)" },
      memo: { value: "TEXT", help: "public memo of a payment of coins, which costs a fee" },
      contract: { value: "NAME|ADDRESS", help: "contract to call, or artifact to deploy" },
      function: { value: "NAME", help: "function to call; constructor deploys the contract" },
      arguments: { value: "JSON", help: 'arguments as a list, such as \'["T…", "5"]\' (default [])' },
      "call-value": { value: "SUN", help: "coins to send with the call, in sun (default 0)" },
      "fee-limit": { value: "SUN", help: "fee limit of the call, in sun (default: the estimate and 20 percent)" },
      ...callOptions,
      ...keyOptions,
      address: { value: "ADDRESS", help: "account of --signer" },
      expiry: { value: "SECONDS", help: "time until the transaction expires (default 60)" },
      journal: { value: "FOLDER", help: "folder of the journal (FINALITY_JOURNAL)" },
      yes: { help: "do not ask; only on networks in testNetworks, and on the embedded chain" },
      wait: { help: "wait until the outcome is final" },
      ...timeoutOption,
    },
    details: `
The signed bytes are in the journal before they are sent. While an equal transaction of the journal may still be
executed, nothing is signed: the same command twice does not pay twice. --yes is refused if the review has a warning, such
as a recipient whose address looks like a known one. Exit code 0: accepted, or with --wait solidified and executed. 4:
refused, nothing was sent. 6: not known whether it was or will be executed, so send nothing new.
${CREDENTIALS}

  finality send --to T… --amount 1.5 --network nile --keystore deployer.json --wait
  finality send --to T… --amount 20 --token T… --network nile --key-env DEPLOYER
  finality send pay.finality.jsonc --call "Pay Bob" --network nile --keystore deployer.json
  finality send --contract Leaf --function constructor --arguments '["1000"]' --local --key-env KEY`,
    load: async () => (await import("./lazy-network.ts")).runSend,
  },
  {
    name: "resend",
    summary: "send the same signed bytes of the journal again, which cannot pay twice",
    usage: "TXID",
    arguments: [1, 1],
    options: {
      ...trackingOptions,
      yes: { help: "do not ask; only on networks in testNetworks, and on the embedded chain" },
    },
    details: `
For a transaction of unknown outcome, and for one that was refused for a reason that is gone. Refused if the bytes expired
or were replaced, or if an equal transaction may be executed. Exit codes as for send.
${CREDENTIALS}`,
    load: async () => (await import("./lazy-network.ts")).runResend,
  },
  {
    name: "message",
    summary: "sign a message after its review, or verify a signature (TIP-191)",
    usage: "sign|verify [FILE]",
    arguments: [1, 2],
    options: {
      text: { value: "TEXT", help: "the message itself" },
      hex: { value: "HEX", help: "the bytes of the message" },
      ...signatureOptions,
      ...networkOptions,
      yes: { help: "refused: a message is valid on every chain" },
    },
    details: `
The message is FILE, standard input, --text or --hex, byte for byte. Sign needs no network: the review is confirmed on the
terminal. Verify prints the signer; with --address, its key has to have signed, or its contract on the network has to accept
the signature (TRC-1271). Exit code 0: signed, or valid. 1: not valid. 4: not confirmed, nothing was signed.
${CREDENTIALS}

  finality message sign --text "Sign in to example.org" --keystore me.json
  finality message verify --text "Sign in to example.org" --signature 0x… --address T… --network nile`,
    load: async () => (await import("./lazy-network.ts")).runMessage,
  },
  {
    name: "typed-data",
    summary: "sign typed data after its review, or verify a signature (TIP-712)",
    usage: "sign|verify [FILE]",
    arguments: [1, 2],
    options: {
      ...signatureOptions,
      ...trackingOptions,
      "chain-id": { value: "ID", help: "sign data of this chain, although the network is another chain" },
      yes: { help: "do not ask; only on networks in testNetworks, on the embedded chain, and without a warning" },
    },
    details: `
Reads FILE, or standard input: JSON with types, primaryType, domain and message. The review says who may take what until
when, and names unlimited amounts, expired deadlines, look-alike addresses and other dangers. Data of another chain are
refused without --chain-id, and --yes is refused if the review has a warning. Verify and exit codes as for message.
${CREDENTIALS}

  finality typed-data sign permit.json --network nile --keystore me.json
  finality typed-data verify permit.json --signature 0x… --address T… --network nile`,
    load: async () => (await import("./lazy-network.ts")).runTypedData,
  },
  {
    name: "run",
    summary: "execute each row of a table of payments or of a call file exactly once",
    usage: "[FILE]",
    arguments: [0, 1],
    options: {
      resume: { value: "ID", help: "go on with a run, without its file" },
      "retry-failed": { value: "ID", help: "go on, and try failed rows again where the retry policy permits it" },
      concurrency: { value: "NUMBER", help: "rows that are sent at the same time, 1 to 256 (default 8)" },
      expiry: { value: "SECONDS", help: "time until a transaction expires (default 60)" },
      "key-env": { value: "NAME", help: "environment variable with the private key" },
      keystore: { value: "FILE", help: "keystore file; the terminal prompts for its password" },
      "password-fd": { value: "N", help: "file descriptor to read the password of the keystore from" },
      ...callOptions,
      journal: { value: "FOLDER", help: "folder of the journal (FINALITY_JOURNAL)" },
      ...storeOptions,
      detach: { help: "store the run for the workers of --store, and end" },
      "pay-again": { help: "pay rows too that equal rows of an earlier run; --yes does not imply it" },
      yes: { help: "do not ask; only on networks in testNetworks, and on the embedded chain" },
    },
    details: `
FILE is a table in CSV with the columns recipient and amount, and optionally token, memo, label and key; or a call file.
Every row is checked and the whole run is reviewed before anything is signed. Rows without a key that equal rows of an
earlier run are refused unless --pay-again is given, so a corrected file is not paid a second time. A row is executed once, also if the command
is interrupted, killed or started again with the same file: its key belongs to it without expiry. Ctrl-C ends the command
after the answers of what was sent. Exit code 0: every row was executed. 1: some rows failed. 4: refused, nothing was
signed. 6: stopped or interrupted; go on with --resume. With --store the run is in PostgreSQL, and finality worker on any
computer executes rows of it too.
${CREDENTIALS}

  finality run payroll.csv --network nile --keystore payer.json
  finality run --resume 5c3f09a1b2d4 --network nile --keystore payer.json`,
    load: async () => (await import("./lazy-network.ts")).runRun,
  },
  {
    name: "runs",
    summary: "list the runs of the journal or of a store; pause, resume, stop or export one",
    usage: "[pause|resume|stop|export ID]",
    arguments: [0, 2],
    options: {
      journal: { value: "FOLDER", help: "folder of the journal (FINALITY_JOURNAL)" },
      ...storeOptions,
      format: { value: "csv|json", help: "format of export (default csv)" },
      out: { value: "FILE", help: "write the export to a new file" },
      ...configOption,
    },
    details: `
Sends no request. Pause and stop reach a running command within a second: a paused one waits, a stopped one ends after the
rows that it has sent. To go on after stop, use finality run --resume. Export prints a line for each attempt of each row:
key, payment, txID, solidified block and result, or the proof that no block has it. finality recheck checks such a file.

  finality runs
  finality runs pause 5c3f09a1b2d4
  finality runs export 5c3f09a1b2d4 --out payroll-paid.csv`,
    load: async () => (await import("./lazy-network.ts")).runRuns,
  },
  {
    name: "chain",
    summary: "start the embedded chain for tests and development",
    usage: "[flags]",
    arguments: [0, 0],
    options: {},
    passesOn: true,
    details: `
Listens on port 9090 unless --port or --tre is given; --local of the other commands connects to it. Ctrl-C ends it.
finality chain --flags prints all flags, such as --block-time, --accounts, --seed, --data and --tre.

  finality chain --block-time instant --accounts 3`,
    load: async () => (await import("./commands/chain.ts")).runChain,
  },
  {
    name: "networks",
    summary: "list the networks of the configuration",
    usage: "",
    arguments: [0, 0],
    options: configOption,
    details: `
finality.config.json has "networks" (entries as in the setting finality.networks of the editor), "network" (the default),
"testNetworks" (names of networks whose coins are worth nothing), "addresses" (addresses by name) and "journal" (a folder).

  { "networks": [{ "name": "nile", "baseUrl": "https://…" }], "network": "nile", "testNetworks": ["nile"],
    "addresses": { "Bob": "T…" }, "journal": "./.finality" }`,
    load: async () => (await import("./lazy-network.ts")).runNetworks,
  },
  {
    name: "doctor",
    summary: "test the connection to a network: route, encryption, keys, chain and endpoints",
    usage: "",
    arguments: [0, 0],
    options: networkOptions,
    details: `
Sends requests that change nothing. The first failure names the cause. Exit code 1 if a check failed.
${CREDENTIALS}

  finality doctor --network https://api.example.org`,
    load: async () => (await import("./lazy-network.ts")).runDoctor,
  },
  {
    name: "track",
    summary: "query the state of a transaction once",
    usage: "TXID",
    arguments: [1, 1],
    options: trackingOptions,
    details: `
Uses the journal if it has the transaction, also the journal of the editor.
${STATES}
${CREDENTIALS}`,
    load: async () => (await import("./lazy-network.ts")).runTrack,
  },
  {
    name: "trace",
    summary: "trace a transaction of the local chain, or a call of a file: calls, energy, storage, source lines",
    usage: "TXID|CALLFILE",
    arguments: [1, 1],
    options: {
      ...callOptions,
      ...simulationOptions,
      call: { value: "NUMBER|LABEL", help: "call of CALLFILE, if it has several" },
    },
    details: `
The chain runs the code again. A transaction needs --local, the chain that finality chain started. With --json, each line
of the tree is a line. Source lines need artifacts with source maps. Exit code 0 also for a run that failed.
${EMBEDDED}

  finality trace 5c3f… --local
  finality trace pay.finality.jsonc --call "Pay Bob"`,
    load: async () => (await import("./lazy-network.ts")).runTrace,
  },
  {
    name: "wait",
    summary: "wait until a transaction is solidified, or it is proven that it never will be",
    usage: "TXID",
    arguments: [1, 1],
    options: { ...trackingOptions, ...timeoutOption },
    details: `
One request for each solidified block. With --json, each change of the state is a line.
${STATES}
${CREDENTIALS}

  finality wait 5c3f… --network nile --timeout 120`,
    load: async () => (await import("./lazy-network.ts")).runWait,
  },
  {
    name: "events",
    summary: "print the events of a contract in solidified blocks, each once",
    usage: "CONTRACT",
    arguments: [1, 1],
    options: {
      name: {
        value: "NAME",
        help: "only this event: its name, or its signature, such as Transfer(address,address,uint256)",
      },
      argument: { value: "NAME=VALUE", multiple: true, help: "only with this value, such as to=T…; repeatable" },
      from: { value: "BLOCK", help: "first block to read (default: the newest solidified block)" },
      follow: { help: "continue with new blocks until --timeout" },
      state: { value: "FILE", help: "store the position in FILE, and continue from it" },
      ...abiOption,
      ...networkOptions,
      ...timeoutOption,
    },
    details: `
Reads solidified blocks in order and skips none: at most two requests for each block, and one for each 100 blocks without
calls of contracts. Names come from --abi, the ABI on the chain, and a dictionary; an unknown event has its topics and data.
With --state, the same command continues after the last block that was stored; an event is printed before its block is
stored, so after a crash up to 25 blocks are printed again, with the same ids. An event of a block that the network took
back is printed again with "removed".
${CREDENTIALS}

  finality events T… --name Transfer --argument to=T… --network nile --follow --timeout 0 --state transfers.jsonl`,
    load: async () => (await import("./lazy-network.ts")).runEvents,
  },
  {
    name: "proof",
    summary: "prove that an expired transaction of the journal is in no block",
    usage: "TXID",
    arguments: [1, 1],
    options: { ...trackingOptions, ...timeoutOption, out: { value: "FILE", help: "write the proof to a new file" } },
    details: `
Reads every solidified block that could contain the transaction, after its expiration. finality recheck checks the
result.
${CREDENTIALS}`,
    load: async () => (await import("./lazy-network.ts")).runProof,
  },
  {
    name: "recheck",
    summary: "check a proof of absence, or an exported run, with the blocks of a network",
    usage: "[FILE]",
    arguments: [0, 1],
    options: networkOptions,
    details: `
Reads FILE, or standard input. Without --network and --local no request is sent. Exit code 1 if the proof is refused. Of
an exported run, each transaction has to be in its block, with the recipient, amount and result of its row; each wrong cell
is named by row and column. Exit code 6 if rows of it are not final.
${CREDENTIALS}`,
    load: async () => (await import("./lazy-network.ts")).runRecheck,
  },
  {
    name: "worker",
    summary: "execute the runs of a PostgreSQL store, together with other workers",
    usage: "",
    arguments: [0, 0],
    options: {
      ...networkOptions,
      ...storeOptions,
      "key-env": { value: "NAME", help: "environment variable with the private key" },
      keystore: { value: "FILE", help: "keystore file (Web3 Secret Storage)" },
      "password-fd": { value: "N", help: "file descriptor to read the password of the keystore from" },
      concurrency: { value: "N", help: "rows of a run that are in flight here (default 16)" },
      lease: { value: "SECONDS", help: "others take over the rows of a lost worker after this time (default 30)" },
      "exit-when-finished": { help: "end when no run has work and every transaction is final" },
      metrics: { value: "PORT", help: "serve /metrics (OpenMetrics) and /healthz; 0 takes a free port" },
      "metrics-host": { value: "ADDRESS", help: "address of --metrics (default 127.0.0.1)" },
      webhook: { value: "URL", help: "report rows that are final or need a person; FINALITY_WEBHOOK_SECRET signs" },
    },
    details: `
Works on all runs of the network and of the account whose key it has; finality run --store creates them. Start as many
workers as you like. One of them tracks the network. SIGTERM ends it after the answers that it waits for. Each line of its
output is a log line.
${CREDENTIALS}

  PGPASSFILE=~/.pgpass finality worker --store postgres://pay@db.example.org/runs?sslmode=verify-full --network nile \\
    --keystore payroll.json --password-fd 3 --metrics 9464`,
    load: async () => (await import("./lazy-network.ts")).runWorker,
  },
  {
    name: "mcp",
    summary: "serve tools for agents on standard input and output: read, explain, estimate, propose",
    usage: "",
    arguments: [0, 0],
    options: { ...trackingOptions, ...abiOption },
    details: `
An MCP server. Its tools read the networks of the configuration and of --network, control the embedded chain, and propose
transactions. They never sign or send: proposals wait in the folder of the journal until you review them in the editor.

  finality mcp --network nile --journal FOLDER
${CREDENTIALS}`,
    load: async () => (await import("./lazy-network.ts")).runMcp,
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
  {
    name: "completion",
    summary: "print the completion script of a shell",
    usage: "bash|zsh|fish",
    arguments: [1, 1],
    options: {},
    details: `
  source <(finality completion bash)
  finality completion fish > ~/.config/fish/completions/finality.fish`,
    load: async () => (await import("./commands/completion.ts")).runCompletion,
  },
];
