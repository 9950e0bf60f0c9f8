import { t } from "@vscode/l10n";
import { group } from "./entry.ts";

/**
 * Messages of wallets, adapters of wallets and hardware wallets. `WALLET_FORMS` and `LEDGER_STATUS` have their texts.
 */
export const walletMessages = [
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of wallets and their adapters" }, [
    [
      "wallet-missing",
      [],
      t`The wallet was not found`,
      t`Its extension or app is not installed, not loaded yet, or not available in this browser. Nothing was signed or sent.`,
      t`Install and unlock the wallet, reload the page, and wait until it is ready.`,
    ],
    [
      "wallet-not-connected",
      [],
      t`The wallet is not connected`,
      t`No account was chosen, the page has no permission for it, or the wallet was disconnected. Nothing was signed or sent.`,
      t`Unlock the wallet, connect it to the page and choose the account. Then ask again.`,
    ],
    [
      "wallet-not-signed",
      [],
      t`The wallet did not sign`,
      t`The request to sign was refused, closed or failed inside of the wallet. Nothing was sent.`,
      t`Read the rest of the message, open the wallet, and ask again.`,
    ],
    [
      "wallet-network",
      [],
      t`The wallet uses another network`,
      t`The wallet uses another network than the page, could not switch, or does not tell which one it uses. Nothing was signed or sent.`,
      t`Choose the network in the wallet, and compare it with that of the page.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of wallets and their adapters" }, [
    [
      "wallet-busy",
      [],
      t`The wallet still shows an earlier request`,
      t`This request was not shown. The earlier one may be a transaction that is signed and sent when it is approved.`,
      t`Open the wallet and answer the earlier request. Look its txID up before anything is sent again.`,
    ],
    [
      "wallet-send-failed",
      [],
      t`It is not known whether the wallet sent the transaction`,
      t`The wallet signs and sends in one step, and reports a failure of that step. The transaction may have been sent.`,
      t`Look at the account's last transactions in the wallet or an explorer, and look up the txID, before anything is sent again.`,
    ],
  ]),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of Ledger devices" }, [
    [
      "ledger-declined",
      [],
      t`The device did not sign`,
      t`The request was refused on the Ledger device, or not approved in time. Nothing was signed or sent.`,
      t`Ask again, and approve on the device.`,
    ],
    [
      "ledger-data",
      [],
      t`The device does not accept the data`,
      t`The Ledger app cannot read the transaction: it is malformed, too long, or of a type that this version does not know. Nothing was signed or sent.`,
      t`Update the TRON app on the device, or shorten the memo.`,
    ],
    [
      "ledger-path",
      [],
      t`The device does not accept the derivation path`,
      t`The Ledger app takes paths of its own coin only. Nothing was signed or sent.`,
      t`Use a path such as 44'/195'/0'/0/0.`,
    ],
    [
      "ledger-setting-data",
      [],
      t`The device does not sign transactions with data`,
      t`The setting "Transactions data" (Allow data) of the TRON app is off, and this transaction has a memo. Nothing was signed or sent.`,
      t`Switch it on in the settings of the TRON app on the device, or leave the memo out.`,
    ],
    [
      "ledger-setting-hash",
      [],
      t`The device does not sign by hash`,
      t`The setting "Sign by hash" of the TRON app is off, and the app shows no details of this transaction. Nothing was signed or sent.`,
      t`Switch it on in the settings of the TRON app. The device then shows the hash alone: compare it with the txID.`,
    ],
    [
      "ledger-setting-contract",
      [],
      t`The device does not sign calls of unknown contracts`,
      t`The setting "Custom contracts" of the TRON app is off, and the app does not know this contract. Nothing was signed or sent.`,
      t`Switch it on in the settings of the TRON app on the device.`,
    ],
    [
      "ledger-parameter",
      [],
      t`The device does not know this request`,
      t`The program and the TRON app on the device have different versions. Nothing was signed or sent.`,
      t`Update the TRON app and the library (hw-app-trx).`,
    ],
    [
      "ledger-app",
      [],
      t`Another app is open on the device`,
      t`The TRON app is not open on the Ledger device, or is too old for this request. Nothing was signed or sent.`,
      t`Open the TRON app on the device, and update it.`,
    ],
    [
      "ledger-locked",
      [],
      t`The device is locked`,
      t`The Ledger device waits for its PIN. Nothing was signed or sent.`,
      t`Unlock the device, open the TRON app, and ask again.`,
    ],
    [
      "ledger-problem",
      [],
      t`The device could not be used`,
      t`The Ledger device was disconnected, is used by another program, or failed inside. Nothing was signed or sent.`,
      t`Close other programs that use the device, connect it again, and open the TRON app.`,
    ],
  ]),
];

/** Entries by the status word of a Ledger device; words that are not here mean `ledger-problem`. */
export const LEDGER_STATUS = {
  "6985": "ledger-declined",
  "5501": "ledger-declined",
  "6986": "ledger-declined",
  "6a80": "ledger-data",
  "6700": "ledger-data",
  "6800": "ledger-data",
  "6a84": "ledger-data",
  "6a8a": "ledger-path",
  "6a8b": "ledger-setting-data",
  "6a8c": "ledger-setting-hash",
  "6a8d": "ledger-setting-contract",
  "6a8e": "ledger-data",
  "6b00": "ledger-parameter",
  "6d00": "ledger-app",
  "6d02": "ledger-app",
  "6e00": "ledger-app",
  "6e01": "ledger-app",
  "6511": "ledger-app",
  "5515": "ledger-locked",
  "6982": "ledger-locked",
  "6804": "ledger-locked",
  "6b0c": "ledger-locked",
  "63c0": "ledger-locked",
  b004: "ledger-data",
  b005: "ledger-data",
} as const satisfies { readonly [word: string]: string };

