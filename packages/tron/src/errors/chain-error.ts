import { t } from "@vscode/l10n";

/** Reason for a missing answer: closed connection, time-out, or no connection. */
export type NoAnswer = "closed" | "timeout" | "unreachable";

/**
 * One entry per failure: its code and the typed details for its message. A code is shown, logged and tested: never
 * rename or reuse one. A message states the problem with the value, and the next step. Details must never contain a
 * secret.
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
  /** A call in the source must not be sent, because a part of it cannot be parsed. */
  CALL_UNREADABLE: { reason: string };
  /** Bytes that are not the expected protobuf message. */
  TRANSACTION_MALFORMED: { reason: string };
  /** JSON of a transaction that the node would refuse. */
  TRANSACTION_JSON_MALFORMED: { path: string; reason: string };
  /** A foreign transaction is ambiguous or has content that cannot be shown. */
  TRANSACTION_FILE_REFUSED: { reason: string };
  /** It is in the journal, but its file could not be written. */
  TRANSACTION_NOT_WRITTEN: { txId: string; file: string; reason: string };
  SIGNATURE_MALFORMED: { reason: string };
  SIGNATURE_DUPLICATE: { address: string };
  /** The bytes are not the signed ones. */
  TRANSACTION_ALTERED: { txId: string; actual: string };
  /** JSON that is not typed data (TIP-712). `path` is "JSON" for the whole text. */
  TYPED_DATA_MALFORMED: { path: string; reason: string };
  /** A message or typed data that is not signed here. `reason` has one sentence or more. */
  MESSAGE_REFUSED: { reason: string };
  PRIVATE_KEY_MALFORMED: { reason: string };
  MNEMONIC_REFUSED: { reason: string };
  KEY_PATH_MALFORMED: { reason: string };
  KEYSTORE_REFUSED: { reason: string };
  KEYSTORE_PASSWORD_WRONG: Record<never, never>;
  KEY_TEXT_UNKNOWN: { reason: string };
  KEY_FILE_REFUSED: { file: string; reason: string };
  KEY_POLICY_REFUSED: { address: string; reason: string };
  /** Malformed type, or data that do not match their types. */
  ABI_MALFORMED: { reason: string };
  /** The gateway built something else than requested, so nothing is signed. */
  TRANSACTION_DIFFERS: { differences: readonly { path: string; asked: string; built: string }[] };

  /** No answer: refused, reset, timed out, or dropped. `processed` tells whether a write may have arrived. */
  GATEWAY_UNREACHABLE: { endpoint: string; attempts: number; reason: string; how?: NoAnswer };
  /**
   * No answer while JWT is enabled: the gateway drops requests whose token it does not accept. `boundTo` has the
   * origins of credentials that were withheld from this one.
   */
  GATEWAY_SILENT: { endpoint: string; reason: string; how: NoAnswer; boundTo?: string | undefined };
  GATEWAY_UNAUTHORIZED: { endpoint: string; status: number; header: string; boundTo?: string | undefined };
  GATEWAY_RATE_LIMITED: { endpoint: string; retryAfterMs: number | undefined };
  GATEWAY_HTTP_STATUS: { endpoint: string; status: number; body: string };
  /** Answer that is not JSON, is truncated, or lacks a field. `body` is the raw text, shortened for display. */
  GATEWAY_ANSWER_MALFORMED: { endpoint: string; reason: string; body: string };
  /** The node refused the request with an `Error` body or a `result.code`. */
  NODE_REFUSED: { endpoint: string; code: string; message: string; body: string };
  /** A gateway lacks a path that the gateway document does not list. `purpose` completes "which is needed for …". */
  PATH_NOT_SERVED: { endpoint: string; path: string; purpose: string };
  URL_NOT_ALLOWED: { url: string; reason: string };

  JWT_KEY_MALFORMED: { reason: string };
  JWT_KEY_TOO_SHORT: { bits: number };
  JWT_SETTING_MISSING: { setting: Parameters<typeof unsetText>[0] };
  /** The service's maximum number of JWT keys per account is reached. */
  JWT_KEYS_FULL: { network: string };
  JWT_KEY_UNKNOWN: { network: string; key: string };
  JWT_KEY_MISSING: { network: string };
  JWT_NOT_ASKED: { network: string };
  /** The gateway was queried with a token of this key and did not answer. `reason` is a sentence. */
  JWT_KEY_NOT_ACCEPTED: { network: string; key: string; keyId: string; reason: string };
  /** The URL is of no origin that the credentials were entered for. `what` is "API key" and the like. */
  CREDENTIALS_WITHHELD: { network: string; url: string; what: string; boundTo: string };

  /** A network uses plain http, which the user has not allowed. */
  PLAIN_HTTP_UNCONFIRMED: { network: string; urls: string };
  /** A credential would travel unencrypted. `what` is "API key" and the like. */
  CREDENTIALS_IN_CLEAR: { network: string; url: string; what: string };

  CLIENT_CERTIFICATE_UNUSABLE: { url: string; reason: string };
  /** A URL reports another genesis block than before. */
  CHAIN_CHANGED: { url: string; before: string; now: string };
  /** Two URLs of one network are different chains. */
  CHAINS_DIFFER: { network: string; url: string; chain: string; otherUrl: string; other: string };
  CHAIN_LINK_BROKEN: { height: number; expectedParent: string; parent: string };
  CHAIN_BLOCK_MISSING: { height: number };
  /** The content reported for a block does not hash to its ID. */
  CHAIN_BLOCK_UNCHECKED: { height: number };
  /** A block contains contract calls, and the gateway does not report their results. */
  CHAIN_RECEIPTS_MISSING: { height: number };
  JOURNAL_UNREADABLE: { file: string; reason: string };
  JOURNAL_UNWRITABLE: { file: string; reason: string; step?: string };
  /** Another program removed lines of the journal; they are written again. `written`: so are the entries. */
  JOURNAL_LOST: { file: string; seconds: number; written: boolean };
  /**
   * A newer version wrote lines that this version cannot read. `written`: the entries were written before that was
   * noticed.
   */
  JOURNAL_NEWER: { file: string; lines: number; written: boolean };

  /** The file of incoming payments cannot be written. */
  INCOMING_UNWRITABLE: { file: string; reason: string };
  NOTE_UNWRITABLE: { file: string; reason: string };
  CONTRACTS_UNWRITABLE: { file: string; reason: string };

  /** A row has an idempotency key that a run already has. */
  RUN_KEY_USED: { key: string; run: string };
  /** The id belongs to a run with other rows. */
  RUN_DIFFERS: { run: string };
  /** The store of runs cannot be read or written. Nothing changed. */
  RUN_STORE_UNAVAILABLE: { store: string; reason: string };
  /** The store did not acknowledge signed bytes, so they may be stored or not. Nothing was sent. */
  RUN_COMMIT_UNKNOWN: { txId: string; reason: string };

  /** A command was called with an invalid argument object. */
  COMMAND_ARGUMENT_MALFORMED: { argument: string; reason: string };
  /** A conflicting transaction is unsettled. `unverified`: its network, whose chain could not be determined. */
  EQUAL_TRANSACTION_ALIVE: { txId: string; state: string; unverified?: string };
  /** The transaction may still be executed, so nothing may replace it. */
  REPLACEMENT_REFUSED: { txId: string; reason: string };
  AGAIN_REFUSED: { txId: string; reason: string };
  SIGN_AGAIN_REFUSED: { txId: string; reason: string };
  /** There is no proof that it is in no block. */
  PROOF_MISSING: { txId: string; reason: string };
  /** The same bytes need not, or must not, be sent again. */
  RESEND_REFUSED: { txId: string; reason: string };
  /** The settings of the network contain no block explorer. */
  EXPLORER_MISSING: { network: string };
  /** No signing key of this address is stored here. */
  SIGNING_KEY_MISSING: { address: string };
  /** The key stored for an address belongs to another address. */
  SIGNING_KEY_FOREIGN: { address: string };
  /** A signature is not from the key of the paying account. */
  SIGNATURE_FOREIGN: { address: string; signer: string };
  /**
   * An external signer returned no signature; the reason is a sentence. `possibleUntil`: the bytes were handed out, and
   * may be executed until then.
   */
  OUTSIDE_SIGNATURE_MISSING: { reason: string; possibleUntil?: string };
  /** No local key may sign this with the permission that it names. `reason` has one sentence or more. */
  PERMISSION_REFUSED: { reason: string };
  /** Local keys have a part in the permission, but not enough weight. */
  WEIGHT_TOO_LOW: { reason: string; weight: string; threshold: string; missing: readonly string[] };
  /** The change would leave no available key in control of the account, and the user has not confirmed it. */
  LOCK_OUT_REFUSED: { reason: string };
  /** Restricted Mode: nothing is signed or sent. */
  WORKSPACE_NOT_TRUSTED: { what: "signed" | "sent" | "read" };
  /** The gateway built bytes that the journal already contains. */
  TRANSACTION_KNOWN: { txId: string; state: string };
  /** The upgrade of a proxy would lose data or is not the reviewed one. `reason` is a part of a sentence. */
  UPGRADE_REFUSED: { reason: string };
  /** The proposal of an agent is not the reviewed one, was used before, or is for another chain. */
  PROPOSAL_REFUSED: { proposal: string; why: keyof typeof proposalReasons };
  /** Too many proposals wait for a review. */
  PROPOSALS_FULL: { most: number };
  /** Only the journal of another host knows the transactions of this account. */
  ACCOUNT_GUARDED_ELSEWHERE: { address: string; host: string };
  /** The user has not confirmed that this transaction may be signed or sent. */
  CONSENT_MISSING: { txId: string };
  /** Every account here is watch-only, or there is none. */
  SIGNING_ACCOUNT_MISSING: { network: string };
  /** The account has no votes, because no coins are staked for them. */
  VOTING_POWER_MISSING: { account: string };
  /** There is no account with this address or name here. */
  ACCOUNT_UNKNOWN: { account: string };
  /** The chain has no account with this address yet: it has never been paid or created. */
  ACCOUNT_NOT_ACTIVATED: { address: string; network: string };

  /** A node was queried for a transaction and has none with this txID. */
  TRANSACTION_NOT_FOUND: { txId: string; network: string };
  /** Neither the workspace nor the chain knows this contract. */
  CONTRACT_UNKNOWN: { contract: string; reason: string };
  /** Two sources report different decimals of a token, so an amount would be ambiguous. */
  TOKEN_DECIMALS_DIFFER: { token: string; endpoint: string; decimals: number; source: string; other: number };
  FUNCTION_UNKNOWN: { function: string; contract: string; reason: string };
  /**
   * The simulation of a call or a deployment failed, so it was not signed. `reason` has one sentence or more, `data` is
   * the contract's error, hex.
   */
  CALL_WOULD_FAIL: { reason: string; data?: string };
  /** A read-only call reverted, with this data. */
  CALL_REVERTED: { function: string; contract: string; reason: string; data?: string };
  /** The call has no `fee_limit`, and the node reports no energy to derive it. */
  FEE_LIMIT_MISSING: { reason: string };

  /** No network is chosen. */
  /** `available` is the number of networks to choose from. */
  NETWORK_NOT_CHOSEN: { available: number };
  /** The local chain is the only network, and it cannot be edited. */
  NETWORK_NOT_ADDED: Record<never, never>;
  NETWORK_UNKNOWN: { network: string };
  NETWORK_NAME_TAKEN: { network: string };
  /** Setting that the user has to correct. `setting` may end in a path inside of it. */
  SETTING_MALFORMED: { setting: string; reason: string };
  /** The secret storage of VS Code does not work. */
  SECRETS_UNAVAILABLE: { reason: string };
  SECRETS_FORGOTTEN: Record<never, never>;
  /** VS Code did not answer. Its window may be gone while this process continues. */
  EDITOR_SILENT: { network: string; seconds: number };
  LOCAL_CHAIN_STOPPED: {
    /** The chain runs, but the window no longer uses it. */
    isDisconnected?: boolean;
  };
  /** `isDataUnreadable`: the files of the stored chain cannot be read, so that only another chain can start. */
  LOCAL_CHAIN_FAILED: { reason: string; isDataUnreadable?: boolean };
  /** The server did not prove that it is the local chain that was started. */
  LOCAL_CHAIN_UNPROVEN: { baseUrl: string };
  /** A run cannot be traced. */
  TRACE_UNAVAILABLE: { reason: string };
  /** An expression in the debugger that has no value. `reason` is a phrase. */
  EXPRESSION_REFUSED: { reason: string };
  /** A cost snapshot would lose content if it were rewritten. */
  COST_SNAPSHOT_UNREADABLE: { file: string; reason: string };
}

