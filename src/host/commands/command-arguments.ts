import type { NetworkField } from "@finality/client/gateway";
import { ChainError, isChainError } from "@finality/tron/errors";
import { withoutStop } from "@finality/tron/format";
import {
  type Address,
  exactNumberText,
  isJsonObject,
  type Json,
  parseAddress,
  parseTxId,
  shorten,
  type TxId,
} from "@finality/tron/primitives";
import {
  type Fields,
  flag,
  type ObjectOf,
  object,
  oneOf,
  type Read,
  ReadError,
  text as secret,
  text,
} from "@finality/tron/read";
import { t } from "@vscode/l10n";
import type { CommandId } from "../contributions.ts";

/** Argument object with these fields. Each may be absent: the command prompts for what it needs. */
export type ArgumentsOf<F extends Fields> = ObjectOf<Record<never, never>, F>;

/** Reads text. A number is taken as written: 1.5 is "1.5". `parseArguments` refuses numbers that lost digits. */
export const writtenText: Read<string> = (value) =>
  typeof value === "number" || typeof value === "bigint" ? String(value) : text(value);

/** Reads a list of texts, or a single text. */
export const texts: Read<readonly string[]> = (value) => {
  if (typeof value === "string") return [value];
  if (Array.isArray(value) && value.every((it) => typeof it === "string")) return value;
  throw new ReadError(t`a list of texts`);
};

/** Passes any JSON value on to its reader. */
export const json: Read<Json> = (value) => value as Json;

/**
 * Reads the argument of a command: an object of a keybinding, task or extension, or a tree row. Unknown fields are
 * dropped, because rows have more. Null means absent.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function parseArguments<F extends Fields>(value: unknown, fields: F): ArgumentsOf<F> {
  const source = isJsonObject(value) ? value : {};
  const named = Object.keys(fields).map((name) => [name, source[name] ?? undefined] as const);
  for (const [name, it] of named) if (typeof it === "number") exactNumber(name, it);
  try {
    return object({}, fields)(Object.fromEntries(named));
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw malformedArgument(error.path.slice(1), t`it must be ${error.expected}`);
  }
}

/**
 * Returns a number of an argument as it was written.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` JSON may have lost digits of it
 */
export function exactNumber(argument: string, value: number): string {
  const written = exactNumberText(value);
  if (written === undefined) throw writeAsText(argument, value);
  return written;
}

/**
 * Returns an integer of an argument as it was written.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` it has a fraction, or JSON may have lost digits of it
 */
export function exactInteger(argument: string, value: number): bigint {
  const written = exactNumber(argument, value);
  if (!Number.isInteger(value)) throw writeAsText(argument, value);
  return BigInt(written);
}

function writeAsText(argument: string, value: number): ChainError {
  return malformedArgument(argument, t`write ${value} as a text, so that it keeps every digit`);
}

/**
 * Returns the address of the account with this name, or parses an address.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function readParty(
  argument: string,
  text: string,
  accounts: readonly { readonly label: string; readonly address: Address }[],
): Address {
  const named = accounts.find(({ label }) => label === text.trim())?.address;
  return named ?? readAs(argument, text.trim(), parseAddress);
}

/**
 * Parses the text of one field.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` with the parser's message
 */
export function readAs<T>(argument: string, field: string, parse: (text: string) => T): T {
  try {
    return parse(field);
  } catch (cause) {
    if (!isChainError(cause)) throw cause;
    const reason = withoutStop(cause.message);
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason }, { cause });
  }
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function readTxId(argument: string, field: string): TxId {
  const txId = parseTxId(field);
  if (txId !== undefined) return txId;
  throw malformedArgument(argument, t`${shorten(field)} is not a txID (64 hex digits)`);
}

/**
 * Reads txIDs of conflicting transactions that the caller acknowledges, separated by blanks or commas.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function readAcknowledged(fields: readonly string[]): readonly TxId[] {
  const txIds = fields.flatMap((it) => it.trim().split(/[\s,]+/));
  return txIds.map((it) => readTxId("acknowledgeUnknown", it));
}

/** Reads a permission ID: 0 is the owner permission. @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function readPermissionId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,3}$/.test(text.trim())) return Number(text.trim());
  throw malformedArgument("permissionId", t`write the number of a permission, such as 2`);
}

/** Returns the error for a field that cannot be used. */
export function malformedArgument(argument: string, reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason });
}

