import { t } from "@vscode/l10n";
import type { CommandIdOf } from "./command-ids.ts";
import {
  asks,
  type CommandRow,
  clipboard,
  HAS_ACCOUNT,
  HAS_HIDDEN_NOTICE,
  HAS_KEY,
  HAS_NETWORK,
  HAS_OWN_KEY,
  HTTPS_NETWORK,
  harmless,
  JWT_KEYS,
  JWT_NETWORK,
  OWN_NETWORK,
  ofLocalChain,
  reads,
  shows,
  TRUSTED,
  whileChainRuns,
} from "./command-row.ts";

type Here = "documentation" | "localChain" | "networks" | "credentials" | "addressNames" | "editor";

/** The rows of what is set up before anything is sent: chain, networks, keys, accounts. */
export const setupCommandTable: { readonly [Id in CommandIdOf<Here>]: CommandRow } = {
  "finality.startLocalChain": {
    title: t`Start Local Chain`,
    icon: "play",
    enablement: "!finality.localChainRunning",
    palette: "!finality.localChainRunning",
    others: ofLocalChain,
  },
  "finality.stopLocalChain": {
    title: t`Stop Local Chain`,
    icon: "debug-stop",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainFaults": { title: t`Local Chain Faults…`, icon: "zap", ...whileChainRuns, others: ofLocalChain },
  "finality.localChainMine": {
    title: t`Mine Blocks…`,
    icon: "debug-step-over",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainWarp": { title: t`Warp Time…`, icon: "history", ...whileChainRuns, others: ofLocalChain },
  "finality.localChainSnapshot": {
    title: t`Take Snapshot…`,
    icon: "device-camera",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainRestore": {
    title: t`Restore Snapshot…`,
    icon: "discard",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainReset": {
    title: t`Reset Local Chain`,
    icon: "debug-restart",
    ...whileChainRuns,
    others: ofLocalChain,
  },
  "finality.localChainAccess": { title: t`Local Chain Access…`, icon: "lock", others: ofLocalChain },
  "finality.addNetwork": {
    title: t`Add Network…`,
    others: harmless(
      t`a new network has no keys; it asks before keys that an earlier network of its name left are deleted, and before http in the own network`,
    ),
  },
  "finality.editNetwork": {
    title: t`Edit Network…`,
    enablement: OWN_NETWORK,
    icon: "edit",
    others: asks(
      t`before URLs, header or real money of a network with keys, or of real money, change, and before http in the own network`,
    ),
  },
  "finality.switchNetwork": {
    title: t`Switch Network…`,
    icon: "plug",
    others: harmless(t`the review names the network`),
  },
  "finality.removeNetwork": {
    title: t`Remove Network…`,
    enablement: OWN_NETWORK,
    others: asks(t`when it has keys, or transactions that are not final`),
  },
  "finality.testConnection": {
    title: t`Test Connection`,
    enablement: HAS_NETWORK,
    others: harmless(t`keys go only to the origins that they were entered for`),
  },
  "finality.setClientCertificate": {
    title: t`Set Client Certificate…`,
    enablement: HTTPS_NETWORK,
    others: asks(t`which file is shown to which host, before it is kept or removed`),
  },
  "finality.importNetworks": {
    title: t`Import Networks…`,
    enablement: `${TRUSTED} && workspaceFolderCount > 0`,
    icon: "cloud-download",
    others: harmless(
      t`a new network has no keys; it asks before private keys of the file become accounts, and before http`,
    ),
  },
  "finality.createJwtKey": {
    title: t`Create JWT Key…`,
    enablement: JWT_NETWORK,
    others: harmless(t`a further key record, of which there are at most 3; nothing is replaced`),
  },
  "finality.importJwtKey": {
    title: t`Import JWT Key…`,
    enablement: JWT_NETWORK,
    others: harmless(t`a further key record, of which there are at most 3; nothing is replaced`),
  },
  "finality.jwtKeys": { title: t`JWT Keys…`, enablement: JWT_NETWORK, icon: "key", others: shows },
  "finality.renameJwtKey": {
    title: t`Rename JWT Key…`,
    enablement: JWT_KEYS,
    icon: "edit",
    others: asks(t`before the ID of a key in use changes`),
  },
  "finality.useJwtKey": {
    title: t`Use JWT Key…`,
    enablement: JWT_KEYS,
    icon: "pass",
    others: asks(t`before another key is used`),
  },
  "finality.removeJwtKey": {
    title: t`Remove JWT Key…`,
    enablement: JWT_KEYS,
    icon: "trash",
    others: asks(t`before a JWT key is deleted`),
  },
  "finality.rotateJwtKey": {
    title: t`Rotate JWT Key…`,
    enablement: JWT_KEYS,
    icon: "sync",
    others: asks(t`before the new key is used and the old one deleted`),
  },
  "finality.inspectToken": {
    title: t`Inspect Token`,
    enablement: JWT_KEYS,
    icon: "eye",
    others: harmless(t`shows header and payload of a token, never the signature that makes it count`),
  },
  "finality.setTokenLifetime": {
    title: t`Set Token Lifetime…`,
    enablement: JWT_KEYS,
    others: asks(t`before tokens have no end`),
  },
  "finality.setApiKey": {
    title: t`Set API Key…`,
    enablement: OWN_NETWORK,
    others: asks(t`before it replaces or removes an API key`),
  },
  "finality.generateSigningKey": {
    title: t`Generate Signing Key…`,
    icon: "add",
    others: harmless(t`a new account; nothing is replaced`),
  },
  "finality.importSigningKey": {
    title: t`Import Signing Key…`,
    others: harmless(t`a new account; it asks before another key of its address is replaced`),
  },
  "finality.exportSigningKey": {
    title: t`Export Signing Key…`,
    enablement: HAS_KEY,
    others: asks(t`always, and a word has to be typed; the caller gets no key`),
  },
  "finality.changeKeyPolicy": {
    title: t`Change Key Policy…`,
    enablement: HAS_OWN_KEY,
    icon: "shield",
    others: asks(t`before a key may sign more than now`),
  },
  "finality.removeSigningKey": {
    title: t`Remove Signing Key…`,
    enablement: HAS_ACCOUNT,
    icon: "trash",
    others: asks(t`when it has a key that is not of a local chain`),
  },
  "finality.addWatchOnlyAddress": {
    title: t`Add Watch-Only Address…`,
    icon: "eye",
    others: harmless(t`a new account without a key; the name of a known one stays`),
  },
  "finality.connectBrowserWallet": {
    title: t`Connect Browser Wallet…`,
    icon: "browser",
    others: harmless(t`an account without a key here; each signature asks in the editor and in the wallet`),
  },
  "finality.copyAddress": { title: t`Copy Address`, enablement: HAS_ACCOUNT, icon: "copy", others: clipboard },
  "finality.refreshAccounts": {
    title: t`Refresh Accounts`,
    enablement: `${HAS_NETWORK} && ${HAS_ACCOUNT} && ${TRUSTED}`,
    icon: "refresh",
    others: reads,
  },
  "finality.showBalance": { title: t`Show Balance…`, enablement: `${HAS_NETWORK} && ${HAS_ACCOUNT}`, others: reads },
  "finality.nameAddress": {
    title: t`Name Address…`,
    icon: "book",
    others: asks(t`with the whole address, before a name that a program brings along is kept`),
  },
  "finality.showLog": { title: t`Show Log`, icon: "output", others: shows },
  "finality.openWalkthrough": { title: t`Open Walkthrough`, icon: "mortar-board", others: shows },
  "finality.openDocumentation": { title: t`Open Documentation…`, icon: "book", others: shows },
  "finality.showNoticesAgain": {
    title: t`Show Hidden Notices Again`,
    enablement: HAS_HIDDEN_NOTICE,
    others: harmless(t`notices that were turned off come again`),
  },
};