export type ErrorCode = keyof ErrorDetails;

const proposalReasons = {
  gone: t`the proposal was used or discarded before`,
  changed: t`the proposal changed after its review was opened`,
  large: t`the proposal is too large`,
  chain: t`the proposal is for another chain than this network`,
};

const messages: { readonly [C in ErrorCode]: (details: ErrorDetails[C]) => string } = {
  HEX_MALFORMED: ({ text }) => t`"${text}" is not hex. Use pairs of the digits 0-9 and a-f.`,
  ADDRESS_MALFORMED: ({ text }) =>
    t`"${text}" is not an address. Use the base58 form (34 characters, T…) or the hex form (41…).`,
  ADDRESS_CHECKSUM_MISMATCH: ({ text }) =>
    t`"${text}" is mistyped: its checksum does not match. Copy the address again.`,
  ADDRESS_PREFIX_UNKNOWN: ({ text }) =>
    t`"${text}" is an address of a different kind of chain: its first byte is not 41.`,
  AMOUNT_MALFORMED: ({ text, reason }) => t`"${text}" is not an amount: ${reason}.`,
  CALL_UNREADABLE: ({ reason }) => t`This call cannot be sent as it is written. ${reason}.`,
  TRANSACTION_MALFORMED: ({ reason }) => t`These bytes are not a transaction: ${reason}.`,
  TRANSACTION_JSON_MALFORMED: ({ path, reason }) => t`The transaction cannot be read at ${path}: ${reason}.`,
  TRANSACTION_FILE_REFUSED: ({ reason }) =>
    t`This transaction was refused: ${reason}. Nothing was signed or sent. Ask the author for another file.`,
  TRANSACTION_NOT_WRITTEN: ({ file, reason }) =>
    t`${file} was not written: ${reason}. The transaction stays in the list; Export for Signature… on its row writes it to another file.`,
  SIGNATURE_MALFORMED: ({ reason }) => t`The signature cannot be used: ${reason}.`,
  SIGNATURE_DUPLICATE: ({ address }) => t`${address} has signed this transaction already. Another key has to sign it.`,
  TRANSACTION_ALTERED: ({ txId, actual }) =>
    t`The transaction was changed after signing: its bytes have the txID ${actual}, not ${txId}. It was not sent.`,
  TYPED_DATA_MALFORMED: ({ path, reason }) => t`The typed data cannot be read at ${path}: ${reason}. Correct it first.`,
  MESSAGE_REFUSED: ({ reason }) => t`Nothing was signed. ${reason}`,
  PRIVATE_KEY_MALFORMED: ({ reason }) => t`This is not a signing key: ${reason}.`,
  MNEMONIC_REFUSED: ({ reason }) => t`This recovery phrase was refused: ${reason}. Nothing was stored.`,
  KEY_PATH_MALFORMED: ({ reason }) => t`This is not a key path: ${reason}. Use the form m/44'/195'/0'/0/0.`,
  KEYSTORE_REFUSED: ({ reason }) => t`This keystore file was refused: ${reason}. Nothing was stored.`,
  KEYSTORE_PASSWORD_WRONG: () => t`The password does not open this keystore file (its MAC does not fit). Try again.`,
  KEY_TEXT_UNKNOWN: ({ reason }) => t`No signing key was found: ${reason}.`,
  KEY_FILE_REFUSED: ({ file, reason }) => t`${file} was refused: ${reason}. Choose another file.`,
  KEY_POLICY_REFUSED: ({ reason }) => t`Nothing was signed: ${reason}. To allow it, run Change Key Policy… on its row.`,
  ABI_MALFORMED: ({ reason }) => t`This does not follow the ABI: ${reason}.`,
  TRANSACTION_DIFFERS: ({ differences }) =>
    t`The gateway built another transaction than you requested (${differences.map((it) => it.path).join(", ")}). Nothing was signed.`,

  GATEWAY_UNREACHABLE: ({ endpoint, attempts, reason }) =>
    t`${endpoint} did not answer (${reason}; ${triesText(attempts)}). Check the URL of the network and that the node runs.`,
  GATEWAY_SILENT: ({ endpoint, reason, how, boundTo }) => {
    const what =
      how === "timeout"
        ? t`${endpoint} sent no answer in time (${reason}).`
        : t`${endpoint} closed the connection without an answer (${reason}).`;
    const why = t`With JWT on, a gateway drops tokens it does not accept: run Test Connection.`;
    return `${what} ${boundTo === undefined ? why : withheldText(boundTo)}`;
  },
  GATEWAY_UNAUTHORIZED: ({ endpoint, status, header, boundTo }) =>
    boundTo !== undefined
      ? t`${endpoint} answered ${status}. ${withheldText(boundTo)}`
      : t`${endpoint} answered ${status}: the API key in the header ${header} is missing or wrong. Run Set API Key.`,
  GATEWAY_RATE_LIMITED: ({ endpoint, retryAfterMs }) =>
    t`${endpoint} refused the request: too many requests. ${retryAfterMs === undefined ? t`Wait a little` : t`Wait ${Math.ceil(retryAfterMs / 1000)} s`} and try again.`,
  GATEWAY_HTTP_STATUS: ({ endpoint, status }) => {
    if (status === 408 || status === 504) {
      return t`${endpoint} answered ${status}: the request took too long. Try again later or use another URL.`;
    }
    if (status >= 500) {
      return t`${endpoint} answered ${status}: the gateway has an internal error. Try again later or use another URL.`;
    }
    if (status === 401)
      return t`${endpoint} answered ${status}: it does not accept the API key or the access token. Run Test Connection.`;
    if (status === 403) {
      return t`${endpoint} answered ${status}: a firewall before the gateway refused the request. Use another network connection or ask its operator.`;
    }
    return t`${endpoint} answered ${status}: this gateway does not accept the request. Check the URL of the network.`;
  },
  GATEWAY_ANSWER_MALFORMED: ({ endpoint, reason }) => t`The answer of ${endpoint} cannot be read: ${reason}.`,
  NODE_REFUSED: ({ code, message }) => t`The node refused this (${code}): ${message}`,
  PATH_NOT_SERVED: ({ endpoint, path, purpose }) =>
    t`${endpoint} does not serve ${path}, which is needed for ${purpose}. Add the URL of a gateway that serves it to the network, or choose another network.`,
  URL_NOT_ALLOWED: ({ url, reason }) => t`${url} cannot be used: ${reason}.`,

  JWT_KEY_MALFORMED: ({ reason }) => t`This is not a usable JWT key: ${reason}.`,
  JWT_KEY_TOO_SHORT: ({ bits }) => t`The JWT key has ${bits} bits; RSA keys need at least 2048. Create a new JWT key.`,
  JWT_SETTING_MISSING: ({ setting }) => unsetText(setting),
  JWT_KEYS_FULL: ({ network }) =>
    t`${network} has 3 JWT keys, the most that the service allows for an account. Remove one first: JWT Keys… lists them.`,
  JWT_KEY_UNKNOWN: ({ network, key }) => t`${network} has no JWT key ${key}. JWT Keys… lists its keys.`,
  JWT_KEY_MISSING: ({ network }) => t`${network} has no JWT key yet. Create one, or import the registered one.`,
  JWT_NOT_ASKED: ({ network }) => t`${network} does not require tokens. Run Local Chain Access… first.`,
  JWT_KEY_NOT_ACCEPTED: ({ network, key, keyId, reason }) =>
    t`${network} does not accept the JWT key ${key} with the ID "${keyId}". The key was not switched. ${reason} Compare public key, ID and audience with the JWT page of the account, then try again.`,
  PLAIN_HTTP_UNCONFIRMED: ({ network, urls }) =>
    t`No request was sent: ${network} uses ${urls}, which is not encrypted and not allowed on this computer. Use https, or run Edit Network and allow http.`,
  CLIENT_CERTIFICATE_UNUSABLE: ({ url, reason }) =>
    t`The client certificate for ${url} cannot be used: ${reason}. Set it again, or remove it.`,
  CREDENTIALS_IN_CLEAR: ({ network, url, what }) =>
    t`The ${what} of ${network} is never sent unencrypted, and ${url} is http. Use https there, or remove the ${what}.`,
  CREDENTIALS_WITHHELD: ({ network, url, what, boundTo }) =>
    t`Nothing was sent to ${url}: the ${what} of ${network} belongs to ${boundTo}, for which it was entered. Edit the network: set its URL back, or choose where its keys are sent.`,

  CHAIN_CHANGED: ({ url, before, now }) =>
    t`${url} is another chain than before: its first block was ${shortChainId(before)} and is ${shortChainId(now)} now. Nothing is signed or sent there. Correct the URL of the network. If its chain was restarted, or its earlier ID was wrong, run Test Connection and accept the new chain.`,
  CHAINS_DIFFER: ({ network, url, chain, otherUrl, other }) =>
    t`The URLs of ${network} are different chains: the first block of ${url} is ${shortChainId(chain)}, that of ${otherUrl} is ${shortChainId(other)}. Nothing is signed or sent there. Edit the network and remove one of them.`,
  CHAIN_LINK_BROKEN: ({ height, expectedParent, parent }) =>
    t`Block ${grouped(height)} does not continue the chain: its parent is ${parent}, not ${expectedParent}. The gateway may follow another chain.`,
  CHAIN_BLOCK_MISSING: ({ height }) => t`Block ${grouped(height)} could not be read. It will be requested again.`,
  CHAIN_BLOCK_UNCHECKED: ({ height }) =>
    t`The content of block ${grouped(height)} does not match its ID. It will be requested again.`,
  CHAIN_RECEIPTS_MISSING: ({ height }) =>
    t`The gateway did not return the results of the contract calls in block ${grouped(height)}. They will be requested again.`,
  JOURNAL_UNREADABLE: ({ file, reason }) =>
    t`A part of the journal could not be read (${reason}). It was saved as ${file}.`,
  JOURNAL_UNWRITABLE: ({ file, reason, step = t`Check its folder, then try again` }) =>
    t`The journal ${file} could not be written (${reason}). Nothing is sent until it can be. ${step}.`,
  JOURNAL_LOST: ({ file, seconds }) =>
    t`Another program removed or changed the journal ${file} while this window was open. This window wrote its entries again. Nothing is sent for ${seconds} s, until every window has done the same. Exclude that file from cleanup and synchronization tools, check Transactions, then try again.`,
  JOURNAL_NEWER: ({ file, lines }) =>
    t`A newer version of Finality wrote entries to the journal ${file} that this version cannot read (lines: ${lines}). They stay unchanged, and the other transactions are tracked. Nothing is sent, so that nothing is sent twice. Update Finality, then reload the window.`,
  INCOMING_UNWRITABLE: ({ file, reason }) =>
    t`Payments and events could not be written to ${file} (${reason}). Nothing is lost: these blocks will be read again. Check the folder and the disk space.`,
  NOTE_UNWRITABLE: ({ file, reason }) =>
    t`The note was not saved: ${file} cannot be written (${reason}). Check its folder, then try again.`,
  CONTRACTS_UNWRITABLE: ({ file, reason }) =>
    t`The list of contracts could not be written to ${file} (${reason}). Check the folder and the disk space.`,

  RUN_KEY_USED: ({ key, run }) => t`The key “${key}” belongs to run ${run}. No row was stored.`,
  RUN_DIFFERS: ({ run }) => t`Run ${run} has other rows. Nothing was changed.`,
  RUN_STORE_UNAVAILABLE: ({ store, reason }) => t`The runs in ${store} cannot be used (${reason}).`,
  RUN_COMMIT_UNKNOWN: ({ txId, reason }) => t`The store did not confirm ${txId} (${reason}). It was not sent.`,

  COMMAND_ARGUMENT_MALFORMED: ({ argument, reason }) => t`The argument ${argument} cannot be used: ${reason}.`,
  EQUAL_TRANSACTION_ALIVE: ({ txId, state, unverified }) =>
    describePending(txId, state) +
    (unverified === undefined
      ? ""
      : t` It was signed for ${unverified}. Finality could not verify that this is another chain and treats it as the same. Try again when every URL of both networks answers.`),
  REPLACEMENT_REFUSED: ({ reason }) => t`Nothing was replaced. ${reason}`,
  SIGN_AGAIN_REFUSED: ({ reason }) => t`Nothing was signed. ${reason}`,
  AGAIN_REFUSED: ({ reason }) => t`Nothing was repeated. ${reason}`,
  PROOF_MISSING: ({ reason }) => t`There is no proof of absence to export. ${reason}`,
  EXPLORER_MISSING: ({ network }) =>
    t`No block explorer is known for "${network}". Set its explorerUrl with Finality: Edit Network.`,
  RESEND_REFUSED: ({ reason }) => t`The same bytes were not sent again. ${reason}`,
  SIGNING_KEY_MISSING: ({ address }) =>
    t`There is no signing key for ${address} here; you can only watch this address. Import its key first.`,
  SIGNING_KEY_FOREIGN: ({ address }) =>
    t`The signing key stored for ${address} belongs to another address. Nothing was signed. Import the key of this address again.`,
  SIGNATURE_FOREIGN: ({ address, signer }) =>
    t`The signature is of ${signer}, not of ${address}. Nothing was sent. Import the key of this address again.`,
  OUTSIDE_SIGNATURE_MISSING: ({ reason, possibleUntil: until }) =>
    t`${reason} Nothing was sent.` +
    (until === undefined
      ? ""
      : t` The wallet received the transaction and can still send it until ${until}; Finality tracks it. To continue with the same transaction, use Add Signature… on its row.`),
  PERMISSION_REFUSED: ({ reason }) => t`Nothing was signed. ${reason}`,
  WEIGHT_TOO_LOW: ({ reason }) => t`Nothing was signed. ${reason}`,
  LOCK_OUT_REFUSED: ({ reason }) => t`Nothing was signed. ${reason}`,
  WORKSPACE_NOT_TRUSTED: ({ what }) => restrictedText(what),
  UPGRADE_REFUSED: ({ reason }) => t`The upgrade was not signed: ${reason}.`,
  PROPOSAL_REFUSED: ({ why }) =>
    t`Nothing was signed: ${proposalReasons[why]}. Review the proposals that are in the Transactions view now.`,
  PROPOSALS_FULL: ({ most }) => t`${most} proposals wait for a review. Review or discard some of them first.`,
  TRANSACTION_KNOWN: ({ txId, state }) =>
    t`The gateway returned the bytes of an earlier transaction: ${txId} (${stateText(state)}). Nothing was signed, because the chain executes them at most once. Check that transaction, then send again, through another gateway if this repeats.`,
  ACCOUNT_GUARDED_ELSEWHERE: ({ address, host }) =>
    t`Nothing was signed: the journal on ${host} guards ${address} and has its transactions. When none is open there, send again and move the guard here.`,
  CONSENT_MISSING: ({ txId }) =>
    t`Nothing was signed or sent: the transaction ${txId} was not confirmed. Start again and read the review.`,
  SIGNING_ACCOUNT_MISSING: ({ network }) =>
    t`No account here can sign on ${network}. Generate or import a signing key first.`,
  VOTING_POWER_MISSING: ({ account }) => t`${account} has no votes. Stake coins to get votes.`,
  ACCOUNT_UNKNOWN: ({ account }) => t`"${account}" is not one of your accounts. Choose one in the Accounts view.`,
  ACCOUNT_NOT_ACTIVATED: ({ address, network }) =>
    t`${address} is not activated on ${network}: it has no permissions yet, and only its own key can sign. Send coins to it first.`,

  TRANSACTION_NOT_FOUND: ({ txId, network }) =>
    t`The node of ${network} has no transaction ${txId}. That proves nothing: it may be on another network, in the pool of another node, or too old for this node. Check the network, and track the txID to search for it.`,
  CONTRACT_UNKNOWN: ({ contract, reason }) => t`The contract "${contract}" cannot be used: ${reason}.`,
  TOKEN_DECIMALS_DIFFER: ({ token, endpoint, decimals, source, other }) =>
    t`${endpoint} reports that ${token} has ${decimals} decimals, but ${source} is ${other}. Nothing was signed, because 1.5 of it would be ambiguous. Ask the issuer of the token for its decimals; until then, use Call Contract with amounts in the smallest unit.`,
  FUNCTION_UNKNOWN: ({ function: name, contract, reason }) => t`${contract} has no function "${name}": ${reason}.`,
  CALL_WOULD_FAIL: ({ reason }) => t`Nothing was signed. ${reason}`,
  CALL_REVERTED: ({ function: name, contract, reason }) => t`${name} of ${contract} returned nothing. ${reason}`,
  FEE_LIMIT_MISSING: ({ reason }) => t`Nothing was signed: no fee_limit could be estimated. ${reason}`,

  NETWORK_NOT_CHOSEN: ({ available }) =>
    available === 0
      ? t`No network is chosen. Start the local chain, or add a network.`
      : t`No network is active. Choose one, or start the local chain.`,
  NETWORK_NOT_ADDED: () => t`This command needs a network that you added. Add a network first.`,
  NETWORK_UNKNOWN: ({ network }) => t`There is no network "${network}". Add it, or choose another one.`,
  NETWORK_NAME_TAKEN: ({ network }) => t`There is a network "${network}" already. Choose another name.`,
  SETTING_MALFORMED: ({ setting, reason }) =>
    t`The setting ${setting} cannot be used: ${reason}. Correct it in the settings.`,
  SECRETS_UNAVAILABLE: ({ reason }) => t`The secret storage of the editor is not available (${reason}). Try again.`,
  SECRETS_FORGOTTEN: () =>
    t`This editor does not persist secrets, so nothing was stored. Use the palette, or sessionOnly: true.`,
  EDITOR_SILENT: ({ network, seconds }) =>
    t`The editor gave no access to ${network} within ${seconds} s. Another window tracks its transactions meanwhile. If this continues, reload this window.`,
  LOCAL_CHAIN_STOPPED: ({ isDisconnected }) =>
    t`${isDisconnected === true ? t`This window is disconnected from the local chain.` : t`The local chain is not running.`} Start it, or choose another network.`,
  LOCAL_CHAIN_FAILED: ({ reason }) => t`The local chain could not start: ${reason}. See the log.`,
  LOCAL_CHAIN_UNPROVEN: ({ baseUrl }) =>
    t`The server at ${baseUrl} did not prove that it is the started local chain, so it is not used as one. Stop the local chain and start it again.`,
  TRACE_UNAVAILABLE: ({ reason }) => t`There is no trace: ${reason}.`,
  EXPRESSION_REFUSED: ({ reason }) => t`The expression has no value: ${reason}.`,
  COST_SNAPSHOT_UNREADABLE: ({ file, reason }) =>
    t`Nothing was saved: ${file} cannot be read (${reason}) and would be overwritten. Repair or delete it, then save again.`,
};

