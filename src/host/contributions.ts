/** Commands of each feature. Tables, arguments and handlers have an entry for each. */
export const commandIds = {
  localChain: [
    "finality.startLocalChain",
    "finality.stopLocalChain",
    "finality.localChainFaults",
    "finality.localChainMine",
    "finality.localChainWarp",
    "finality.localChainSnapshot",
    "finality.localChainRestore",
    "finality.localChainReset",
    "finality.localChainAccess",
  ],
  networks: [
    "finality.addNetwork",
    "finality.editNetwork",
    "finality.switchNetwork",
    "finality.removeNetwork",
    "finality.testConnection",
    "finality.setClientCertificate",
    "finality.importNetworks",
  ],
  jwtKeys: [
    "finality.createJwtKey",
    "finality.importJwtKey",
    "finality.jwtKeys",
    "finality.renameJwtKey",
    "finality.useJwtKey",
    "finality.removeJwtKey",
    "finality.rotateJwtKey",
    "finality.inspectToken",
    "finality.setTokenLifetime",
    "finality.setApiKey",
  ],
  signingKeys: [
    "finality.generateSigningKey",
    "finality.importSigningKey",
    "finality.exportSigningKey",
    "finality.changeKeyPolicy",
    "finality.removeSigningKey",
    "finality.addWatchOnlyAddress",
    "finality.connectBrowserWallet",
  ],
  accountsView: ["finality.copyAddress", "finality.refreshAccounts", "finality.showBalance"],
  editor: ["finality.showMenu", "finality.showLog", "finality.openWalkthrough", "finality.showNoticesAgain"],
  documentation: ["finality.openDocumentation"],
  addressNames: ["finality.nameAddress"],
  transactions: [
    "finality.sendCoins",
    "finality.trackTransaction",
    "finality.sendSigned",
    "finality.sendSameBytesAgain",
    "finality.copyTxId",
    "finality.openInExplorer",
    "finality.lookNow",
    "finality.createReplacement",
    "finality.doItAgain",
    "finality.exportProof",
    "finality.stopProof",
    "finality.resumeProof",
    "finality.recheckProof",
    "finality.sendToAnotherNode",
  ],
  systemContracts: [
    "finality.stake",
    "finality.unstake",
    "finality.withdrawUnstaked",
    "finality.cancelUnstakes",
    "finality.delegate",
    "finality.undelegate",
    "finality.vote",
    "finality.withdrawReward",
    "finality.sendTrc10",
    "finality.createAccount",
    "finality.updateAccountName",
    "finality.setCallersShare",
    "finality.setEnergyLimit",
    "finality.clearAbi",
  ],
  permissions: ["finality.showPermissions", "finality.editPermissions", "finality.showSignatures"],
  sharedFiles: [
    "finality.exportForSignature",
    "finality.addSignature",
    "finality.importSignedTransaction",
    "finality.signAgain",
  ],
  incoming: [
    "finality.watchIncoming",
    "finality.stopWatchingIncoming",
    "finality.removeIncoming",
    "finality.exportIncoming",
  ],
  tracking: [
    "finality.showTransaction",
    "finality.showTimeline",
    "finality.copyReport",
    "finality.removeFromList",
    "finality.removeSelected",
    "finality.clearFinal",
    "finality.undoRemove",
  ],
  contracts: [
    "finality.deployContract",
    "finality.callContract",
    "finality.readContract",
    "finality.transferTokens",
    "finality.approveTokens",
    "finality.tokenBalance",
    "finality.showResult",
  ],
  energyHints: [
    "finality.estimateEnergy",
    "finality.refreshEstimates",
    "finality.toggleEnergyHints",
    "finality.saveCostSnapshot",
    "finality.showEstimate",
    "finality.sendCallOfFile",
    "finality.chooseCaller",
    "finality.forgetAnswers",
  ],
  decoder: ["finality.decode", "finality.decodeTransaction", "finality.decodeClipboard", "finality.openDecoder"],
  explanations: ["finality.decodeTerminal", "finality.decodeDebugOutput"],
} as const;

/** A part of the extension that has commands. */
export type Feature = keyof typeof commandIds;

export type CommandIdOf<F extends Feature> = (typeof commandIds)[F][number];

export type CommandId = CommandIdOf<Feature>;

export const viewIds = ["finality.transactions", "finality.accounts", "finality.networks"] as const;

/** Context keys of `when` clauses and walkthrough steps. */
export const contextKeys = [
  "finality.awake",
  "finality.hasNetwork",
  "finality.hasOwnNetwork",
  "finality.hasHttpsNetwork",
  "finality.hasJwtNetwork",
  "finality.hasAccount",
  "finality.hasKey",
  "finality.hasOwnKey",
  "finality.canSign",
  "finality.hasWatch",
  "finality.isWatching",
  "finality.hasHiddenNotice",
  "finality.hasExplorer",
  "finality.activeHasExplorer",
  "finality.localChainRunning",
  "finality.networkIsProduction",
  "finality.hasUnknown",
  "finality.hasTransaction",
  "finality.listed",
  "finality.hasFinal",
  "finality.canUndoRemove",
] as const;

export type ContextKey = (typeof contextKeys)[number];

/** All settings of the manifest; a test in test/architecture compares them. */
export const settingIds = [
  "finality.networks",
  "finality.activeNetwork",
  "finality.addressBook",
  "finality.confirm",
  "finality.transaction.expirySeconds",
  "finality.localChain.blockTime",
  "finality.abi.globs",
  "finality.decode.hoverIn",
  "finality.decode.terminalLinks",
  "finality.decode.diagnosticsIn",
  "finality.decode.watchTerminal",
  "finality.energy.marginPercent",
  "finality.energy.display",
  "finality.energy.autoRefresh",
] as const;

export type SettingId = (typeof settingIds)[number];
