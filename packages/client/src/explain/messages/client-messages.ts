import { t } from "@vscode/l10n";
import type { RetryVerdict } from "../explanation.ts";
import { group } from "./template.ts";

const NEVER_SENT: RetryVerdict = {
  sameBytes: "yes",
  when: t`the same request or the same signed bytes, once the server allows it: nothing was sent`,
};

/**
 * Messages of deployment tools, libraries and gRPC clients that vary too much for the placeholders of the catalogue.
 * `CLIENT_FORMS` has the texts.
 */
export const clientMessages = [
  ...group(
    { category: "http", retry: "unknown-outcome", source: "the words of viem, web3, ethers, Foundry and Hardhat" },
    [
      [
        "tool-not-found",
        [],
        t`The node does not have the transaction now`,
        t`The tool looked it up and found nothing. It may still be in a pool, in a block that this node does not have yet, or on its way.`,
        t`Look up its txID again, on another node too, until its expiration has passed. Build nothing new before that.`,
      ],
      [
        "tool-dropped",
        [],
        t`The tool lost sight of the transaction`,
        t`It was sent, but the node did not know it for a while, which the tool reports as dropped. Another node may have it, and it may be executed already.`,
        t`Look up its txID, on another node too, before you run the tool again: a new run may send it a second time.`,
      ],
      [
        "tool-code-not-found",
        [],
        t`The tool did not find the code of a deployment`,
        t`The transaction was sent. Either its execution failed, or the node that was asked does not show its outcome yet.`,
        t`Look up the txID of the deployment first: its information shows whether it failed, and why. Deploy nothing new before that.`,
      ],
      [
        "tool-unreadable",
        [],
        t`The tool cannot read the answer of the node`,
        t`The answer lacks a field that the tool needs, because nodes of this chain omit it. A transaction may have been sent.`,
        t`Look up earlier transactions by txID. To send on TRON, use tools that support its nodes.`,
      ],
      [
        "tool-interference",
        [],
        t`Earlier transactions of the account are not final yet`,
        t`The tool stopped because the account has transactions with an unknown outcome, perhaps from an earlier run.`,
        t`Look them up by their txIDs, and start nothing new before they are final.`,
      ],
    ],
  ),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of Hardhat, TronBox and TronWeb" }, [
    [
      "tool-configuration",
      [],
      t`The tool is not set up`,
      t`A network, URL, key or account is missing in its configuration, or not valid, so nothing was signed or sent.`,
      t`Check the configuration (tronbox.js, hardhat.config, the options of TronWeb): a URL begins with http:// or https://, and the key is there.`,
    ],
    [
      "tool-no-tronweb",
      [],
      t`TronWeb is not available`,
      t`The program uses TronWeb before it is available: the wallet has not added it to the page yet, or the import is wrong. Nothing was sent.`,
      t`Wait for the wallet (window.tron, tronLink_ready). In Node.js, since version 6: const { TronWeb } = require("tronweb").`,
    ],
    [
      "tool-no-account",
      [],
      t`No account can sign`,
      t`The library and the node have no key for the sender, so nothing was signed or sent.`,
      t`Pass a key to the library, or connect a wallet. Public nodes do not sign: eth_sendTransaction needs a local node that has the key.`,
    ],
    [
      "tool-stopped-first",
      [],
      t`The tool stopped before it sent anything`,
      t`Its configuration, the command, the compilation or the deployment module is not valid.`,
      t`Read the message: the documentation of the tool explains the number. Transactions of an earlier run may be on the chain.`,
    ],
  ]),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of tronpy and eth_keys" }, [
    [
      "signature-recovery-byte",
      [],
      t`The library expects another form of the last byte of a signature`,
      t`The last of the 65 bytes (v, the recovery id) is 0 or 1 in this library. TronWeb and wallets write 27 or 28 (1b or 1c) in signatures of messages. Nothing was sent.`,
      t`Subtract 27 from the last byte before the library reads it. Verify messages with the prefix that the wallet used (TRON Signed Message).`,
    ],
  ]),
  ...group({ category: "validation", retry: "not-known", source: "the words of java-tron" }, [
    [
      "transaction-empty",
      [],
      t`The transaction has no contract`,
      t`The node finds no entry in raw_data.contract (index 0): the transaction was not built, or was posted without raw_data.contract or in another form than the node gave it.`,
      t`Check the transaction before it is signed: raw_data.contract has one entry. Post the whole signed transaction as it was built. If a transaction was sent before, look up its txID first.`,
    ],
  ]),
  ...group({ category: "execution", retry: "request-after-fix", source: "the words of ethers, viem and Truffle" }, [
    [
      "tool-trial-reverted",
      [],
      t`A trial run of the call reverted`,
      t`The tool estimated the call before signing, and the contract refused it. Nothing was sent.`,
      t`Simulate the call to see the reason, and correct its arguments, value or sender.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of gRPC" }, [
    [
      "grpc-size",
      [],
      t`A message exceeds the size limit of gRPC`,
      t`The client or server limits the message size, by default to 4 MiB. This is not a rate limit, and waiting does not help. The node may have processed the request.`,
      t`Request less at once, or raise the limit of the client (maxInboundMessageSize, max_receive_message_length).`,
    ],
  ]),
  ...group({ category: "http", retry: "turned-away", source: "the words of gRPC" }, [
    [
      "grpc-unimplemented",
      [],
      t`This port does not offer the gRPC method`,
      t`The methods of protocol.Wallet and protocol.WalletSolidity have separate ports (50051 and 50061 by default), and a node may have disabled one. Or the method name is misspelled. The method was not run.`,
      t`Check the spelling of the method, and use the port that serves it: a wrong endpoint, or a node of another version, answers UNIMPLEMENTED.`,
    ],
  ]),
  ...group({ category: "http", retry: NEVER_SENT, source: "the words of browsers" }, [
    [
      "http-cors-preflight",
      [],
      t`The browser did not send the request`,
      t`The page and the server have different origins. The browser sent a preflight request (OPTIONS), and the answer did not allow the request. The request itself was not sent.`,
      t`Send the request through your own server or proxy, or use a gateway that allows your origin and headers.`,
    ],
  ]),
];

/** Entries by the output of tools; the first match counts. */
export const CLIENT_FORMS = [
  [
    "signature-recovery-byte",
    /\bsignature_bytes\[-1\] in \[0, 1\]|\b(?:signature|eth_keys|BadSignature)\b[^\n]{0,80}\bv\b[^\n]{0,20}\b(?:must|should) be (?:either )?(?:in )?\[?0(?:,| or) ?1\b/i,
  ],
  [
    "tool-stopped-waiting",
    /\bTimeExhausted\b|\b[Tt]ransaction\b[^\n]{0,90}\b(?:has not been|was not|not) confirmed (?:in|within|after) \d|\b(?:[Tt]imed out|[Tt]imeout)\b[^\n]{0,30}\bfor (?:the )?(?:confirmation|receipt) of (?:the )?(?:transaction|tx)\b|\b(?:[Uu]nable|[Ff]ailed) to get transaction (?:info|receipt)\b[^\n]{0,80}\bafter \d{1,4} (?:attempts|tries|retries|seconds)\b|\bis not in the chain after \d+ seconds|\bwas not mined within \d+ (?:seconds|blocks)|\bTimed out while waiting for transaction\b|\bWaitForTransactionReceiptTimeoutError\b|\bTransaction \S{8,80} wasn't processed in \d+ seconds|\bThe connected Ethereum Node did not respond within\b|\btransaction was not confirmed within the timeout\b|\bTimed out waiting for (?:implementation |proxy |beacon )?contract deployment\b|\breceipt was not generated after \d{1,6} seconds\b|\bFailed to subscribe to new newBlockHeaders\b|\bTransactionPollingTimeout|\bTransactionSendTimeout|\bTransactionBlockTimeout|\bTransaction timeout: 0x|\bThe deployment wasn't successful, there were timeouts\b|\bwait(?:_for_transaction_receipt|ForTransactionReceipt)\b[\s\S]{0,600}?\bTimeout: \d{1,6} seconds/,
  ],
  [
    "tool-dropped",
    /\bdropped from (?:the )?mempool\b(?=: ?0x|[:.]? ?(?:tx|hash))|\bTransaction dropped from (?:the )?mempool\b|\b(?:all the transactions of its network interaction|transactions?)\b[^\n]{0,80}\bwere dropped\. Please try rerunning|\b(?:IGN401|HHE10400)\b|\bSome transactions were discarded by the RPC node\b|\bfailed to fetch transa?c?tion after sending\b/,
  ],
  [
    "tool-interference",
    /\b(?:IGN40[345]|HHE1040[234])\b|\bYou have sent transactions from \S{1,60}[^\n]{0,60}\binterferes?(?: with)? Hardhat Ignition|\bnot sent by Hardhat Ignition\b|\bThe next nonce for \S{1,60} should be \d/,
  ],
  [
    "tool-code-not-found",
    /\bThe contract code couldn't be stored(?!, please check your gas amount)|\bThe transaction receipt didn't contain a contract address\b/,
  ],
  [
    "tool-not-found",
    /\bReceived an empty receipt for 0x|\bFailed to check for transaction receipt\b|\bTransaction (?:receipt )?with (?:hash|id)\b[^\n]{0,90}(?:could not be found|not found)\b|\bTransaction(?:Receipt)?NotFoundError\b|\bTransaction at \w{1,30} [^\n]{0,90} could not be found\b|\bfailed to find transaction(?: receipt)?\b|\btx not found: 0x|\b[Tt]ransaction receipt (?:is null|(?:was )?not found)\b|\bTransactionNotFound: Transaction\b/,
  ],
  [
    "tool-configuration",
    /\[Ledger\]: \w{1,40} must be\b|\bcontract (?:object )?does(?:n't|nt| not) have an address yet\b|\[\w{2,30}Adapter\] config\.|\bNo network specified\. Cannot determine|\bCould not find suitable configuration file\b|\bUnknown network "[^"\n]{1,60}"\. See your\b|\bYou must specify a network_id\b|\bProvider not set or invalid\b|\bdoesn't have address set yet\b|\bSomething is wrong with your (?:truffle|tronbox) configuration\b|\bnot possible to instantiate TronWeb\b|\bInvalid URL provided to HttpProvider\b|\bInvalid (?:full node|solidity node|event server|headers object|timeout duration) provided\b|\bNo event server configured\b|\bExpected instance of TronWeb\b|\b(?:HardhatError: |Error )HH(?:8|9|100|101|103|104|105|106|107|117): |\bCould not find tronbox(?:-config)?\.js\b|\bCannot read propert(?:y|ies of undefined \(reading) '(?:fullNode|fullHost|solidityNode|eventServer|network_id)'|\b(?:HardhatError: |Error )HHE[78]: /,
  ],
  [
    "tool-answer",
    /["'`]Failed to execute["'`] error\b[^\n]{0,60}\bcontract\b|\btronweb\b[^\n]{0,60}["'`]Failed to execute["'`]/i,
  ],
  ["tool-answer", /\bError: (?:Not found\.|Failed to execute|not implemented)\s{1,8}at [^\n]{0,300}\btronweb\b/i],
  [
    "tool-stopped-first",
    /(?:\bHardhatError: |\bError |^)(?:HH(?:\d{1,2}|[2-9]\d\d)|HHE(?!1040[0-4]|70[234])\d{1,6}): |\b(?:IgnitionError: |Error )IGN(?!40[1-5])\d{1,4}: |\bCould not find artifacts for \S|\bcontains unresolved libraries\b|\bcontract binary not set\b|\bPlease call setProvider\(\) first\b|\bArtifacts are from different compiler runs\b/,
  ],
  [
    "tool-no-tronweb",
    /\btronWeb is not defined\b|\bwindow\.tron(?:Link|Web)? is (?:undefined|not defined)\b|\bTronWeb is not a constructor\b|\btronWeb[\w.()]{0,80} is not a function\b|\bof undefined \(reading '(?:trx|tronWeb|tronLink|defaultAddress|transactionBuilder)'\)|\bproperty '(?:trx|tronWeb|tronLink|defaultAddress|transactionBuilder)' of undefined/i,
  ],
  [
    "tool-no-account",
    /\bbrownie\.exceptions\.UnknownAccount\b|\bNo associated wallet for addresses\b|\bFoundry's default sender\b|\bUnknown account: 0x|\bauthentication needed: password or unlock|\bcould not decrypt key with given password|\bThe send transactions "from" field must be defined|\bsending a transaction requires a signer\b|\bunknown account #\d|\bCould not find an Account to execute with this Action\b|\bmissing provider \(operation="(?:send|sign)|\bcontract runner does not support sending transactions\b|\bVoidSigner cannot sign\b|\bNo "from" address specified in neither the given options/i,
  ],
  [
    "tool-unreadable",
    /\b(?:KeyError|err(?:or)?)\b[:\s]{1,3}["'](?:solidityBlock|block_header|blockID|constant_result|net_usage)["']|\bError: incorrect response format\b|\bdeserialization error: (?:missing field|invalid type)\b|\bmissing field `(?:effectiveGasPrice|mixHash|baseFeePerGas|cumulativeGasUsed)`/,
  ],
  [
    "tool-funds",
    /(?:code=|errors-)INSUFFICIENT_FUNDS\b|\binsufficient funds for (?:gas|intrinsic transaction cost)\b|\bEvmError: OutOfFunds?\b/i,
  ],
  [
    "vm-call-failed",
    /\bTransaction Failure: 0x[\da-f]{64}\b|\bTransaction (?:0x[\da-f]{1,64} )?has failed with status: 0x0\b/i,
  ],
  [
    "tool-trial-reverted",
    /\bUNPREDICTABLE_GAS_LIMIT\b|\bcannot estimate gas; transaction may fail\b|\bEstimateGasExecutionError\b|\bgas required exceeds allowance \(\d+\) or always failing transaction|\b[Ff]ailed to estimate gas: |\bGas estimation failed: |\b[Tt]ransaction will likely revert\b|\b[Tt]ransaction execution will likely fail\b/,
  ],
] as const satisfies readonly (readonly [entry: string, form: RegExp])[];

/** Messages of wallets, wallet adapters and hardware wallets. `WALLET_FORMS` and `LEDGER_STATUS` have their texts. */
export const walletMessages = [
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of wallets and their adapters" }, [
    [
      "wallet-missing",
      [],
      t`The wallet was not found`,
      t`The wallet's extension or app is not installed, not loaded yet, or not available in this browser. Nothing was signed or sent.`,
      t`Install and unlock the wallet, reload the page, and wait until it is ready.`,
    ],
    [
      "wallet-script",
      [],
      t`The script of the wallet failed in the page`,
      t`TronLink and its forks add TronWeb to pages with a script (pageHook.js). It stopped with an exception inside the extension. The outcome of a transaction is not affected.`,
      t`Update the extension, switch other wallets off, and reload the page. In the page, wait for window.tron before TronWeb is used.`,
    ],
    [
      "wallet-firmware",
      [],
      t`The hardware wallet reports a fault of its firmware`,
      t`The firmware of the device stopped while it handled the request. Nothing was signed or sent.`,
      t`Update the firmware and the app or library of the device, and look for this request in its release notes. Some devices sign no messages on TRON.`,
    ],
    [
      "wallet-not-connected",
      [],
      t`The wallet is not connected`,
      t`No account is selected, the page has no permission for it, or the wallet was disconnected. Nothing was signed or sent.`,
      t`Unlock the wallet, connect it to the page and choose the account. Then ask again.`,
    ],
    [
      "wallet-not-signed",
      [],
      t`The wallet did not sign`,
      t`The wallet refused to sign the transaction or message, was closed, or failed inside. Nothing was sent.`,
      t`Read the rest of the message, open the wallet, and try again.`,
    ],
    [
      "wallet-network",
      [],
      t`The wallet uses another network`,
      t`The wallet and the page use different networks, or the wallet could not switch or does not report its network. Nothing was signed or sent.`,
      t`Choose the network in the wallet, and compare it with that of the page.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of wallets and their adapters" }, [
    [
      "wallet-busy",
      [],
      t`The wallet still shows an earlier request`,
      t`This request was not shown. The earlier one may be a transaction that is signed and sent when the user approves it.`,
      t`Open the wallet and answer the earlier request. Look its txID up before anything is sent again.`,
    ],
    [
      "wallet-send-failed",
      [],
      t`It is not known whether the wallet sent the transaction`,
      t`The wallet signs and sends in one step, and this step failed. The transaction may have been sent.`,
      t`Check the account's last transactions in the wallet or an explorer, and look up the txID, before you send anything again.`,
    ],
  ]),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of Ledger devices" }, [
    [
      "ledger-declined",
      [],
      t`The device did not sign`,
      t`The request was refused on the Ledger device, or not approved in time. Nothing was signed or sent.`,
      t`Send the request again, and approve it on the device.`,
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
      t`The Ledger app accepts only paths of its own coin. Nothing was signed or sent.`,
      t`Use a path such as 44'/195'/0'/0/0.`,
    ],
    [
      "ledger-setting-data",
      [],
      t`The device does not sign transactions with data`,
      t`The setting "Transactions data" (Allow data) of the TRON app is off, and this transaction has a memo. Nothing was signed or sent.`,
      t`Enable it in the settings of the TRON app on the device, or omit the memo.`,
    ],
    [
      "ledger-setting-hash",
      [],
      t`The device does not sign by hash`,
      t`The setting "Sign by hash" of the TRON app is off, and the app shows no details of this transaction. Nothing was signed or sent.`,
      t`Enable it in the settings of the TRON app. The device then shows only the hash: compare it with the txID.`,
    ],
    [
      "ledger-setting-contract",
      [],
      t`The device does not sign calls of unknown contracts`,
      t`The setting "Custom contracts" of the TRON app is off, and the app does not know this contract. Nothing was signed or sent.`,
      t`Enable it in the settings of the TRON app on the device.`,
    ],
    [
      "ledger-parameter",
      [],
      t`The device does not support this request`,
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

/** Entries by the status word of a Ledger device; other words mean `ledger-problem`. */
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

/** Entries by error classes of wallet adapters; the wallet's own text about a refusal comes first. */
export const WALLET_FORMS = [
  ["wallet-firmware", /\bFailure_FirmwareError\b/],
  [
    "tool-declined",
    /\bWallet\w{0,30}Error\b[^\n]{0,200}\b(?:reject|declin|denied|deny|cancel)|\b(?:Call|Session|Transaction|Signature) Request Rejected\b|\bACTION_REJECTED\b|\buser rejected action\b|\buser (?:rejected|declined|denied) (?:the |this )?(?:request|transaction|signature|signing)|\brejected by (?:the )?user\b|\b(?:transaction|request|signature) (?:was )?(?:rejected|declined|denied|cancell?ed) by (?:the )?user\b|\bUser denied (?:transaction|message) signature|\bUserRejectedRequestError\b|\bUser reject the request\b|\bcode["']?\s?: ?500[0-6]\b[^\n]{0,40}\bUser (?:rejected|disapproved)|\bUser disapproved requested (?:methods|chains|events)\b|\bFailure_ActionCancelled\b|\bAction cancelled by user\b|\bUser (?:cancell?ed|rejected|declined|closed) the (?:request|transaction|signing|connection)|\bReject(?:ed)? (?:the )?session\b/i,
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
    /\bWalletSendTransactionError\b|\bsomething (?:went )?wrong (?:(?:while |when )?submitt?ing|with the submit)\b/i,
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
  /\b(?:Ledger|dongle|APDU|Transport(?:Status)?Error|LockedDeviceError|hw-app-trx)\b[^\n]{0,200}?\b0x([569b][\da-f]{3})\b/i,
  /\bWrong Device Status\b[^\n]{0,20}\bSW ?= ?([569b][\da-f]{3})\b/i,
  /\b(?:Ledger|Transport(?:Status)?Error)\b[^\n]{0,300}?\bstatusCode["']?\s?[:=]\s?(\d{5})\b/,
  /\bstatusCode["']?\s?[:=]\s?(\d{5})\b[^\n]{0,200}\bTransportStatusError\b/,
  /\bInvalid status (6[\da-f]{3})\b/i,
  /\b(?:CONDITIONS_OF_USE_NOT_SATISFIED|INCORRECT_DATA|LOCKED_DEVICE|INS_NOT_SUPPORTED|CLA_NOT_SUPPORTED|UNKNOWN_ERROR) \(0x([569b][\da-f]{3})\)/i,
];

/** Failures of a Ledger device without a status word. */
export const LEDGER_PROBLEM =
  /\b(?:DisconnectedDevice(?:DuringOperation)?|TransportOpenUserCancelled|TransportRaceCondition|TransportInterfaceNotAvailable|TransportWebUSBGestureRequired|CantOpenDevice)\b|\bAccess denied to use Ledger device\b|\b(?:Failed|Unable) to (?:sign|connect|communicate) with (?:the |your )?Ledger\b|\bFailed to execute '(?:requestDevice|transferIn|transferOut)' on 'USB|\bAn action was already pending on the Ledger device\b|\bFailed to execute '(?:open|requestDevice)' on 'HID|\b(?:navigator\.hid|navigator\.usb) is not supported\b/;