/** Returns true if the text is an error code of this package. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(messages, text);
}

/** Failure with a stable code. Its message is for users, its details are data for programs. */
export class ChainError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "ChainError";
  readonly code: C;
  readonly details: ErrorDetails[C];

  constructor(code: C, details: ErrorDetails[C], options?: ErrorOptions) {
    super(messages[code](details), options);
    this.code = code;
    this.details = details;
  }
}

/** `switch (error.code)` narrows `details` too. */
export type AnyChainError = { [C in ErrorCode]: ChainError<C> }[ErrorCode];

/** Returns true for errors of this package, including a second copy of it. Then the code narrows the details. */
export function isChainError(thrown: unknown): thrown is AnyChainError {
  return thrown instanceof Error && thrown.name === "ChainError" && "code" in thrown && String(thrown.code) in messages;
}

/** As `grouped` of the formats, which this folder cannot import. */
function grouped(height: number): string {
  return height.toLocaleString("en-US");
}

/** Number of digits of a block ID that are its height. */
const HEIGHT_DIGITS = 16;
const SHOWN_DIGITS = 12;

/** Shortened ID that distinguishes chains: the digits after the height. */
export function shortChainId(chain: string): string {
  return chain.slice(HEIGHT_DIGITS, HEIGHT_DIGITS + SHOWN_DIGITS);
}

