import { type Fields, flag, text as secret } from "../../core/primitives/read.ts";
import { type ArgumentsOf, json, writtenText as text, texts } from "./command-arguments.ts";
import type { CommandId } from "./command-ids.ts";

const network = { network: text };
const address = { address: text };
const txId = { txId: text };
/** A call in a document: by its place in the text, and by its number where several stand at one place. */
const place = { uri: text, offset: text, index: text };
const fields = {
  baseUrl: text,
  solidityBaseUrl: text,
  fallbackUrls: texts,
  jwt: flag,
  audience: text,
  keyId: text,
  apiKeyHeader: text,
  production: flag,
  explorerUrl: text,
};
/** It leaves as a file instead of being broadcast. */
const sharing = { share: flag, unsigned: flag, file: text };
const sending = {
  ...sharing,
  expirySeconds: text,
  ...network,
  from: text,
  permissionId: text,
  feeLimit: text,
  label: text,
  acknowledgeUnknown: texts,
  acknowledgeFailure: flag,
};
const everyday = {
  ...sharing,
  ...network,
  ...address,
  from: text,
  permissionId: text,
  label: text,
  acknowledgeUnknown: texts,
  expirySeconds: text,
};
/** A transaction of somebody else: one of `file`, `uri`, `text` and `clipboard` says where it is. */
const sharedFile = {
  ...network,
  file: text,
  uri: text,
  text,
  clipboard: flag,
  broadcast: flag,
  label: text,
  acknowledgeUnknown: texts,
};
const staking = { ...everyday, resource: text, amount: text };
const lending = { ...staking, to: text };
const ofContract = { ...everyday, contract: text };
const code = { contract: text, arguments: json, callValue: text };

/**
 * How the argument object of each command is read. A `secret` is text that never enters a message. Every field may be
 * left out: what is needed and missing is asked for.
 */
