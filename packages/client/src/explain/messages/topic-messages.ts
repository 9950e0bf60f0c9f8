import { t } from "@vscode/l10n";
import { DATABASE_DAMAGED } from "./setup-messages.ts";
import { group } from "./template.ts";

const LOOK_UP_FIRST = t`If a transaction was sent before, look up its txID first.`;

/**
 * Failures of programs of the chain with a known subject only. `topicOf` recognises the subject. The program's message
 * follows the cause, and no entry claims the outcome of a transaction.
 */
export const topicMessages = [
  ...group({ category: "validation", retry: "not-known", source: "the words of libraries and tools" }, [
    [
      "topic-address",
      [],
      t`A library or tool does not accept an address`,
      t`The address is missing, malformed, or belongs to another network or kind of account.`,
      t`Check the address and its form (T…, 41… or 0x…), and the network. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-key",
      [],
      t`A library or tool cannot use a key or password`,
      t`A private key, recovery phrase, keystore file or password is missing, wrong or malformed.`,
      t`Check the key, its format, and the variable or file that contains it. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-signature",
      [],
      t`A library or tool does not accept a signature or signer`,
      t`The signature, the signing account or its permission does not match the signed data.`,
      t`Check the account, its permission, and the exact bytes that are signed. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-arguments",
      [],
      t`A library or tool does not accept an argument`,
      t`A value, its type, its length or the number of values does not match the function, the ABI or the library.`,
      t`Compare the arguments and their types with the ABI or the documentation of the function. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-abi",
      [],
      t`The library and the contract do not match`,
      t`A function, event, error or interface is not found or is ambiguous, or data do not decode. The ABI, the address, the network or the version of the library is another one.`,
      t`Check that the ABI belongs to the contract at this address and network. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-unsupported",
      [],
      t`A library or tool does not support this`,
      t`The program, its version or the node does not offer the function or the form that is used.`,
      t`Find an alternative in the documentation of this version, or update the library or tool. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-number",
      [],
      t`A library or tool does not accept a number`,
      t`The number is too large, negative, a fraction, or not written as a number.`,
      t`Give whole numbers in the smallest unit (sun, wei) as text or bigint. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-fee",
      [],
      t`A library or tool reports a problem with gas, energy or fees`,
      t`The gas limit, energy, fee limit or price is missing, too low, too high, or cannot be estimated.`,
      t`Estimate the call: if the estimate fails, the call would fail, too. Then set the limit or price. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-balance",
      [],
      t`A balance or allowance is not sufficient`,
      t`The account has too few coins or tokens, or did not approve enough of them.`,
      t`Check the balances and the allowance on this network, then top up or approve. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-nonce",
      [],
      t`A library or tool reports a problem with the nonce`,
      t`The number of the transaction does not follow the last one: an earlier transaction is pending, executed or missing.`,
      t`Look up the earlier transactions of the account, and build nothing new before their outcome is known.`,
    ],
    [
      "topic-network",
      [],
      t`The library or tool and the network do not match`,
      t`The chain, chain ID, network name or URL is unknown, missing, or not what the program expects.`,
      t`Compare the network and chain id in the configuration, the wallet and the node. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-wallet",
      [],
      t`The wallet or its library reports a failure`,
      t`The wallet, its session or its adapter did not fulfil the request of the page.`,
      t`Open and unlock the wallet, connect it again, and compare what it supports with the request. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-contract",
      [],
      t`A library or tool finds no suitable contract or artifact`,
      t`The contract, its code or its artifact is missing, was not deployed or compiled, or is not the expected one.`,
      t`Check the name, the address and the network, and compile or deploy the contract first. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-setup",
      [],
      t`A library or tool is not set up`,
      t`A configuration value, an option, a file, a package or a version is missing or does not match.`,
      t`Read the message, and compare the configuration and versions with the documentation of the tool. ${LOOK_UP_FIRST}`,
    ],
    [
      "topic-test",
      [],
      t`A test of a contract failed`,
      t`The result, the event or the revert that the test expects differs from what the contract did.`,
      t`Compare the expected and the actual value, the caller, and the state before the call.`,
    ],
    [
      "topic-transaction",
      [],
      t`A library or tool reports a problem with a transaction`,
      t`The transaction is malformed, was refused, failed or was not found. The message does not show its outcome.`,
      t`Look up its txID or hash. Send only the same bytes, and build nothing new before its outcome is known.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of libraries and tools" }, [
    [
      "topic-answer",
      [],
      t`A library or tool cannot use the answer of the node`,
      t`The request failed, or the answer is empty, unexpected or an error. A transaction that was being sent may have arrived.`,
      t`Check the URL, the key and the limits of the node, and read the raw answer. Look up pending transactions by txID, and send only the same bytes.`,
    ],
    [
      "topic-connection",
      [],
      t`A library or tool lost or did not get its connection`,
      t`The node, provider, relay or socket cannot be reached, was closed, or took too long. A transaction that was being sent may have arrived.`,
      t`Check the URL and whether the node runs, and connect again. Look up pending transactions by txID, and send only the same bytes.`,
    ],
  ]),
  ...group({ category: "http", retry: "not-known", source: "the words of nodes" }, [
    [
      "topic-node",
      [],
      t`The node reports an internal problem`,
      t`The node has a problem with its database, synchronisation, peers, configuration or a service.`,
      t`Read the first error in the log, compare version and configuration with the documentation, and ask another node for now. ${LOOK_UP_FIRST}`,
    ],
  ]),
];

/** Subjects of messages; the first match in the message counts. */
const TOPICS = [
  ["node-database-damaged", DATABASE_DAMAGED],
  [
    "topic-setup",
    /\b(?:server|node|provider|endpoint|(?:RPC|node) URL|network) is not (?:set|configured|specified)\b/i,
  ],
  [
    "topic-connection",
    /\b(?:verify|check) (?:your|the) (?:full ?|RPC )?node(?:'s)? (?:connection|connectivity|URL|endpoint)\b|\b(?:unable|failed|could not|cannot) (?:to )?(?:retrieve|get|fetch|load|query|read) [^\n]{0,80}\b(?:node|network|RPC) (?:connection|connectivity)\b/i,
  ],
  [
    "verify-failed",
    /\bverif(?:y|ied|ication|ying)\b[^\n]{0,120}\b(?:contracts?|bytecode|source(?: ?code)?|sourcify|(?:ether|tron|bsc|polygon|block|snow|arbi|base)scan|blockscout|explorer|API key)\b|\b(?:contracts?|bytecode|source(?: ?code)?|sourcify|(?:ether|tron|bsc|polygon|block|snow|arbi|base)scan|blockscout|explorer)\b[^\n]{0,120}\bverif(?:y|ied|ication|ying)\b|\bbytecodes?\b[^\n]{0,80}\b(?:(?:not|n't) match|mismatch)|\b[Mm]ismatch\w{0,3}\b[^\n]{0,40}\bbytecode/i,
  ],
  [
    "sol-compile",
    /\bcompil(?:e|ed|er|ing|ation)\b|\bpragma\b|\bsolc\b|\bsoljson\b|\b(?:Parser|Declaration|DocstringParsing|Yul|UnimplementedFeature)Error\b|\bError parsing \S{0,200}\.sol\b|\.sol\b[^\n]{0,60}\b(?:(?:un)?expected|undeclared|not found)\b|\bpeg\$buildStructuredError\b/i,
  ],
  [
    "upgrade-refused",
    /\b(?:prox(?:y|ies)|beacon|upgrade(?:s|able|Proxy|To)?|storage layout|initializers?|UUPS|ERC-?1967|implementation (?:contract|address))\b/i,
  ],
  [
    "topic-key",
    /\b(?:private ?keys?|mnemonics?|recovery phrase|seed phrase|key ?stores?|keychain|passphrase|password|wallet file|scrypt|key derivation|decrypt\w*|derivation path)\b|私钥|助记词|密码|密钥/i,
  ],
  ["topic-nonce", /\bnonce\b|\breplacement\b|\bunderpriced\b/i],
  [
    "topic-balance",
    /\b(?:insufficient|not enough|too (?:low|few)|exceeds?)\b[^\n]{0,60}\b(?:balances?|funds|allowances?|tokens?|coins|TRX|ETH|USDT)\b|\b(?:balances?|funds|allowances?)\b[^\n]{0,60}\b(?:insufficient|not enough|too low|exceed\w*)\b|余额不足/i,
  ],
  [
    "topic-fee",
    /\b(?:gas|energy|bandwidth|fee ?limit|max(?:Priority)?FeePerGas|fees?|gas ?price|base ?fee|underpriced)\b|gas(?:Limit|Price)\b|手续费|矿工费|能量|带宽|燃料/i,
  ],
  [
    "topic-wallet",
    /\b(?:wallet|walletconnect|metamask|tron ?link|connector|adapter|pairing|session|proposal|ledger|trezor|firmware|Failure_\w{3,40}|namespaces?|relayer|symkey|hid|webusb)\b|钱包/i,
  ],
  [
    "topic-signature",
    /\b(?:sign(?:s|ed|er|ers|ing|ature|atures)?|ecdsa|secp256k1|permission|multi-?sig\w*|typed ?data|EIP-?712|yParity|recovery param)\b|签名|验签|权限|多签/i,
  ],
  [
    "topic-test",
    /\b(?:AssertionError|expected\b[^\n]{0,200}\bto (?:be|equal|emit|have|revert|deep)|Wrong kind of exception|assertion (?:failed|violated)|Assertion failed)\b|^\s{0,8}[+-] ?(?:expected|actual)\b/im,
  ],
  [
    "topic-unsupported",
    /\b(?:is|are) (?:not|n't) (?:currently |yet )?supported (?:by|in) (?:this version|Tron\w{2,6}|Hardhat|Truffle|Foundry|ethers|web3|viem)\b|\bnot (?:currently|yet) supported\b|\bis not implemented\b/i,
  ],
  [
    "topic-number",
    /\b(?:big ?(?:int|number)|BN|number|integer|decimals?|numeric|overflow|underflow|negative|fraction|(?:out of|not in) (?:safe )?(?:uint\d{0,3} |int\d{0,3} )?range|safe integer|parseUnits|parseEther|toWei|fromWei)\b/i,
  ],
  [
    "topic-arguments",
    /\b(?:arguments?|parameters?|params?|tuple|array|values?|bytes\d{0,2}|u?int\d{0,3}|hex|string|boolean|encod\w+|types?|length|byte array|data size|topics?|fields?|options?|offset|out[- ]of[- ]bounds)\b|参数/i,
  ],
  [
    "topic-abi",
    /\b(?:ABI|abi|fragment|overload\w*|selector|interface|decod\w+|methods?|functions?|events?|error signature|call ?data|multicall|fallback|receive)\b|\bis not a function\b|\bnot implemented\b/,
  ],
  ["topic-address", /\baddress(?:es)?\b|\bENS\b|\bchecksum\b|地址/i],
  [
    "topic-network",
    /(?<!-)\b(?:chains?|networks?|chain ?ids?|mainnet|testnet|fork(?:ed|ing)?|hard ?fork|RPC URL|rinkeby|goerli|sepolia|nile|shasta|unsupported (?:feature|method))\b|主网|测试网|网络(?!连接|超时)/i,
  ],
  [
    "topic-connection",
    /\b(?:connect(?:ed|ion|ing)?|disconnected|sockets?|websockets?|timed? ?-?out|unreachable|providers?|subscri(?:be|ption)\w*|relay|endpoint|HTTP|host|network error|polling|reconnect\w*|closed)\b|连接|超时|断开/i,
  ],
  [
    "topic-contract",
    /\b(?:contracts?|artifacts?|bytecode|librar(?:y|ies)|deploy(?:ed|er|ment|ments|ing)?|migrations?)\b|合约|部署/i,
  ],
  [
    "topic-transaction",
    /\b(?:transactions?|tx(?:id|s|Hash)?|receipts?|broadcast\w*|reverted|transfers?|mempool|txpool|user ?operation|bundle\w*)\b|交易|转账/i,
  ],
  [
    "topic-node",
    /\b(?:nodes?|peers?|solidityBlock|sync(?:ed|ing|hroni[sz]\w*)?|blocks?|database|leveldb|rocksdb|witness|snapshot|genesis|fullnode)\b|节点|区块|同步/i,
  ],
  ["topic-answer", /\b(?:rpc|json|response|requests?|answer|result|api|limit|rate)\b|接口|请求|响应/i],
  [
    "topic-setup",
    /\b(?:config(?:uration)?|options?|commands?|plug-?ins?|packages?|modules?|class|trait|install\w*|versions?|files?|director(?:y|ies)|settings?|tasks?|scripts?|dependenc(?:y|ies)|import\w*|export\w*)\b|配置|依赖/i,
  ],
] as const satisfies readonly (readonly [entry: string, subject: RegExp])[];

export type TopicEntry = (typeof TOPICS)[number][0];

/** Returns the subject of a message that reports a failure. The names of folders and servers in it do not count. */
export function topicOf(message: string): TopicEntry | undefined {
  const words = message.replace(URL, " ").replace(FOLDERS, "/");
  return TOPICS.find(([, subject]) => subject.test(words))?.[0];
}

const URL = /\b(?:https?|wss?):\/\/[^\s"'`)\]]{1,400}/g;
const FOLDERS = /(?:\b[A-Za-z]:)?(?:[\\/][\w.@ -]{1,80}){2,20}[\\/]/g;