/** For keys that were not sent to a URL. @param boundTo - Origins for which they were entered. */
export function withheldText(boundTo: string): string {
  return t`The keys of this network were entered for ${boundTo} and are not sent elsewhere. If they belong here too, edit the network: Keys are sent to.`;
}

/** For JWT without its required settings. */
export function unsetText(setting: keyof typeof UNSET): string {
  return UNSET[setting];
}

const UNSET = {
  audience: t`JWT is on for this network, but its audience is not set. Edit the network.`,
  "private key": t`JWT is on for this network, but its private key is not set. Run JWT Keys….`,
  "key ID (kid)": t`JWT is on for this network, but its key ID (kid) is not set. Run JWT Keys….`,
} as const;

/** Describes the number of requests for the same data. */
export function triesText(attempts: number): string {
  return attempts === 1 ? t`${attempts} try` : t`${attempts} tries`;
}

/**
 * Returns the refusal of a window with an untrusted workspace.
 *
 * @param what - Action that was refused.
 */
export function restrictedText(what: keyof typeof RESTRICTED): string {
  return `${RESTRICTED[what]} ${t`Trust the workspace first, if you know where its files come from.`}`;
}

const RESTRICTED = {
  signed: t`Nothing was signed: this window is in Restricted Mode.`,
  sent: t`Nothing was sent: this window is in Restricted Mode.`,
  read: t`Nothing was read: this window is in Restricted Mode.`,
} as const;