export const commandShapes = {
  "finality.startLocalChain": {},
  "finality.stopLocalChain": { confirmed: flag },
  "finality.localChainFaults": { faults: json, seed: text },
  "finality.localChainMine": { blocks: text },
  "finality.localChainWarp": { ms: text },
  "finality.localChainSnapshot": { id: text },
  "finality.localChainRestore": { id: text },
  "finality.localChainReset": { confirmed: flag },
  "finality.addNetwork": { name: text, ...fields, preset: text, apiKey: secret },
  "finality.editNetwork": { ...network, ...fields },
  "finality.switchNetwork": network,
  "finality.removeNetwork": { ...network, confirmed: flag },
  "finality.testConnection": network,
  "finality.createJwtKey": { ...network, keyId: text },
  "finality.importJwtKey": { ...network, keyId: text, privateKeyPem: secret },
  "finality.setApiKey": { ...network, apiKey: secret },
  "finality.generateSigningKey": { label: text, sessionOnly: flag },
  "finality.importSigningKey": {
    label: text,
    privateKey: secret,
    mnemonic: secret,
    passphrase: secret,
    path: text,
    keystore: secret,
    password: secret,
    file: text,
    sessionOnly: flag,
  },
  "finality.exportSigningKey": address,
  "finality.changeKeyPolicy": { ...address, policy: text, above: text },
  "finality.removeSigningKey": { ...address, confirmed: flag },
  "finality.addWatchOnlyAddress": { ...address, label: text },
  "finality.connectBrowserWallet": { ...address, label: text },
  "finality.copyAddress": address,
  "finality.refreshAccounts": {},
  "finality.showBalance": { ...network, account: text },
  "finality.nameAddress": { ...address, ...txId, name: text },
  "finality.showLog": {},
  "finality.openWalkthrough": {},
  "finality.sendCoins": {
    ...sharing,
    ...network,
    ...address,
    from: text,
    to: text,
    amount: text,
    memo: text,
    permissionId: text,
    label: text,
    acknowledgeUnknown: texts,
    expirySeconds: text,
  },
  "finality.trackTransaction": { ...txId, ...network, label: text },
  "finality.sendSameBytesAgain": { ...txId, acknowledgeUnknown: texts },
  "finality.copyTxId": txId,
  "finality.openInExplorer": txId,
  "finality.lookNow": txId,
  "finality.showTransaction": { ...txId, focus: flag },
  "finality.removeFromList": txId,
  "finality.createReplacement": {
    ...txId,
    acknowledgeUnknown: texts,
    acknowledgeFailure: flag,
    expirySeconds: text,
  },
  "finality.doItAgain": {
    ...txId,
    feeLimit: text,
    acknowledgeUnknown: texts,
    acknowledgeFailure: flag,
    expirySeconds: text,
  },
  "finality.exportProof": { ...txId, file: text },
  "finality.stake": staking,
  "finality.unstake": staking,
  "finality.withdrawUnstaked": everyday,
  "finality.cancelUnstakes": everyday,
  "finality.delegate": { ...lending, lockBlocks: text },
  "finality.undelegate": lending,
  "finality.vote": { ...everyday, votes: json },
  "finality.withdrawReward": everyday,
  "finality.sendTrc10": { ...everyday, to: text, tokenId: text, amount: text },
  "finality.createAccount": { ...everyday, to: text },
  "finality.updateAccountName": { ...everyday, name: text },
  "finality.setCallersShare": { ...ofContract, percent: text },
  "finality.setEnergyLimit": { ...ofContract, limit: text },
  "finality.clearAbi": ofContract,
  "finality.showPermissions": { ...network, ...address, account: text },
  "finality.editPermissions": { ...everyday, permissions: json, lockOut: text },
  "finality.showSignatures": txId,
  "finality.watchIncoming": { ...network, ...address, token: text, amount: text, label: text },
  "finality.stopWatchingIncoming": { id: text },
  "finality.removeIncoming": { id: text },
  "finality.exportIncoming": { id: text, file: text },
  "finality.deployContract": { ...sending, ...code, userPercent: text, originEnergyLimit: text },
  "finality.callContract": { ...sending, ...code, ...txId, function: text, tokenId: text, tokenValue: text },
  "finality.readContract": { ...network, ...code, ...txId, from: text, function: text },
  "finality.transferTokens": { ...sending, token: text, to: text, amount: text },
  "finality.approveTokens": { ...sending, token: text, spender: text, amount: text },
  "finality.tokenBalance": { ...network, token: text, account: text },
  "finality.exportForSignature": { ...txId, file: text },
  "finality.addSignature": { ...sharedFile, ...txId, signer: text },
  "finality.importSignedTransaction": sharedFile,
  "finality.signAgain": { ...txId, signer: text, acknowledgeUnknown: texts },
  "finality.showResult": txId,
  "finality.showLifeLine": txId,
  "finality.copyReport": txId,
  "finality.stopProof": txId,
  "finality.resumeProof": txId,
  "finality.recheckProof": { file: text, proof: text, ...network, offline: flag },
  "finality.sendToAnotherNode": { ...txId, url: text, acknowledgeUnknown: texts },
  "finality.decode": { input: text, origin: text, kept: text, copy: flag },
  "finality.decodeTransaction": { ...txId, ...network },
  "finality.estimateEnergy": place,
  "finality.refreshEstimates": { uri: text },
  "finality.toggleEnergyHints": {},
  "finality.saveCostSnapshot": {},
  "finality.showEstimate": place,
  "finality.sendCallOfFile": place,
  "finality.chooseCaller": { account: text },
  "finality.forgetAnswers": {},
  "finality.decodeClipboard": { confirmed: flag },
  "finality.decodeTerminal": {},
  "finality.decodeDebugOutput": {},
  "finality.openDecoder": {},
} satisfies { readonly [Id in CommandId]: Fields };

/** What each command takes, as one object. */
export type CommandArguments = { readonly [Id in CommandId]: ArgumentsOf<(typeof commandShapes)[Id]> };
