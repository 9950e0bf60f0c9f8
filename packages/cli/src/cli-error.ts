import { type AnyChainError, type ErrorCode, isChainError } from "@finality/tron/errors";
import type { JsonObject } from "@finality/tron/primitives";

/** Exit codes of the program. docs/cli.md lists them. */
export const EXIT = {
  ok: 0,
  /** The command ran, and its answer is negative: a failed call, a failed check, a transaction that failed. */
  negative: 1,
  /** Wrong arguments, files or configuration. */
  usage: 2,
  /** No usable answer from the network. */
  network: 3,
  /** The command was refused. Nothing was signed, or nothing was sent. */
  refused: 4,
  /** A call costs more than its budget. */
  overBudget: 5,
  /** It is not known whether the transaction was or will be executed. */
  unknown: 6,
  /** A defect of the program. */
  internal: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Retry rules for programs; `docs/cli.md` explains them. */
export const RETRIES = {
  "same-command": "Run the same command again, after a pause. Nothing was changed.",
  "after-fix": "Correct the cause first. Nothing was signed or sent.",
  "track-first": "A transaction may still be executed. Track it, and send nothing new before its outcome is known.",
  never: "The same command cannot succeed.",
} as const;

type Retry = keyof typeof RETRIES;

/** Error as printed: one title for each kind of failure, the cause of this one, and the next step. */
export interface ErrorReport {
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly next: string;
  readonly retry: Retry;
  /** Transaction that the error is about. */
  readonly txId?: string;
}

interface ErrorKind {
  readonly title: string;
  readonly next: string;
  readonly retry: Retry;
  readonly exitCode: ExitCode;
}

/** Failures of the command line itself. */
const ownErrors = {
  USAGE: {
    title: "The command line cannot be read",
    next: "Run finality COMMAND --help.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  INPUT_UNREADABLE: {
    title: "The input cannot be read",
    next: "Check the path. Use - for standard input.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  RUN_FILE_REFUSED: {
    title: "The file cannot be executed as a run",
    next: "Correct this, and start the file again. Nothing was signed.",
    retry: "after-fix",
    exitCode: EXIT.refused,
  },
  RUN_PAYS_AGAIN: {
    title: "Rows were in an earlier run",
    next: "Remove these rows. If all are meant to be paid again, add --pay-again. Nothing was signed.",
    retry: "after-fix",
    exitCode: EXIT.refused,
  },
  RUN_MISSING: {
    title: "There is no such run",
    next: "Run finality runs with the same --journal.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  CONFIG_MALFORMED: {
    title: "The configuration cannot be used",
    next: "Correct finality.config.json. finality networks --help describes its fields.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  NETWORK_MISSING: {
    title: "No network is chosen",
    next: "Use --network URL, --network NAME with finality.config.json, or --local.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  NETWORK_DIFFERS: {
    title: "The transaction belongs to another network",
    next: "Choose the network of the transaction with --network.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  CREDENTIAL_MISSING: {
    title: "A credential is missing",
    next: "Set FINALITY_JWT_KEY, or use --jwt-key-fd N.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  CREDENTIAL_UNBOUND: {
    title: "A credential has no origin",
    next: "Set FINALITY_KEY_ORIGINS to the origins that the key belongs to, such as https://api.example.org.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  NOT_IN_JOURNAL: {
    title: "The journal does not have the transaction",
    next: "Check the txID, and the folder of the journal (--journal, FINALITY_JOURNAL).",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  KEY_MISSING: {
    title: "The key is missing",
    next: "Set the variable, or use another key source. Nothing was signed.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  CALL_UNUSABLE: {
    title: "The call cannot be sent",
    next: "Correct the call file, or name its artifacts with --artifacts. Nothing was signed.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  SETUP_FAILED: {
    title: "The setup of a call file failed",
    next: "Correct the setup, or compile the contract. docs/call-tests.md describes the setup.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  REVISION_UNUSABLE: {
    title: "The git revision cannot be used",
    next: "Check its name with git rev-parse. A shallow clone has to fetch it first.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  BUILD_FAILED: {
    title: "The command of --build failed",
    next: "Run it in a new clone of the revision. The folder has no node_modules.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  NOT_CONFIRMED: {
    title: "Nothing was signed or sent",
    next: "Run the command again and confirm the review. --yes works only on networks in testNetworks, and on the embedded chain.",
    retry: "after-fix",
    exitCode: EXIT.refused,
  },
  INTERNAL: {
    title: "The program has a defect",
    next: "Report it with the text of the cause.",
    retry: "never",
    exitCode: EXIT.internal,
  },
} as const satisfies Readonly<Record<string, ErrorKind>>;

export type OwnErrorCode = keyof typeof ownErrors;

/** Failure of the command line, for users. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: OwnErrorCode;
  readonly next: string;

  constructor(code: OwnErrorCode, { cause, next = ownErrors[code].next }: { cause: string; next?: string }) {
    super(cause);
    this.code = code;
    this.next = next;
  }
}

/** Returns true for errors of this class, including its copy in another part of the bundle. */
export function isCliError(thrown: unknown): thrown is CliError {
  return thrown instanceof Error && thrown.name === "CliError";
}

/** Kinds of the errors that the packages report. */
const kinds = {
  input: {
    title: "The input cannot be used",
    next: "Correct the value, then run the command again.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  configuration: {
    title: "The configuration cannot be used",
    next: "Correct finality.config.json or the arguments.",
    retry: "after-fix",
    exitCode: EXIT.usage,
  },
  connection: {
    title: "No usable answer from the network",
    next: "Run finality doctor with the same network.",
    retry: "same-command",
    exitCode: EXIT.network,
  },
  path: {
    title: "The gateway does not serve a path",
    next: "Choose a gateway that serves it, or add one to fallbackUrls of the network.",
    retry: "after-fix",
    exitCode: EXIT.network,
  },
  access: {
    title: "The network refused access",
    next: "Check the credentials of the network, then run finality doctor.",
    retry: "after-fix",
    exitCode: EXIT.network,
  },
  node: {
    title: "The node refused the request",
    next: "Correct the request. finality explain has more on the message of the node.",
    retry: "after-fix",
    exitCode: EXIT.refused,
  },
  chain: {
    title: "The answers of the network contradict each other",
    next: "Check that all URLs of the network are of one chain.",
    retry: "after-fix",
    exitCode: EXIT.network,
  },
  journal: {
    title: "The journal cannot be used",
    next: "Nothing is sent without the journal. Check its file, then run the command again.",
    retry: "after-fix",
    exitCode: EXIT.refused,
  },
  open: {
    title: "A transaction is not settled",
    next: "Run finality track with its txID. Send nothing new before its outcome is known.",
    retry: "track-first",
    exitCode: EXIT.refused,
  },
  signing: {
    title: "Nothing was signed",
    next: "Check the key source and the permissions of the account.",
    retry: "after-fix",
    exitCode: EXIT.refused,
  },
  call: {
    title: "The call would fail",
    next: "Correct the call. Nothing was signed.",
    retry: "after-fix",
    exitCode: EXIT.negative,
  },
  missing: {
    title: "Not found",
    next: "Check the value and the network.",
    retry: "after-fix",
    exitCode: EXIT.negative,
  },
} as const satisfies Readonly<Record<string, ErrorKind>>;

const kindOfCode: Readonly<Record<ErrorCode, keyof typeof kinds>> = {
  HEX_MALFORMED: "input",
  ADDRESS_MALFORMED: "input",
  ADDRESS_CHECKSUM_MISMATCH: "input",
  ADDRESS_PREFIX_UNKNOWN: "input",
  AMOUNT_MALFORMED: "input",
  CALL_UNREADABLE: "input",
  TRANSACTION_MALFORMED: "input",
  TRANSACTION_JSON_MALFORMED: "input",
  TRANSACTION_FILE_REFUSED: "input",
  TRANSACTION_NOT_WRITTEN: "input",
  SIGNATURE_MALFORMED: "input",
  TYPED_DATA_MALFORMED: "input",
  MESSAGE_REFUSED: "signing",
  SIGNATURE_DUPLICATE: "input",
  TRANSACTION_ALTERED: "input",
  PRIVATE_KEY_MALFORMED: "signing",
  MNEMONIC_REFUSED: "signing",
  KEY_PATH_MALFORMED: "signing",
  KEYSTORE_REFUSED: "signing",
  KEYSTORE_PASSWORD_WRONG: "signing",
  KEY_TEXT_UNKNOWN: "signing",
  KEY_FILE_REFUSED: "signing",
  KEY_POLICY_REFUSED: "signing",
  ABI_MALFORMED: "input",
  TRANSACTION_DIFFERS: "signing",
  GATEWAY_UNREACHABLE: "connection",
  GATEWAY_SILENT: "connection",
  GATEWAY_UNAUTHORIZED: "access",
  GATEWAY_RATE_LIMITED: "connection",
  GATEWAY_HTTP_STATUS: "connection",
  GATEWAY_ANSWER_MALFORMED: "connection",
  NODE_REFUSED: "node",
  PATH_NOT_SERVED: "path",
  URL_NOT_ALLOWED: "configuration",
  JWT_KEY_MALFORMED: "access",
  JWT_KEY_TOO_SHORT: "access",
  JWT_SETTING_MISSING: "access",
  JWT_KEYS_FULL: "access",
  JWT_KEY_UNKNOWN: "access",
  JWT_KEY_MISSING: "access",
  JWT_NOT_ASKED: "access",
  JWT_KEY_NOT_ACCEPTED: "access",
  CREDENTIALS_WITHHELD: "access",
  PLAIN_HTTP_UNCONFIRMED: "configuration",
  CREDENTIALS_IN_CLEAR: "access",
  CLIENT_CERTIFICATE_UNUSABLE: "access",
  CHAIN_CHANGED: "chain",
  CHAINS_DIFFER: "chain",
  CHAIN_LINK_BROKEN: "chain",
  CHAIN_BLOCK_MISSING: "connection",
  CHAIN_BLOCK_UNCHECKED: "chain",
  CHAIN_RECEIPTS_MISSING: "connection",
  JOURNAL_UNREADABLE: "journal",
  JOURNAL_UNWRITABLE: "journal",
  JOURNAL_LOST: "journal",
  JOURNAL_NEWER: "journal",
  INCOMING_UNWRITABLE: "journal",
  NOTE_UNWRITABLE: "journal",
  CONTRACTS_UNWRITABLE: "journal",
  RUN_KEY_USED: "input",
  RUN_DIFFERS: "input",
  RUN_STORE_UNAVAILABLE: "journal",
  RUN_COMMIT_UNKNOWN: "journal",
  COMMAND_ARGUMENT_MALFORMED: "input",
  EQUAL_TRANSACTION_ALIVE: "open",
  REPLACEMENT_REFUSED: "open",
  AGAIN_REFUSED: "open",
  SIGN_AGAIN_REFUSED: "open",
  PROOF_MISSING: "missing",
  RESEND_REFUSED: "open",
  EXPLORER_MISSING: "configuration",
  SIGNING_KEY_MISSING: "signing",
  SIGNING_KEY_FOREIGN: "signing",
  SIGNATURE_FOREIGN: "signing",
  OUTSIDE_SIGNATURE_MISSING: "open",
  PERMISSION_REFUSED: "signing",
  WEIGHT_TOO_LOW: "signing",
  LOCK_OUT_REFUSED: "signing",
  WORKSPACE_NOT_TRUSTED: "signing",
  PROPOSAL_REFUSED: "signing",
  UPGRADE_REFUSED: "signing",
  PROPOSALS_FULL: "input",
  TRANSACTION_KNOWN: "open",
  ACCOUNT_GUARDED_ELSEWHERE: "signing",
  CONSENT_MISSING: "signing",
  SIGNING_ACCOUNT_MISSING: "signing",
  VOTING_POWER_MISSING: "signing",
  ACCOUNT_UNKNOWN: "missing",
  ACCOUNT_NOT_ACTIVATED: "missing",
  TRANSACTION_NOT_FOUND: "missing",
  CONTRACT_UNKNOWN: "missing",
  TOKEN_DECIMALS_DIFFER: "chain",
  FUNCTION_UNKNOWN: "missing",
  CALL_WOULD_FAIL: "call",
  CALL_REVERTED: "call",
  FEE_LIMIT_MISSING: "signing",
  NETWORK_NOT_CHOSEN: "configuration",
  NETWORK_NOT_ADDED: "configuration",
  NETWORK_UNKNOWN: "configuration",
  NETWORK_NAME_TAKEN: "configuration",
  SETTING_MALFORMED: "configuration",
  SECRETS_UNAVAILABLE: "signing",
  SECRETS_FORGOTTEN: "signing",
  EDITOR_SILENT: "connection",
  LOCAL_CHAIN_STOPPED: "configuration",
  LOCAL_CHAIN_FAILED: "configuration",
  LOCAL_CHAIN_UNPROVEN: "configuration",
  TRACE_UNAVAILABLE: "missing",
  EXPRESSION_REFUSED: "input",
  COST_SNAPSHOT_UNREADABLE: "input",
};

/** Returns the report of any thrown value, and the exit code. */
export function reportOf(thrown: unknown): { readonly report: ErrorReport; readonly exitCode: ExitCode } {
  if (isCliError(thrown)) {
    const { title, retry, exitCode } = ownErrors[thrown.code];
    return { report: { code: thrown.code, title, cause: thrown.message, next: thrown.next, retry }, exitCode };
  }
  if (isChainError(thrown)) return chainReport(thrown);
  const { title, next, retry, exitCode } = ownErrors.INTERNAL;
  const cause = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { report: { code: "INTERNAL", title, cause, next, retry }, exitCode };
}

function chainReport({ code, message, details }: AnyChainError) {
  const { title, next: usual, retry, exitCode } = kinds[kindOfCode[code]];
  const txId = "txId" in details ? { txId: details.txId } : {};
  const next = nextSteps[code] ?? usual;
  return { report: { code, title, cause: withoutEditorSteps(message), next, retry, ...txId }, exitCode };
}

const HTTPS = "Use https. For a node in the private network, --allow-http permits http.";

/** Next steps of codes whose message has a step in the editor, or for which there is an option. */
const nextSteps: Partial<Readonly<Record<ErrorCode, string>>> = {
  URL_NOT_ALLOWED: HTTPS,
  PLAIN_HTTP_UNCONFIRMED: HTTPS,
  CHAIN_CHANGED: "Correct the URL. If its chain was restarted, remove its line from chains.jsonl beside the journal.",
  GATEWAY_UNREACHABLE: "Run finality doctor with the same network. finality chain starts the chain of --local.",
  JOURNAL_LOST: "Exclude the journal from cleanup and synchronization tools. Track its transactions, then try again.",
  JOURNAL_NEWER: "Update the command line.",
  RUN_KEY_USED: "Remove that row, or resume that run.",
  RUN_DIFFERS: "Start the changed file as a new run.",
  RUN_STORE_UNAVAILABLE: "Check the store, then resume the run.",
  JWT_SETTING_MISSING: 'Set "audience" of the network in finality.config.json.',
  PERMISSION_REFUSED:
    "Use a key that reaches the threshold of the permission alone, or collect signatures in the editor.",
  ACCOUNT_NOT_ACTIVATED: "Send coins to the account first.",
  NETWORK_UNKNOWN: "Add the network to finality.config.json.",
};

const EDITOR_STEP =
  /\bRun [A-Z]\w+ [A-Z]|\bEdit (?:the n|N)etwork|\bFinality: |\b[Ii]mport (?:its|the|a) key|\bKeys…|\bSignature…|\bPolicy…|\b[Rr]eload th|\bAccounts view|\bthe palette|\bcheck Transactions|\bin the settings|\bCall Contract\b|\bgenerate or import/i;

/** Removes sentences that name a command of the editor, and its windows. The report has a next step of its own. */
export function withoutEditorSteps(message: string): string {
  const sentences = message.split(/(?<=[.:])\s+(?=[A-Z])/);
  const left = sentences.filter((it) => !EDITOR_STEP.test(it));
  return (left.length === 0 ? message : left.join(" ")).replace(/\b(this|every|[Aa]nother) window\b/gi, "$1 program");
}

/** Returns the catalogue of all errors by code, for `finality schema --errors`. */
export function errorCatalogue(): JsonObject {
  const own = Object.entries(ownErrors);
  const others = Object.entries(kindOfCode).map(([code, kind]) => [code, kinds[kind]] as const);
  return Object.fromEntries(
    [...own, ...others].map(([code, { title, next, retry, exitCode }]) => [
      code,
      { title, next: nextSteps[code as ErrorCode] ?? next, retry, exitCode },
    ]),
  );
}