/** Describes a state in a sentence, for messages outside the list; returns other text unchanged. */
export function stateText(state: string): string {
  return STATES[state] ?? state;
}

const STATES: Readonly<Record<string, string>> = {
  unknown: t`unknown`,
  signed: t`signed`,
  pending: t`pending`,
  included: t`included`,
  solidified: t`solidified`,
  rejected: t`rejected`,
  replaced: t`replaced`,
  "proven-absent": t`proven-absent`,
};

/** For an equal transaction. @param state - Its state here. */
export function describePending(txId: string, state: string): string {
  switch (state) {
    case "solidified":
      return t`An equal transaction was executed meanwhile: ${txId}. Nothing was sent. Check it first: another one would pay twice.`;
    case "failed":
      return t`An equal transaction failed according to its gateway, and no other URL confirms it: ${txId}. Nothing was sent. Check it in an explorer, or try again when the other URLs answer: if it was executed, another one would pay twice.`;
    case "rejected":
    case "replaced":
      return t`An equal transaction was refused according to a gateway. It cannot be queried there now, or another network shows it: ${txId}. Nothing was sent. Try again when the gateway answers: if it was executed anyway, another one would pay twice.`;
    default:
      return t`An equal transaction is ${state === "unknown" ? t`of unknown outcome` : stateText(state)} and may still be executed: ${txId}. Nothing was sent. Watch it, or send the same bytes again.`;
  }
}