/** Entries by the classes of errors of wallet adapters; what the wallet itself says of a refusal comes first. */
export const WALLET_FORMS = [
  [
    "tool-declined",
    /\bWallet\w{0,30}Error\b[^\n]{0,200}\b(?:reject|declin|denied|deny|cancel)|\bACTION_REJECTED\b|\buser rejected action\b|\buser (?:rejected|declined|denied) (?:the |this )?(?:request|transaction|signature|signing)|\brejected by (?:the )?user\b|\b(?:transaction|request|signature) (?:was )?(?:rejected|declined|denied|cancell?ed) by (?:the )?user\b|\bUser denied (?:transaction|message) signature|\bUserRejectedRequestError\b|\bUser reject the request\b|\bcode["']?\s?: ?500[0-6]\b[^\n]{0,40}\bUser (?:rejected|disapproved)|\bUser disapproved requested (?:methods|chains|events)\b|\bFailure_ActionCancelled\b|\bAction cancelled by user\b|\bUser (?:cancell?ed|rejected|declined|closed) the (?:request|transaction|signing|connection)|\bReject(?:ed)? (?:the )?session\b/i,
  ],
  [
    "wallet-missing",
    /\bWallet(?:NotFound|NotReady|NotInstalled|Load|WalletLoad|Config)Error\b|\b(?:Connector|Provider)NotFoundError\b|\bNoEthereumProviderError\b|\bNo injected provider found\b|\b[Tt]ronLink\b[^\n]{0,60}\bnot (?:installed|found|detected|available)\b/,
  ],
  [
    "wallet-not-connected",
    /\bWallet(?:NotSelected|Disconnected|NotConnected|Connection|Disconnection|Account|PublicKey|Keypair)Error\b|\bConnector(?:NotConnected|AccountNotFound|Unavailable)\w{0,12}Error\b|\bFailed to connect to (?:MetaMask|TronLink)\b|\bConnection request reset\. Please try again|\bSession not approved\b|\bWallet (?:is )?not connected\b|\b[Uu]ser has not unlocked (?:Tron\w{2,8}|wallet)\b|\b[Pp]lease connect (?:your |the )?wallet\b|\b[Tt]ronLink\b[^\n]{0,60}\b(?:locked|unlock|log ?in|not (?:logged in|connected|ready))\b|\bNo matching key\. \w{3,20}\b|\bMissing or invalid\. request\(\)/,
  ],
  [
    "wallet-send-failed",
    /\bWalletSendTransactionError\b|\bSomething (?:went )?wrong (?:while submitting|with the submit)\b/,
  ],
  [
    "wallet-not-signed",
    /\bWallet(?:Sign(?:Message|Transaction|TypedData|In)|WindowClosed|WindowBlocked|Timeout|UserRejected)Error\b|\bUser closed modal\b|\bFailed to sign (?:the )?transaction\b/,
  ],
  [
    "wallet-network",
    /\bWallet(?:SwitchChain|GetNetwork|Network)Error\b|\bSwitchChainError\b|\b(?:Connector)?ChainMismatchError\b|\bChain mismatch: Expected "|\b[Tt]he current chain of the (?:connector|wallet) \(id: \d{1,20}\) does not match\b|\bUnsupported chain ?[iI]d: ?\d|\bunderlying network changed\b|\b(?:[Tt]ron[Ll]ink|[Ww]allet)\b[^\n]{0,60}\bswitch (?:to|your|the)\b[^\n]{0,40}\b[Nn]etwork\b/,
  ],
  [
    "wallet-busy",
    /\bRequest of type '?\w{1,60}'? already pending\b|\bwallet_\w{1,40}\b[^\n]{0,60}\balready pending\b|\bAuthorization requests are being processed, please do not resubmit\b|\bAlready processing (?:eth_requestAccounts|tron_requestAccounts)\b|\b[Ii]n the queue, no need to repeat/,
  ],
] as const satisfies readonly (readonly [entry: string, form: RegExp])[];

/** Forms in which Ledger libraries print a status word, in hex or as a decimal number. */
export const LEDGER_FORMS: readonly RegExp[] = [
  /\b(?:Ledger device|Transport(?:Status)?Error|LockedDeviceError|hw-app-trx)\b[^\n]{0,200}?\b0x([569b][\da-f]{3})\b/i,
  /\b(?:Ledger|Transport(?:Status)?Error)\b[^\n]{0,300}?\bstatusCode["']?\s?[:=]\s?(\d{5})\b/,
  /\bstatusCode["']?\s?[:=]\s?(\d{5})\b[^\n]{0,200}\bTransportStatusError\b/,
  /\bInvalid status (6[\da-f]{3})\b/i,
  /\b(?:CONDITIONS_OF_USE_NOT_SATISFIED|INCORRECT_DATA|LOCKED_DEVICE|INS_NOT_SUPPORTED|CLA_NOT_SUPPORTED|UNKNOWN_ERROR) \(0x([569b][\da-f]{3})\)/i,
];

/** Failures of a Ledger device without a status word. */
export const LEDGER_TROUBLE =
  /\b(?:DisconnectedDevice(?:DuringOperation)?|TransportOpenUserCancelled|TransportRaceCondition|TransportInterfaceNotAvailable|TransportWebUSBGestureRequired|CantOpenDevice)\b|\bAccess denied to use Ledger device\b|\bFailed to execute '(?:requestDevice|transferIn|transferOut)' on 'USB|\bAn action was already pending on the Ledger device\b|\bFailed to execute '(?:open|requestDevice)' on 'HID|\b(?:navigator\.hid|navigator\.usb) is not supported\b/;