const network = { network: writtenText };
const address = { address: writtenText };
const txId = { txId: writtenText };
/** A call in a document: its offset, and its index if several start at one offset. */
const place = { uri: writtenText, offset: writtenText, index: writtenText };
/** Fields of a network that a command sets. */
const networkFields = {
  baseUrl: writtenText,
  solidityBaseUrl: writtenText,
  fallbackUrls: texts,
  jwt: flag,
  audience: writtenText,
  keyId: writtenText,
  apiKeyHeader: writtenText,
  production: flag,
  explorerUrl: writtenText,
} satisfies { readonly [F in Exclude<NetworkField, "name">]: Read<unknown> };
/** Options to export the transaction to a file instead of broadcasting it. */
const sharing = { share: flag, unsigned: flag, file: writtenText };
const sending = {
  ...sharing,
  expirySeconds: writtenText,
  ...network,
  from: writtenText,
  permissionId: writtenText,
  feeLimit: writtenText,
  label: writtenText,
  acknowledgeUnknown: texts,
  acknowledgeFailure: flag,
};
const systemContract = {
  ...sharing,
  ...network,
  ...address,
  from: writtenText,
  permissionId: writtenText,
  label: writtenText,
  acknowledgeUnknown: texts,
  expirySeconds: writtenText,
};
/** A transaction from outside: one of `file`, `uri`, `text` and `clipboard` locates it. */
const sharedFile = {
  ...network,
  file: writtenText,
  uri: writtenText,
  text: writtenText,
  clipboard: flag,
  broadcast: flag,
  label: writtenText,
  acknowledgeUnknown: texts,
};
/** A message as text, or its bytes. */
const message = { message: text, hex: writtenText };
/** Typed data as JSON or as its text, or the file with it. */
const typedData = { typedData: json, file: writtenText, uri: writtenText };
const staking = { ...systemContract, resource: writtenText, amount: writtenText };
const delegation = { ...staking, to: writtenText };
const ofContract = { ...systemContract, contract: writtenText };
const code = { contract: writtenText, arguments: json, callValue: writtenText };

/**
 * Reader for each field of each command's argument. A `secret` is text that never appears in a message. Every field may
 * be absent: the command prompts for what it needs.
 */
