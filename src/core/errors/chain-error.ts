/**
 * One entry per failure: its code and the typed details from which its sentence is made.
 *
 * A code is shown, logged and tested: never rename one, never reuse one. A sentence says what is wrong, with the value,
 * and what to do next. No detail may ever hold a secret.
 */
export interface ErrorDetails {
  /** Text that is not bytes in hex. */
  HEX_MALFORMED: { text: string };
  /** Neither a base58check address nor the hex form 41…. */
  ADDRESS_MALFORMED: { text: string };
  ADDRESS_CHECKSUM_MISMATCH: { text: string };
  /** 21 bytes whose first byte is not 0x41. */
  ADDRESS_PREFIX_UNKNOWN: { text: string };
  AMOUNT_MALFORMED: { text: string; reason: string };
  /** Bytes that are not the protobuf message they should be. */
  TRANSACTION_MALFORMED: { reason: string };
  /** JSON of a transaction that the node's own reader would refuse. */
  TRANSACTION_JSON_MALFORMED: { path: string; reason: string };
  SIGNATURE_MALFORMED: { reason: string };
  /** A second signature of the same key: the node refuses it. */
  SIGNATURE_DUPLICATE: { address: string };
  /** The bytes are not those that were signed. */
  TRANSACTION_ALTERED: { txId: string; actual: string };
  PRIVATE_KEY_MALFORMED: { reason: string };
  /** A type, or data that do not follow their types. */
  ABI_MALFORMED: { reason: string };
  /** The gateway built something else than was asked, so nothing is signed. */
  TRANSACTION_DIFFERS: { differences: readonly { path: string; asked: string; built: string }[] };

  /** No answer at all: refused, reset, timed out, or dropped. `processed` says whether a write may have arrived. */
  GATEWAY_UNREACHABLE: { endpoint: string; attempts: number; reason: string };
  /** No answer while the JWT switch is on: the gateway drops requests whose token it does not accept. */
  GATEWAY_SILENT: { endpoint: string; reason: string };
  GATEWAY_UNAUTHORIZED: { endpoint: string; status: number; header: string };
  GATEWAY_RATE_LIMITED: { endpoint: string; retryAfterMs: number | undefined };
  GATEWAY_HTTP_STATUS: { endpoint: string; status: number; body: string };
  /** An answer that is not JSON, is cut, or lacks a field. `body` is the raw text, shortened for display. */
  GATEWAY_ANSWER_MALFORMED: { endpoint: string; reason: string; body: string };
  /** The node refused the request with an `Error` body or a `result.code`. */
  NODE_REFUSED: { endpoint: string; code: string; message: string; body: string };
  URL_NOT_ALLOWED: { url: string; reason: string };

  JWT_KEY_MALFORMED: { reason: string };
  JWT_KEY_TOO_SHORT: { bits: number };
  JWT_SETTING_MISSING: { setting: string };

  CHAIN_LINK_BROKEN: { height: number; expectedParent: string; parent: string };
  CHAIN_BLOCK_MISSING: { height: number };
  JOURNAL_UNREADABLE: { file: string; reason: string };
  JOURNAL_UNWRITABLE: { file: string; reason: string; step?: string };

  /** A command was called with an argument object that it cannot use. */
  COMMAND_ARGUMENT_MALFORMED: { argument: string; reason: string };
  /** An equal transaction may still be executed: a second one could happen twice. */
  EQUAL_TRANSACTION_ALIVE: { txId: string; state: string };
  /** The transaction may still be executed, so nothing may take its place. */
  REPLACEMENT_REFUSED: { txId: string; reason: string };
  /** There is no proof that it is in no block. */
  PROOF_MISSING: { txId: string; reason: string };
  /** The same bytes need not, or must not, be sent once more. */
  RESEND_REFUSED: { txId: string; reason: string };
  /** No signing key of this address is stored here. */
  SIGNING_KEY_MISSING: { address: string };
  /** Every account here is watched only, or there is none. */
  SIGNING_ACCOUNT_MISSING: { network: string };
  /** There is no account of this address or name here. */
  ACCOUNT_UNKNOWN: { account: string };

  /** Neither the workspace nor the chain knows this contract. */
  CONTRACT_UNKNOWN: { contract: string; reason: string };
  FUNCTION_UNKNOWN: { function: string; contract: string; reason: string };
  /** A simulation said that a call or a deployment would fail, so it was not signed. `reason` has one sentence or more. */
  CALL_WOULD_FAIL: { reason: string };
  /** A read-only call reverted. */
  CALL_REVERTED: { function: string; contract: string; reason: string };
  /** Nobody said a `fee_limit`, and the node gives no figure to take it from. */
  FEE_LIMIT_MISSING: { reason: string };

