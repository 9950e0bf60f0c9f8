import { t } from "@vscode/l10n";
import { group } from "./template.ts";

const LOOK_FIRST = t`Of a transaction that was sent before, look its txID up first.`;

/**
 * Failures of programs of the chain of which only the subject is known. `topicOf` recognises the subject. The message
 * of the program follows the cause, and no entry claims what became of a transaction.
 */
export const topicMessages = [
  ...group({ category: "validation", retry: "not-known", source: "the words of libraries and tools" }, [
    [
      "topic-address",
      [],
      t`A library or tool does not accept an address`,
      t`The address is missing, malformed, or belongs to another network or kind of account.`,
      t`Check the address and its form (T…, 41… or 0x…), and the network. ${LOOK_FIRST}`,
    ],
    [
      "topic-key",
      [],
      t`A library or tool cannot use a key or password`,
      t`A private key, recovery phrase, keystore file or password is missing, wrong or malformed.`,
      t`Check the key and its form, and the variable or file that it comes from. ${LOOK_FIRST}`,
    ],
    [
      "topic-signature",
      [],
      t`A library or tool does not accept a signature or signer`,
      t`The signature, the account that signs, or its permission does not fit what is signed.`,
      t`Check the account, its permission, and the exact bytes that are signed. ${LOOK_FIRST}`,
    ],
    [
      "topic-arguments",
      [],
      t`A library or tool does not accept an argument`,
      t`A value, its type, its length or the number of values does not fit what the function, ABI or library expects.`,
      t`Compare the arguments and their types with the ABI or the documentation of the function. ${LOOK_FIRST}`,
    ],
    [
      "topic-abi",
      [],
      t`The library and the contract do not fit each other`,
      t`A function, event, error or interface is not found or is ambiguous, or data do not decode. The ABI, the address, the network or the version of the library is another one.`,
      t`Check that the ABI belongs to the contract at this address and network. ${LOOK_FIRST}`,
    ],
    [
      "topic-number",
      [],
      t`A library or tool does not accept a number`,
      t`The number is too large, negative, a fraction, or not written as a number.`,
      t`Give whole numbers in the smallest unit (sun, wei) as text or bigint. ${LOOK_FIRST}`,
    ],
    [
      "topic-fee",
      [],
      t`A library or tool reports a problem with gas, energy or fees`,
      t`The gas limit, energy, fee limit or price is missing, too low, too high, or cannot be estimated.`,
      t`Estimate the call: if the estimate fails, the call would fail, too. Then set the limit or price. ${LOOK_FIRST}`,
    ],
    [
      "topic-balance",
      [],
      t`A balance or allowance is not sufficient`,
      t`The account has too few coins or tokens, or did not approve enough of them.`,
      t`Check the balances and the allowance on this network, then top up or approve. ${LOOK_FIRST}`,
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
      t`The library or tool and the network do not fit each other`,
      t`The chain, chain id, network name or URL is unknown, missing, or another one than the program expects.`,
      t`Compare the network and chain id in the configuration, the wallet and the node. ${LOOK_FIRST}`,
    ],
    [
      "topic-wallet",
      [],
      t`The wallet or its library reports a failure`,
      t`The wallet, its session or its adapter did not do what the page asked for.`,
      t`Open and unlock the wallet, connect it again, and compare what it supports with the request. ${LOOK_FIRST}`,
    ],
    [
      "topic-contract",
      [],
      t`A library or tool finds no suitable contract or artifact`,
      t`The contract, its code or its artifact is missing, was not deployed or compiled, or is another one than expected.`,
      t`Check the name, the address and the network, and compile or deploy the contract first. ${LOOK_FIRST}`,
    ],
    [
      "topic-setup",
      [],
      t`A library or tool is not set up`,
      t`Its configuration, an option, a file, a package or a version is missing or does not fit.`,
      t`Read the message, and compare the configuration and versions with the documentation of the tool. ${LOOK_FIRST}`,
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
      t`The transaction is malformed, was refused, failed or was not found. The message does not tell what became of it.`,
      t`Look it up by its txID or hash. Send the same bytes only, and build nothing new before its outcome is known.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of libraries and tools" }, [
    [
      "topic-answer",
      [],
      t`A library or tool cannot use the answer of the node`,
      t`The request failed, or the answer is empty, not the expected one, or an error. A transaction that was being sent may have arrived.`,
      t`Check the URL, the key and the limits of the node, and look at the answer itself. Look up by txID what was being sent, and send the same bytes only.`,
    ],
    [
      "topic-connection",
      [],
      t`A library or tool lost or did not get its connection`,
      t`The node, provider, relay or socket cannot be reached, was closed, or took too long. A transaction that was being sent may have arrived.`,
      t`Check the URL and whether the node runs, and connect again. Look up by txID what was being sent, and send the same bytes only.`,
    ],
  ]),
  ...group({ category: "http", retry: "not-known", source: "the words of nodes" }, [
    [
      "topic-node",
      [],
      t`The node reports a problem of its own`,
      t`Its database, synchronisation, peers, configuration or a service of it has a problem.`,
      t`Read the first error in the log, compare version and configuration with the documentation, and ask another node for now. ${LOOK_FIRST}`,
    ],
  ]),
];

/** Subjects of messages; the first that occurs in the message counts. */
const TOPICS = [
  [
    "verify-failed",
    /\bverif(?:y|ied|ication|ying)\b[^\n]{0,120}\b(?:contracts?|bytecode|source(?: ?code)?|sourcify|(?:ether|tron|bsc|polygon|block|snow|arbi|base)scan|blockscout|explorer|API key)\b|\b(?:contracts?|bytecode|source(?: ?code)?|sourcify|(?:ether|tron|bsc|polygon|block|snow|arbi|base)scan|blockscout|explorer)\b[^\n]{0,120}\bverif(?:y|ied|ication|ying)\b|\bbytecodes?\b[^\n]{0,80}\b(?:(?:not|n't) match|mismatch)|\b[Mm]ismatch\w{0,3}\b[^\n]{0,40}\bbytecode/i,
  ],
  [
    "sol-compile",
    /\bcompil(?:e|ed|er|ing|ation)\b|\bpragma\b|\bsolc\b|\bsoljson\b|\b(?:Parser|Declaration|DocstringParsing|Yul|UnimplementedFeature)Error\b|\bError parsing \S{0,200}\.sol\b|\.sol\b[^\n]{0,60}\b(?:Expected|expected|undeclared|not found)\b|\bpeg\$buildStructuredError\b/i,
  ],
  [
    "upgrade-refused",
    /\b(?:prox(?:y|ies)|beacon|upgrade(?:s|able|Proxy|To)?|storage layout|initializers?|UUPS|ERC-?1967|implementation (?:contract|address))\b/i,
  ],
  [
    "topic-key",
    /\b(?:private ?keys?|mnemonics?|recovery phrase|seed phrase|key ?stores?|keychain|passphrase|password|wallet file|scrypt|key derivation|decrypt\w*|derivation path)\b/i,
  ],
  ["topic-nonce", /\bnonce\b|\breplacement\b|\bunderpriced\b/i],
  [
    "topic-balance",
    /\b(?:insufficient|not enough|too (?:low|few)|exceeds?)\b[^\n]{0,60}\b(?:balances?|funds|allowances?|tokens?|coins|TRX|ETH|USDT)\b|\b(?:balances?|funds|allowances?)\b[^\n]{0,60}\b(?:insufficient|not enough|too low|exceed\w*)\b|余额不足/i,
  ],
  [
    "topic-fee",
    /\b(?:gas|energy|bandwidth|fee ?limit|max(?:Priority)?FeePerGas|fees?|gas ?price|base ?fee|underpriced)\b|gas(?:Limit|Price)\b/i,
  ],
  [
    "topic-wallet",
    /\b(?:wallet|walletconnect|metamask|tron ?link|connector|adapter|pairing|session|proposal|ledger|trezor|firmware|Failure_\w{3,40}|namespaces?|relayer|symkey|hid|webusb)\b/i,
  ],
  [
    "topic-signature",
    /\b(?:sign(?:s|ed|er|ers|ing|ature|atures)?|ecdsa|secp256k1|permission|multi-?sig\w*|typed ?data|EIP-?712|yParity|recovery param)\b/i,
  ],
  [
    "topic-test",
    /\b(?:AssertionError|expected\b[^\n]{0,200}\bto (?:be|equal|emit|have|revert|deep)|Wrong kind of exception|assertion (?:failed|violated)|Assertion failed)\b|^\s{0,8}[+-] ?(?:expected|actual)\b/im,
  ],
  [
    "topic-number",
    /\b(?:big ?(?:int|number)|BN|number|integer|decimals?|numeric|overflow|underflow|negative|fraction|(?:out of|not in) (?:safe )?(?:uint\d{0,3} |int\d{0,3} )?range|safe integer|parseUnits|parseEther|toWei|fromWei)\b/i,
  ],
  [
    "topic-arguments",
    /\b(?:arguments?|parameters?|params?|tuple|array|values?|bytes\d{0,2}|u?int\d{0,3}|hex|string|boolean|encod\w+|types?|length|byte array|data size|topics?|fields?|options?|offset|out[- ]of[- ]bounds)\b/i,
  ],
  [
    "topic-abi",
    /\b(?:ABI|abi|fragment|overload\w*|selector|interface|decod\w+|methods?|functions?|events?|error signature|call ?data|multicall|fallback|receive)\b|\bis not a function\b|\bnot implemented\b/,
  ],
  ["topic-address", /\baddress(?:es)?\b|\bENS\b|\bchecksum\b|地址/i],
  [
    "topic-network",
    /\b(?:chains?|networks?|chain ?ids?|mainnet|testnet|fork(?:ed|ing)?|hard ?fork|RPC URL|rinkeby|goerli|sepolia|nile|shasta|unsupported (?:feature|method))\b/i,
  ],
  [
    "topic-connection",
    /\b(?:connect(?:ed|ion|ing)?|disconnected|sockets?|websockets?|timed? ?-?out|unreachable|providers?|subscri(?:be|ption)\w*|relay|endpoint|HTTP|host|network error|polling|reconnect\w*|closed)\b/i,
  ],
  [
    "topic-contract",
    /\b(?:contracts?|artifacts?|bytecode|librar(?:y|ies)|deploy(?:ed|er|ment|ments|ing)?|migrations?)\b/i,
  ],
  [
    "topic-transaction",
    /\b(?:transactions?|tx(?:id|s|Hash)?|receipts?|broadcast\w*|reverted|transfers?|mempool|txpool|user ?operation|bundle\w*)\b|交易|转账/i,
  ],
  [
    "topic-node",
    /\b(?:nodes?|peers?|solidityBlock|sync(?:ed|ing|hroni[sz]\w*)?|blocks?|database|leveldb|rocksdb|witness|snapshot|genesis|fullnode)\b/i,
  ],
  ["topic-answer", /\b(?:rpc|json|response|requests?|answer|result|api|limit|rate)\b/i],
  [
    "topic-setup",
    /\b(?:config(?:uration)?|options?|commands?|plug-?ins?|packages?|modules?|class|trait|install\w*|versions?|files?|director(?:y|ies)|settings?|tasks?|scripts?|dependenc(?:y|ies)|import\w*|export\w*)\b/i,
  ],
] as const satisfies readonly (readonly [entry: string, subject: RegExp])[];

export type TopicEntry = (typeof TOPICS)[number][0];

/** The subject of a message that reports a failure. */
export function topicOf(message: string): TopicEntry | undefined {
  return TOPICS.find(([, subject]) => subject.test(message))?.[0];
}

/** Words that only people who work with chains use: one is enough. */
const OF_FIELD =
  /\b(?:TRACE|DEBUG|INFO|WARN|ERROR|CRIT)\s?\[\d\d-\d\d\|\d\d:|\b(?:bytecode|smart[- ]?contract|solidity|vyper|solc|EVM|TVM|gwei|msg\.(?:sender|value)|calldata|delegatecall|selfdestruct|ERC-?(?:20|165|721|777|1155|1271|1967|2612|2771|4337|4626|7702|7821)\w{0,20}|EIP-?\d{2,4}|TRC-?\d{2,4}|BEP-?20|mempool|txpool|gas(?:Price|Limit| price| limit| estimat\w+| fee| required| used)|max(?:Priority)?FeePerGas|base ?fee(?: per gas)?|block ?chain|on-chain|dapps?|web3(?:\.?js|\.?py|modal|auth|auth)?|ethers|viem|wagmi|metamask|wallet ?connect|tron ?link|(?:ether|bsc|polygon|tron|snow|arbi|base)scan|blockscout|sourcify|open ?zeppelin|hardhat|foundry|anvil|ganache|brownie|infura|alchemy|quicknode|keystore v3|user ?operation|paymaster|rlp|secp256k1|keccak256?|hexlify|arrayify|abi(?:Coder| coder|\.encode| encod\w+)|deploy(?:ed|ing)? contract|contract (?:address|deployment|creation|call|method|function|artifact)s?|nethereum|web3j|eth_[a-z]\w{2,40}|personal_\w{3,30}|debug_trace\w+|RpcClient\w*Exception|RpcResponseException|rpc requests?|config\.networks|build info|storage layout|initialOwner|ProxyAdmin|beacon prox\w+|EIP712Domain|setProvider|non-indexed param\w+|indexed event param\w+|function selector|user ?op|smart account|EntryPoint|CAIP-\d{1,4}|JsonRpcError|connector\s{1,3}not|priv_?key|privateKey|solidity ?block|op-geth|geth|erigon|nethermind|Tron[A-Z]\w{2,40}|full ?nodes?|peer stats|session (?:propert\w+|namespaces?|proposal)|ledger(?=:| (?:device|live|nano|wallet))|trezor|Failure_(?:Firmware|Action|Data|Process|Pin|Invalid|Not|Unexpected)\w{3,40}|chain ?ids?|block ?limit|Ethereum (?:network|node|client|provider|account|address|transaction)s?|Protocol\\[A-Z]\w{2,40}|chai property|fullHost|fullNode|consume_user_resource_percent|ADDRESS_ZERO|zero address|contracts? (?:could (?:not )?be|was not|is not|cannot be) (?:verified|deployed|compiled|found|called))\b|\.sol\b|\b0x[\da-f]{40}\b|智能合约|波场|以太坊/i;

/** Words of chains that others use as well: three are enough, or two if one of them is rare elsewhere. */
const RARE_WORDS = /\b(?:wei\b|mnemonic|testnet|mainnet|wallet)/gi;
const SHARED_WORDS =
  /\b(?:ABI\b|contract|transaction|address|signer|signature|nonce|private ?key|tokens? (?:id|amount|contract|transfer)|gas\b|RPC|block|ENS\b|checksum|constructor|revert|receipt|provider|allowance|swap|liquidity|approve)/gi;

/** Markers of a failure in a message. */
const FAILURE =
  /\b\w{0,60}(?:Error|Exception)\b|\b(?:error|fail(?:ed|ure|s)?|fatal|panic\w*|invalid|unable|cannot|can't|can not|could(?:n't| not)|(?:does|did|do|is|was|are|has|have)(?:n't| not)|exceed(?:s|ed)|not (?:running|connected|working|synced|found|exist|supported|valid|allowed|enough|set|defined|recogni[sz]ed|available|registered|deployed|authori[sz]ed|implemented|a function|be found)|missing|unknown|unsupported|unexpected|rejected|refused|denied|err|reverted|mismatch\w*|expired|timed? ?out|too (?:many|large|long|small|low|high|short|deep|big)|insufficient|illegal|malformed|ambiguous|must (?:be|have|not|match)|required|incompatible|corrupt\w*|wrong|undefined|abort\w*|no (?:matching|contract|signer|account|provider|such|code|data))\b|失败|错误|异常|无法|无效|不足|超时|拒绝|不存在|报错/i;

/** Lines of stacks, and lines in which programs report no failure. */
const NO_MESSAGE =
  /^\s{0,40}(?:at \S|File "|in <?\w|#\d{1,3} |\.{3} \d|~?\^|\d{1,5} ?\||-->|node:internal|goroutine \d|\tat )|^\s{0,8}(?:\[?\d[\d:.,TZ -]{6,30}\]?,? ?)?\[?(?:INFO|DEBUG|TRACE|info|debug|trace|Info|Debug)\b(?![^\n]{0,200}\berr=")|^\s{0,8}(?:added|removed|found|Compiled|Compiling|Writing|Using|Running|For more info)\b|\bcommand not found\b|\bfrom daemon\b/;

/** Exceptions of a language tell of a value that is not there, whatever else their message names. */
export const OF_LANGUAGE =
  /\b(?:TypeError|ReferenceError|KeyError|AttributeError|NameError|IndexError|ImportError|NullPointerException|NullReferenceException|ArgumentOutOfRangeException|NoSuchMethodError|NoClassDefFoundError|ClassNotFoundException)\b|\bpanicked at\b|\bis not a function\b|\bundefined function\b/;

const MAX_MESSAGE = 600;
const MAX_LINES = 12;
const MAX_TEXT = 8192;

const WORDS = /\b[A-Za-z]?[a-z]{2,}/g;
const MIN_WORDS = 3;

/** The lines of a text that report a failure, without those of a stack. */
export function failureLines(text: string): readonly string[] {
  return text
    .slice(0, MAX_TEXT)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !NO_MESSAGE.test(line))
    .map((line) => line.trim().slice(0, MAX_MESSAGE))
    .filter((line) => FAILURE.test(line) && (hasWords(line) || OF_LANGUAGE.test(line)))
    .slice(0, MAX_LINES);
}

/** Returns whether a line is a sentence: a name or code alone has no subject. */
function hasWords(line: string): boolean {
  return (line.match(WORDS)?.length ?? 0) >= MIN_WORDS || /\p{Script=Han}{4}/u.test(line);
}

/** Returns true if a message is one of programs that work with chains, by its words alone. */
export function isOfField(message: string): boolean {
  if (OF_FIELD.test(message)) return true;
  const rare = wordsOf(message, RARE_WORDS);
  const words = rare + wordsOf(message, SHARED_WORDS);
  return words >= (rare > 0 ? 2 : 3);
}

/** Returns how many different words of a message match. */
function wordsOf(message: string, words: RegExp): number {
  return new Set(message.match(words)?.map((word) => word.toLowerCase())).size;
}
