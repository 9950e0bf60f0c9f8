import { t } from "@vscode/l10n";
import { group } from "./template.ts";

const LOOK_UP_FIRST = t`Look up the hash or txID of the earlier transaction first, and build nothing new before its outcome is known.`;

/** Messages about internal failures of a node. */
export const INTERNAL =
  /\binternal(?: server| json-rpc| rpc)? error\b|^internal$|\bunexpected error\b|\bunknown (?:rpc )?error\b|\bhandler crashed\b|\bupstream\b|\bbackend\b|\boverloaded\b|\bserver (?:is )?busy\b|\bno (?:response|backend)|\btry again\b|\bcould not (?:process|forward)|\bconnection (?:closed|reset|lost)/i;

/** Messages of JSON-RPC nodes, and of the libraries and wallets that use them. `RPC_PHRASES` has their texts. */
export const rpcMessages = [
  ...group({ category: "validation", retry: "not-known", source: "the words of JSON-RPC nodes" }, [
    [
      "rpc-known",
      [],
      t`The node has this transaction already`,
      t`The same bytes were sent before: they are in the pool of the node, or on the chain.`,
      LOOK_UP_FIRST,
    ],
    [
      "rpc-nonce-used",
      [],
      t`Another transaction of this account came first`,
      t`An earlier transaction in the pool or on the chain has the same nonce and may have the same effect.`,
      LOOK_UP_FIRST,
    ],
    [
      "rpc-nonce-ahead",
      [],
      t`The nonce is ahead of the account`,
      t`Transactions before this one are missing: they are not executed yet, or a pool dropped them.`,
      LOOK_UP_FIRST,
    ],
    [
      "rpc-underpriced",
      [],
      t`The offered fee is too low`,
      t`The node accepts nothing into its pool at this price. An earlier transaction of the account may still be there.`,
      t`Look up earlier transactions by hash. If none is pending, offer a higher fee. TRON has no fee offers: fee_limit only limits the cost of a call.`,
    ],
    [
      "rpc-pool-full",
      [],
      t`The pool of the node is full`,
      t`The node accepted nothing into its pool for now. Another node may still have the transaction.`,
      t`Look it up by hash or txID, then send the same bytes again later or to another node.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of JSON-RPC nodes" }, [
    [
      "rpc-internal",
      [],
      t`The node had an internal error`,
      t`The outcome is unknown: a transaction that was being sent may have been accepted.`,
      t`Repeat reads after a pause, or use another node. For a transaction, look up its hash or txID, and send only the same bytes.`,
    ],
  ]),
  ...group({ category: "validation", retry: "request-after-fix", source: "the words of JSON-RPC nodes" }, [
    [
      "rpc-gas-limit",
      [],
      t`The gas limit is not valid`,
      t`The limit is below the minimum of the transaction, above the block limit, or below the need of a trial run.`,
      t`Estimate the call, and set a limit between the estimate and the block limit. If the estimate fails, the call would revert.`,
    ],
    [
      "rpc-chain",
      [],
      t`The transaction is for another network`,
      t`Its chain id or signature does not match the network of this node, so nothing was accepted.`,
      t`Compare the chain id of the node (eth_chainId) with that of the tool or wallet.`,
    ],
    [
      "rpc-no-fee-market",
      [],
      t`The network has no EIP-1559 fees`,
      t`The tool requested the fees of such a network before signing, so nothing was sent.`,
      t`Use transactions of the older form (--legacy of Foundry, gasPrice instead of maxFeePerGas). To send on TRON, use the HTTP interface.`,
    ],
    [
      "rpc-hex",
      [],
      t`A parameter of the request is not written in hex`,
      t`JSON-RPC requires numbers and data as 0x and hex digits: numbers without leading zeros, data in pairs. Nothing was processed.`,
      t`Write 0x0 or 0x41 instead of 0, 0x00 or "65", and data with 0x and an even number of digits.`,
    ],
    [
      "rpc-state-missing",
      [],
      t`The node does not have the state at this block`,
      t`The node is not synchronised yet, or it keeps only recent states. Only queries are affected.`,
      t`Query a later block, or use an archive node, which keeps all states.`,
    ],
  ]),
];

/**
 * Entries by the texts of nodes and libraries; the first matching row counts. The second expression counts only if
 * JSON-RPC is known to be the source, because other programs use these words too.
 */
const ROWS: readonly (readonly [entry: RpcEntry, own: RegExp | undefined, shared?: RegExp])[] = [
  [
    "rpc-nonce-used",
    /\bnonce (?:\d{1,20} )?(?:is )?too low\b|\bTransaction w\/ invalid nonce\b|\bnonce has already been used\b|\bnonce provided for the transaction (?:\(\d{1,20}\) )?is lower than|\bdoesn'?t have the correct nonce\b|\banother transaction with (?:the )?same nonce\b|\bNONCE_EXPIRED\b|\breplacement (?:transaction|fee) (?:is )?(?:underpriced|too low)|\bREPLACEMENT_UNDERPRICED\b|\bcould not replace existing tx\b|\btransaction was replaced\b|\bTRANSACTION_REPLACED\b|\bfuture transaction tries to replace pending/i,
    /\boldnonce\b|\breplacement ?not ?allowed|\baccount sequence mismatch/i,
  ],
  [
    "rpc-known",
    /^(?:error: )?already known$|\btransaction already known\b|\bknown transaction: (?:0x)?[\da-f]{64}\b|\btransaction with the same hash was already imported|\bexisting tx with same hash|\btx already (?:exists )?in (?:cache|mempool)|\btransaction already (?:exists )?in (?:the )?(?:cache|mempool|pool)|\balready in (?:the )?mempool/i,
    /\balready ?known\b|\bknown ?transaction\b|\balready (?:been )?imported\b/i,
  ],
  [
    "rpc-nonce-ahead",
    /\bnonce (?:\d{1,20} )?(?:is )?too high\b|\bnonce provided for the transaction (?:\(\d{1,20}\) )?is higher/i,
    /\bnonce (?:gap|too distant)|\bgapped-nonce/i,
  ],
  [
    "tool-funds",
    /\binsufficient funds\. the account you tried|(?<!\* Message:\s{1,8})\bsender doesn'?t have enough funds to send tx\b|\btotal cost \(gas \* gas fee \+ value\)[^\n]{0,80}\bexceeds\b|\bgas \* price \+ value\b|\binsufficient funds for transfer: address\b|\bup-?front cost\b[^\n]{0,100}\bexceeds\b[^\n]{0,60}\bbalance\b|\black ?of ?funds? ?\(\d|\bLackOfFundForMaxFee\b|\bInsufficientFunds, account balance\b|\bInsufficientFundsError: |\berror: OutOfFunds?\b|\binsufficient sender balance\b|\b(?:not enough|insufficient) balance to (?:cover|pay)\b[^\n]{0,20}\b(?:fees?|gas)\b|\binsufficient MaxFeePerGas\b|\bbalance is only \d{1,40} wei\b|\b(?:not enough|insufficient) TRX\b(?![^\n]{0,40}\b(?:energy|bandwidth))|\bSigner (?:has|had) insufficient balance\b|\bSigner Error: sender doesn'?t have enough funds/i,
    /\binsufficient (?:account |wallet )?(?:funds|balance)|\binsufficientfunds\b|\bupfront (?:max gas )?cost exceeds|\b(?:does not|doesn'?t) have enough (?:funds|balance)|\bnot enough (?:funds|balance) (?:for|to cover)|\bexceeds? (?:the )?(?:account |sender(?:'s)? )?balance\b|\bout of funds?\b/i,
  ],
  [
    "vm-revert-code-size",
    /\breturns data with length of more than 24576\b|\bevm: max (?:init)?code size exceeded|\bcontract size limit \d|\bexceeds? the (?:runtime|contract|initcode) size limit\b|\bexceed(?:s|ing) the maximum (?:allowed )?(?:size )?of 24,?576\b|\bcode size exceeds 24,?576\b|\bcode size (?:is |of )?\d{4,7} bytes (?:and )?exceeds\b/i,
    /\bmax (?:init)?code size exceeded/i,
  ],
  [
    "rpc-underpriced",
    /\bmax(?:Priority)?FeePerGas[^\n]{0,60}\btoo low\b|\bgas ?price[^\n]{0,40}\b(?:too low|below minimum|lower than)|\bhigher than the fee cap\b|\bTipAboveFeeCap|\bmaxPriorityFeePerGas\b[^\n]{0,40}\b(?:higher|bigger|larger|greater) than\b|\btransaction underpriced|\b(?:less than|lower than the) block base fee|\bgas tip cap\b|\bmax priority fee per gas higher/i,
    /\bunderpriced\b|\bgas price (?:is )?(?:too low|below)|\bfee ?too ?low|\bfee cap less than|\binsufficient fee\b|\bminimum gas price/i,
  ],
  [
    "rpc-pool-full",
    /\btxpool is full/i,
    /\btransaction pool (?:is )?(?:full|overflow)|\bmempool is full|\baccount limit exceeded/i,
  ],
  [
    "rpc-type",
    /\btransaction type (?:is )?not (?:yet )?supported|\blegacy transactions? (?:is|are) not supported|\btransaction type \S{1,10} (?:is )?not supported/i,
    /\btype not supported\b|\bunsupported transaction type|\binvalid action type\b/i,
  ],
  [
    "rpc-too-big",
    /\bexceeds max(?:imum)? (?:transaction|tx) size|\btransaction size (?:\d{1,9} )?(?:exceeds|too large)/i,
    /\boversized data\b|\binitcode size exceeds|\bcode size exceeds/i,
  ],
  [
    "rpc-gas-limit",
    /\bintrinsic gas too (?:low|high)|\binsufficient (?:of|for) intrinsic gas\b|\bexceeds (?:the )?block gas limit|\bgas required exceeds allowance|\bamount of gas (?:\(\d{1,20}\) )?provided for the transaction|\btransaction gas is too low|\bsupplied gas is beyond limit|\balways failing transaction/i,
    /\bgas limit (?:is )?too (?:low|high)|\bgas ?limit ?exceeded|\bgas limit reached|\bexceeds the configured cap/i,
  ],
  [
    "rpc-chain",
    /\bnetwork changed: \d{1,20} => \d|\binvalid chain ?id for signer|\bonly replay-protected|\bunrecognized chain id\b|\bdoes not match the target chain for the transaction/i,
    /\b(?:invalid|wrong|incorrect|unsupported) (?:chain|network) ?id|\bchain ?id mismatch|\binvalid sender\b/i,
  ],
  [
    "rpc-no-fee-market",
    /\bfailed to get eip-?1559 fees|\b(?:does not|doesn'?t) support eip-?1559|\bunsupported feature: eip-?1559|\beip-?1559 (?:fees )?(?:is |are )?not supported/i,
  ],
  [
    "rpc-hex",
    /\binto Go struct field \w{1,40}\.\w{1,40} of type \*?(?:hexutil|common)\.|\binto Go value of type \*?(?:hexutil|common)\.|\bhex string without 0x prefix\b|\bexpected (?:an? )?0x-prefixed\b|\bhex string has length \d{1,6}, want \d|\binvalid value [^\n]{0,200} supplied to : (?:RpcTransactionRequest|RpcCallRequest|QUANTITY|ADDRESS|DATA|HASH|rpc)\b/i,
    /\bhex (?:string|number) (?:of odd length|with leading zero|> 64 bits)|\bempty hex string|\bcannot unmarshal (?:hex|non-string|invalid hex|number)/i,
  ],
  [
    "rpc-method",
    /\bunsupported method:? ["'`]?(?:eth|net|web3|debug|trace|wallet|personal|txpool)_|\bmethod ["'`]?(?:eth|net|web3|debug|trace|wallet|personal|txpool|tron)_\w{1,60}["'`]? (?:is )?not (?:supported|found|available|implemented|allowed|whitelisted)/i,
  ],
  ["tool-no-account", /\bsender account not recognized\b/i, /\bunknown account\b|\bsender (?:account )?not found\b/i],
  ["wallet-busy", /\balready processing (?:eth|tron)_requestAccounts/i, /\balready pending\b/i],
  [
    "rpc-too-many",
    /\bblock range (?:is )?(?:too|larger|limit|exceed)|\bquery returned more than \d|\b(?:log )?response size (?:is larger|exceeded|should not)|\bexceed(?:s|ed)? (?:the )?max(?:imum)? block range|\beth_getLogs\b[^\n]{0,60}\b(?:limited|range)\b|\bplease limit the query to at most\b|\brequested too many blocks\b/i,
    /\brange is too (?:large|wide)|\brange \d{1,20} exceeds (?:the )?limit\b|\btoo many (?:blocks|results|logs)\b|\blimited to \d|\bexceed max (?:topics|addresses)/i,
  ],
  [
    "rpc-filter",
    /\bfilter with id \S{1,60} (?:does )?not (?:found|exist)/i,
    /\bfilter not found\b|\bFilterNotFound\b/i,
  ],
  [
    "rpc-signature",
    /\binvalid transaction v, r, s values\b/i,
    /\binvalid signature\b|\bsignature (?:is )?invalid\b|\b(?:could not|failed to) recover (?:the )?(?:sender|signer|public key)/i,
  ],
  [
    "rpc-undecodable",
    /\brlp: (?:expected|value|input|element|non-canonical|too)|\btyped transaction too short\b|\bfailed to decode signed transaction\b/i,
    /\btransaction could not be decoded\b|\bunmarshal transaction\b|\bRLP\b/i,
  ],
  ["rpc-slow", /\bexecution aborted \(timeout\b|\bexecution timeout\b[^\n]{0,20}\btrac/i],
  [
    "rpc-state-missing",
    /\bTrying to initialize a provider with block \d|\bmissing trie node\b|\bno state available for block\b|\bstate (?:at block \S{1,40} )?is pruned\b|\brequired historical state\b|\bdistance to target block exceeds\b|\bold data not available due to pruning\b|\bhistory has been pruned\b|\bstate histories haven't been fully indexed/i,
    /\bheader not found\b|\bunknown block\b|\bblock (?:\S{1,70} )?not found\b|\b(?:historical )?state (?:is )?(?:not available|unavailable)|\bpruned history/i,
  ],
];

/** Entries whose texts alone identify a JSON-RPC node. */
export const RPC_PHRASES: readonly (readonly [entry: RpcEntry, phrase: RegExp])[] = ROWS.flatMap(
  ([entry, own]): readonly (readonly [RpcEntry, RegExp])[] => (own === undefined ? [] : [[entry, own]]),
);

/** Library or tool that prints the message of a node, and the message. */
export const RPC_LIBRARY =
  /(?:\bProviderError|\bRPC Error|\bReturned error|\bcode["']?: -32\d{3}, ["']?message["']?|\berror code -32\d{3}|\bDetails|\b(?:Json)?R[Pp][Cc](?:Response)?Error|\bInvalidInputRpcError|\bUnknownRpcError): ?["']?([^\n]{1,400})/;

/** Returns the entry for a message that is known to come from a JSON-RPC node. */
export function rpcEntryOf(message: string): RpcEntry | undefined {
  const start = message.slice(0, MAX_MESSAGE);
  return ROWS.find(([, own, shared]) => own?.test(start) || shared?.test(start))?.[0];
}

const MAX_MESSAGE = 1000;

/** Codes for entries without a known JSON-RPC number. */
export const codeOfRpcEntry = {
  "rpc-known": "ALREADY_KNOWN",
  "rpc-nonce-used": "NONCE_USED",
  "rpc-nonce-ahead": "NONCE_TOO_HIGH",
  "rpc-underpriced": "UNDERPRICED",
  "rpc-pool-full": "POOL_FULL",
  "rpc-gas-limit": "GAS_LIMIT",
  "rpc-chain": "WRONG_CHAIN",
  "rpc-no-fee-market": "NO_FEE_MARKET",
  "rpc-hex": "HEX_EXPECTED",
  "rpc-state-missing": "STATE_MISSING",
  "rpc-type": "TRANSACTION_TYPE",
  "rpc-too-many": "RANGE_TOO_LARGE",
  "rpc-filter": "FILTER_NOT_FOUND",
  "rpc-signature": "SIGNATURE",
  "rpc-undecodable": "NOT_A_TRANSACTION",
  "rpc-too-big": "TOO_BIG",
  "rpc-slow": "TRIAL_TIMEOUT",
  "rpc-internal": "RPC_INTERNAL",
  "tool-funds": "REQUEST_REFUSED",
  "vm-revert-code-size": "CODE_SIZE",
  "rpc-method": "RPC_-32601",
  "tool-no-account": "NO_ACCOUNT",
  "wallet-busy": "WALLET_BUSY",
} as const;

export type RpcEntry = keyof typeof codeOfRpcEntry;