export const commandShapes = {
  "finality.startLocalChain": { access: writtenText },
  "finality.forkNetwork": { network: writtenText },
  "finality.stopLocalChain": { confirmed: flag },
  "finality.localChainFaults": { faults: json, seed: writtenText },
  "finality.localChainMine": { blocks: writtenText },
  "finality.localChainWarp": { ms: writtenText },
  "finality.localChainSnapshot": { id: writtenText },
  "finality.localChainRestore": { id: writtenText },
  "finality.localChainReset": {},
  "finality.localChainAccess": { access: writtenText },
  "finality.addNetwork": { name: writtenText, ...networkFields, preset: writtenText, apiKey: secret },
  "finality.editNetwork": { ...network, ...networkFields },
  "finality.switchNetwork": network,
  "finality.removeNetwork": network,
  "finality.testConnection": network,
  "finality.importNetworks": { file: writtenText, names: texts },
  "finality.setClientCertificate": { ...network, file: writtenText, keyFile: writtenText, passphrase: secret },
  "finality.createJwtKey": { ...network, name: writtenText, keyId: writtenText },
  "finality.importJwtKey": {
    ...network,
    name: writtenText,
    keyId: writtenText,
    privateKeyPem: secret,
    password: secret,
  },
  "finality.jwtKeys": network,
  "finality.renameJwtKey": { ...network, key: writtenText, name: writtenText, keyId: writtenText },
  "finality.useJwtKey": { ...network, key: writtenText },
  "finality.removeJwtKey": { ...network, key: writtenText, confirmed: flag },
  "finality.rotateJwtKey": { ...network, name: writtenText, keyId: writtenText },
  "finality.inspectToken": network,
  "finality.setTokenLifetime": { ...network, seconds: writtenText },
  "finality.setApiKey": { ...network, apiKey: secret },
  "finality.generateSigningKey": { label: writtenText, sessionOnly: flag },
  "finality.importSigningKey": {
    label: writtenText,
    privateKey: secret,
    mnemonic: secret,
    passphrase: secret,
    path: writtenText,
    keystore: secret,
    password: secret,
    file: writtenText,
    sessionOnly: flag,
  },
  "finality.exportSigningKey": address,
  "finality.changeKeyPolicy": { ...address, policy: writtenText, above: writtenText },
  "finality.removeSigningKey": { ...address, confirmed: flag },
  "finality.addWatchOnlyAddress": { ...address, label: writtenText },
  "finality.connectBrowserWallet": { ...address, label: writtenText },
  "finality.copyAddress": { ...address, ...txId },
  "finality.refreshAccounts": {},
  "finality.showBalance": { ...network, account: writtenText },
  "finality.nameAddress": { ...address, ...txId, name: writtenText },
  "finality.showMenu": {},
  "finality.showLog": {},
  "finality.openWalkthrough": {},
  "finality.openDocumentation": { page: writtenText, heading: writtenText },
  "finality.showNoticesAgain": {},
  "finality.sendCoins": {
    ...sharing,
    ...network,
    ...address,
    from: writtenText,
    to: writtenText,
    amount: writtenText,
    memo: writtenText,
    permissionId: writtenText,
    label: writtenText,
    acknowledgeUnknown: texts,
    expirySeconds: writtenText,
  },
  "finality.trackTransaction": { ...txId, ...network, label: writtenText },
  "finality.sendSigned": { ...txId, acknowledgeUnknown: texts },
  "finality.sendSameBytesAgain": { ...txId, acknowledgeUnknown: texts },
  "finality.copyTxId": txId,
  "finality.openInExplorer": { ...txId, ...address, contract: writtenText, ...network },
  "finality.lookNow": txId,
  "finality.showTransaction": { ...txId, focus: flag },
  "finality.removeFromList": { ...txId, txIds: texts },
  "finality.removeSelected": {},
  "finality.clearFinal": { group: writtenText },
  "finality.undoRemove": {},
  "finality.groupTransactions": { by: writtenText },
  "finality.filterTransactions": {
    text: writtenText,
    state: writtenText,
    network: writtenText,
    account: writtenText,
    contract: writtenText,
    tag: writtenText,
  },
  "finality.clearTransactionFilter": {},
  "finality.showMoreTransactions": { group: writtenText },
  "finality.editNote": { ...txId, note: writtenText },
  "finality.exportTransactions": { file: writtenText, shown: flag },
  "finality.createReplacement": {
    ...txId,
    acknowledgeUnknown: texts,
    acknowledgeFailure: flag,
    expirySeconds: writtenText,
  },
  "finality.doItAgain": {
    ...txId,
    feeLimit: writtenText,
    acknowledgeUnknown: texts,
    acknowledgeFailure: flag,
    expirySeconds: writtenText,
  },
  "finality.exportProof": { ...txId, file: writtenText },
  "finality.stake": staking,
  "finality.unstake": staking,
  "finality.withdrawUnstaked": systemContract,
  "finality.cancelUnstakes": systemContract,
  "finality.delegate": { ...delegation, lockBlocks: writtenText },
  "finality.undelegate": delegation,
  "finality.vote": { ...systemContract, votes: json },
  "finality.withdrawReward": systemContract,
  "finality.sendTrc10": { ...systemContract, to: writtenText, tokenId: writtenText, amount: writtenText },
  "finality.createAccount": { ...systemContract, to: writtenText },
  "finality.updateAccountName": { ...systemContract, name: writtenText },
  "finality.setCallersShare": { ...ofContract, percent: writtenText },
  "finality.setEnergyLimit": { ...ofContract, limit: writtenText },
  "finality.clearAbi": ofContract,
  "finality.showPermissions": { ...network, ...address, account: writtenText },
  "finality.editPermissions": { ...systemContract, permissions: json, lockOut: writtenText },
  "finality.showSignatures": txId,
  "finality.watchIncoming": { ...network, ...address, token: writtenText, amount: writtenText, label: writtenText },
  "finality.stopWatchingIncoming": { id: writtenText },
  "finality.resumeWatching": { id: writtenText },
  "finality.removeIncoming": { id: writtenText },
  "finality.watchEvents": {
    ...{ ...network, ...address, contract: writtenText, event: writtenText, where: writtenText },
    ...{ from: writtenText, label: writtenText },
  },
  "finality.showEvents": { id: writtenText },
  "finality.exportEvents": { id: writtenText, file: writtenText },
  "finality.agentTools": {},
  "finality.reviewProposal": { id: writtenText },
  "finality.discardProposal": { id: writtenText },
  "finality.exportIncoming": { id: writtenText, file: writtenText },
  "finality.deployContract": { ...sending, ...code, userPercent: writtenText, originEnergyLimit: writtenText },
  "finality.callContract": {
    ...sending,
    ...code,
    ...txId,
    function: writtenText,
    tokenId: writtenText,
    tokenValue: writtenText,
  },
  "finality.readContract": { ...network, ...code, ...txId, from: writtenText, function: writtenText },
  "finality.copyValue": { ...network, contract: writtenText, function: writtenText },
  "finality.transferTokens": { ...sending, token: writtenText, to: writtenText, amount: writtenText },
  "finality.approveTokens": { ...sending, token: writtenText, spender: writtenText, amount: writtenText },
  "finality.tokenBalance": { ...network, token: writtenText, account: writtenText },
  "finality.signMessage": { ...network, ...message, ...address, account: writtenText },
  "finality.signTypedData": { ...network, ...typedData, ...address, account: writtenText, chainId: writtenText },
  "finality.verifySignature": { ...network, ...message, ...typedData, ...address, signature: writtenText },
  "finality.exportForSignature": { ...txId, file: writtenText },
  "finality.addSignature": { ...sharedFile, ...txId, signer: writtenText },
  "finality.importSignedTransaction": sharedFile,
  "finality.signAgain": { ...txId, signer: writtenText, acknowledgeUnknown: texts },
  "finality.showResult": txId,
  "finality.addContract": { ...network, ...address, name: writtenText, abi: json, abiFile: writtenText },
  "finality.removeContract": { ...network, ...address },
  "finality.refreshContracts": {},
  "finality.writeDeployments": { ...network, folder: writtenText },
  "finality.deployProxy": {
    ...sending,
    implementation: writtenText,
    initializer: writtenText,
    arguments: json,
    proxy: writtenText,
    owner: writtenText,
    userPercent: writtenText,
    originEnergyLimit: writtenText,
  },
  "finality.upgradeProxy": {
    ...sending,
    ...code,
    ...address,
    implementation: writtenText,
    reference: writtenText,
    artifact: writtenText,
    data: writtenText,
  },
  "finality.compareWithSource": {
    ...network,
    ...address,
    contract: writtenText,
    artifact: writtenText,
    arguments: json,
  },
  "finality.exportStandardJson": {
    ...network,
    ...address,
    contract: writtenText,
    artifact: writtenText,
    file: writtenText,
  },
  "finality.showTimeline": {
    ...txId,
    focus: flag,
    section: oneOf("call", "cost", "result", "events", "internal", "raw"),
  },
  "finality.copyReport": { ...txId, format: oneOf("markdown", "text", "json") },
  "finality.stopProof": txId,
  "finality.resumeProof": txId,
  "finality.runFile": { ...network, file: writtenText, uri: writtenText, account: writtenText },
  "finality.showRuns": { run: writtenText },
  "finality.reviewRunFile": { ...network, file: writtenText, uri: writtenText, account: writtenText },
  "finality.recheckProof": { file: writtenText, proof: writtenText, ...network, offline: flag },
  "finality.sendToAnotherNode": { ...txId, url: writtenText, acknowledgeUnknown: texts },
  "finality.decode": { input: writtenText, origin: writtenText, kept: writtenText, copy: flag },
  "finality.decodeTransaction": { ...txId, ...network },
  "finality.traceTransaction": { ...txId, ...network, focused: flag },
  "finality.debugTransaction": { ...txId, ...network, focused: flag },
  "finality.traceFailure": txId,
  "finality.showLineEnergy": {},
  "finality.compareLineEnergy": {},
  "finality.hideLineEnergy": {},
  "finality.estimateEnergy": place,
  "finality.refreshEstimates": { uri: writtenText },
  "finality.toggleEnergyHints": {},
  "finality.saveCostSnapshot": { folder: writtenText },
  "finality.showEstimate": place,
  "finality.traceCall": place,
  "finality.debugCall": place,
  "finality.sendCallOfFile": place,
  "finality.chooseCaller": { account: writtenText },
  "finality.forgetAnswers": {},
  "finality.decodeClipboard": { confirmed: flag },
  "finality.decodeTerminal": {},
  "finality.decodeDebugOutput": {},
  "finality.openDecoder": {},
} satisfies { readonly [Id in CommandId]: Fields };

/** Argument object of each command. */
export type CommandArguments = { readonly [Id in CommandId]: ArgumentsOf<(typeof commandShapes)[Id]> };

/**
 * Reads the argument of a command by its fields. Loaded with the first command.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function argumentsOf<Id extends CommandId>(id: Id, raw: unknown): CommandArguments[Id] {
  return parseArguments(raw, commandShapes[id]) as CommandArguments[Id];
}