  /** Nothing says on which network this should happen. */
  NETWORK_NOT_CHOSEN: Record<never, never>;
  /** There is no network but the local chain, which cannot be changed. */
  NETWORK_NOT_ADDED: Record<never, never>;
  NETWORK_UNKNOWN: { network: string };
  NETWORK_NAME_TAKEN: { network: string };
  /** A setting that a person has to correct. `setting` may end in a path inside of it. */
  SETTING_MALFORMED: { setting: string; reason: string };
  /** The editor's store of secrets does not work. */
  SECRETS_UNAVAILABLE: { reason: string };
  LOCAL_CHAIN_FAILED: { reason: string };
  /** A file of costs that would lose something if it were written anew. */
  COST_SNAPSHOT_UNREADABLE: { file: string; reason: string };
}

export type ErrorCode = keyof ErrorDetails;

const sentences: { readonly [C in ErrorCode]: (details: ErrorDetails[C]) => string } = {
  HEX_MALFORMED: ({ text }) => `"${text}" is not hex: only pairs of the digits 0-9 and a-f count.`,
  ADDRESS_MALFORMED: ({ text }) =>
    `"${text}" is not an address. Use the base58 form (34 characters, T…) or the hex form (41…).`,
  ADDRESS_CHECKSUM_MISMATCH: ({ text }) =>
    `"${text}" is mistyped: its checksum does not match. Copy the address again.`,
  ADDRESS_PREFIX_UNKNOWN: ({ text }) => `"${text}" is an address of another kind of chain: its first byte is not 41.`,
  AMOUNT_MALFORMED: ({ text, reason }) => `"${text}" is not an amount: ${reason}.`,
  TRANSACTION_MALFORMED: ({ reason }) => `These bytes are not a transaction: ${reason}.`,
  TRANSACTION_JSON_MALFORMED: ({ path, reason }) => `The transaction cannot be read at ${path}: ${reason}.`,
  SIGNATURE_MALFORMED: ({ reason }) => `The signature cannot be used: ${reason}.`,
  SIGNATURE_DUPLICATE: ({ address }) => `${address} has signed this transaction already. Another key has to sign it.`,
  TRANSACTION_ALTERED: ({ txId, actual }) =>
    `The transaction was changed after signing: its bytes have the txID ${actual}, not ${txId}. It was not sent.`,
  PRIVATE_KEY_MALFORMED: ({ reason }) => `This is not a signing key: ${reason}.`,
  ABI_MALFORMED: ({ reason }) => `This does not follow the ABI: ${reason}.`,
  TRANSACTION_DIFFERS: ({ differences }) =>
    `The gateway built something else than was asked (${differences.map((it) => it.path).join(", ")}). Nothing was signed.`,

  GATEWAY_UNREACHABLE: ({ endpoint, attempts, reason }) =>
    `${endpoint} did not answer (${reason}; ${attempts} ${attempts === 1 ? "try" : "tries"}). Check the URL of the network and that the node runs.`,
  GATEWAY_SILENT: ({ endpoint, reason }) =>
    `${endpoint} closed the connection without an answer (${reason}). With JWT on, a gateway drops tokens it does not accept: run Test Connection.`,
  GATEWAY_UNAUTHORIZED: ({ endpoint, status, header }) =>
    `${endpoint} answered ${status}: the API key in the header ${header} is missing or wrong. Run Set API Key.`,
  GATEWAY_RATE_LIMITED: ({ endpoint, retryAfterMs }) =>
    `${endpoint} answered 429: too many requests. ${retryAfterMs === undefined ? "Wait a little" : `Wait ${Math.ceil(retryAfterMs / 1000)} s`} and try again.`,
  GATEWAY_HTTP_STATUS: ({ endpoint, status }) =>
    status >= 500
      ? `${endpoint} answered ${status}: the gateway has a problem of its own. Try again later or use another URL.`
      : `${endpoint} answered ${status}: the request does not fit this gateway. Check the URL of the network.`,
  GATEWAY_ANSWER_MALFORMED: ({ endpoint, reason }) => `${endpoint} gave an answer that cannot be read: ${reason}.`,
  NODE_REFUSED: ({ code, message }) => `The node refused this (${code}): ${message}`,
  URL_NOT_ALLOWED: ({ url, reason }) => `${url} cannot be used: ${reason}.`,

  JWT_KEY_MALFORMED: ({ reason }) => `This is not a usable JWT key: ${reason}.`,
  JWT_KEY_TOO_SHORT: ({ bits }) => `The JWT key has ${bits} bits; RSA keys need at least 2048. Create a new JWT key.`,
  JWT_SETTING_MISSING: ({ setting }) => `JWT is on for this network, but its ${setting} is not set. Edit the network.`,

  CHAIN_LINK_BROKEN: ({ height, expectedParent, parent }) =>
    `Block ${height} does not continue the chain: its parent is ${parent}, not ${expectedParent}. The gateway may follow another chain.`,
  CHAIN_BLOCK_MISSING: ({ height }) => `Block ${height} could not be read. It will be asked for again.`,
  JOURNAL_UNREADABLE: ({ file, reason }) =>
    `A part of the journal could not be read (${reason}). It was kept aside as ${file}.`,
  JOURNAL_UNWRITABLE: ({ file, reason, step = "Look at its folder, then try again" }) =>
    `The journal ${file} could not be written (${reason}). Nothing is sent until it can be. ${step}.`,

  COMMAND_ARGUMENT_MALFORMED: ({ argument, reason }) => `The argument ${argument} cannot be used: ${reason}.`,
  EQUAL_TRANSACTION_ALIVE: ({ txId, state }) =>
    state === "solidified"
      ? `An equal transaction was executed meanwhile: ${txId}. Nothing was sent. Look at it first: another one would pay twice.`
      : `An equal transaction is ${state === "unknown" ? "of unknown outcome" : state} and may still be executed: ${txId}. Nothing was sent. Watch it, or send it again with the same bytes.`,
  REPLACEMENT_REFUSED: ({ reason }) => `Nothing was replaced. ${reason}`,
  PROOF_MISSING: ({ reason }) => `There is no proof of absence to export. ${reason}`,
  RESEND_REFUSED: ({ reason }) => `The same bytes were not sent again. ${reason}`,
  SIGNING_KEY_MISSING: ({ address }) =>
    `There is no signing key for ${address} here, so it can only be watched. Import its key first.`,
  SIGNING_ACCOUNT_MISSING: ({ network }) =>
    `No account here can sign on ${network}. Generate or import a signing key first.`,
  ACCOUNT_UNKNOWN: ({ account }) => `"${account}" is none of your accounts. Choose one in the Accounts view.`,

  CONTRACT_UNKNOWN: ({ contract, reason }) => `The contract "${contract}" cannot be used: ${reason}.`,
  FUNCTION_UNKNOWN: ({ function: name, contract, reason }) => `${contract} has no function "${name}": ${reason}.`,
  CALL_WOULD_FAIL: ({ reason }) => `Nothing was signed. ${reason}`,
  CALL_REVERTED: ({ function: name, contract, reason }) => `${name} of ${contract} gave nothing back. ${reason}`,
  FEE_LIMIT_MISSING: ({ reason }) => `Nothing was signed: there is no figure for a fee_limit. ${reason}`,

  NETWORK_NOT_CHOSEN: () => "No network is chosen. Start the local chain, or add a network.",
  NETWORK_NOT_ADDED: () => "This is for networks that you added, and there are none. Add a network first.",
  NETWORK_UNKNOWN: ({ network }) => `There is no network "${network}". Add it, or choose another one.`,
  NETWORK_NAME_TAKEN: ({ network }) => `There is a network "${network}" already. Choose another name.`,
  SETTING_MALFORMED: ({ setting, reason }) =>
    `The setting ${setting} cannot be used: ${reason}. Correct it in the settings.`,
  SECRETS_UNAVAILABLE: ({ reason }) => `The secret storage of the editor is not available (${reason}). Try again.`,
  LOCAL_CHAIN_FAILED: ({ reason }) => `The local chain could not be started: ${reason}. See the log.`,
  COST_SNAPSHOT_UNREADABLE: ({ file, reason }) =>
    `Nothing was saved: ${file} cannot be read (${reason}) and would be lost. Repair or delete it, then save again.`,
};

/** A failure with a stable code. Its message is a sentence for people, its details are data for programs. */
export class ChainError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "ChainError";
  readonly code: C;
  readonly details: ErrorDetails[C];

  constructor(code: C, details: ErrorDetails[C], options?: ErrorOptions) {
    super(sentences[code](details), options);
    this.code = code;
    this.details = details;
  }
}

/** `switch (error.code)` narrows `details` too. */
export type AnyChainError = { [C in ErrorCode]: ChainError<C> }[ErrorCode];

/** By name and code, not by class: the bundles of the extension each hold a copy of the class. */
export function isChainError(thrown: unknown): thrown is AnyChainError {
  return (
    thrown instanceof Error && thrown.name === "ChainError" && "code" in thrown && String(thrown.code) in sentences
  );
}
