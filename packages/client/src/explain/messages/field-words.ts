/** Returns an expression for the alternatives in several lines of words, which ignores case. */
function anyOf(...alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join("|"), "i");
}

/** Words that only people who work with chains use: one of them suffices. */
const OF_FIELD = anyOf(
  // Log lines of nodes
  String.raw`\b(?:TRACE|DEBUG|INFO|WARN|ERROR|CRIT)\s?\[\d\d-\d\d\|\d\d:`,
  String.raw`\b(?:solidity ?(?:block|node)|trust ?node|event ?plugins?|plugin-(?:mongodb|kafka)|full ?nodes?|peer stats|op-geth|geth|erigon|nethermind|Tron[A-Z]\w{2,40}|TransactionInfo|(?:Level|Rocks)Db\w{0,4}DataSource\w{0,8}|(?:level|rocks)dbjni\w{0,12}|chaindata|ancients|iq80|revokingDb|snapshot (?:is not constructed|not old enough|tree)|genesis (?:block|file|state)|(?:head|latest|solid\w{0,6}) block|block ?limit|nodes? (?:is |seems )?(?:not (?:yet )?|out of )sync\w*)\b`,
  String.raw`(?<![a-z])output-directory\b`,
  // Contracts and their languages
  String.raw`\b(?:bytecode|smart[- ]?contract|solidity|vyper|solc|EVM|TVM|msg\.(?:sender|value)|calldata|delegatecall|selfdestruct|storage layout|initialOwner|ProxyAdmin|beacon prox\w+|build info|deploy(?:ed|ing)? contract|multi-?call|payable|function selector|NotEnough(?:Energy|Bandwidth)|INSUFFICIENT_(?:ENERGY|BANDWIDTH)\w{0,20}|trcToken|ecrecover|bytes32|proxy contract|eventServer|localwitness\w{0,10}|ref_block_\w{4,8}|tapos|get(?:Now)?Block(?:By\w{2,20})|GasFree|transaction simulation|shasta|nile (?:testnet|network))\b|\.sol\b`,
  String.raw`\bcontract(?:'s)? (?:address|deployment|creation|call|method|function|artifact|ABI|event|bytecode)s?\b|\bcontracts? (?:could (?:not )?be|was not|is not|cannot be) (?:verified|deployed|compiled|found|called)\b`,
  String.raw`\b(?:abi(?:Coder| coder|\.encode| encod\w+|-type)|(?:non-)?indexed (?:event )?param\w*|rlp|base58\w{0,8}|satoshis?|ENS (?:name|registry|address|resolver|text|avatar)|secp256k1|keccak\w*|hexlify|arrayify|EIP712Domain)\b`,
  String.raw`\bABI (?:function|event|error|entr(?:y|ies)|value|input|output|string|file|item|param\w*|array|types?|decod\w+|should|of|for|is required|could not|contains)\b|\b(?:parse|contract|in the|in|read|no|without) ABI\b(?! (?:version|mismatch))`,
  String.raw`\b(?:ERC-?(?:20|165|721|777|1155|1271|1967|2612|2771|4337|4626|7702|7821)\w{0,20}|EIP-?\d{2,4}|TRC-?\d{2,4}|BEP-?20|BIP-?(?:32|39|44)|CAIP-\d{1,4})\b`,
  // Transactions, fees and resources
  String.raw`\b(?:mempool|txpool|block ?chain|(?:on|cross)-?chain|gwei|gas(?:Price|Limit| price| limit| estimat\w+| fee| required| used)|out of gas|max(?:Priority)?FeePerGas|base ?fee(?: per gas)?|rpc requests?|(?:eth|wallet|tron)_[a-z]\w{3,40}|personal_\w{3,30}|debug_trace\w+|chain ?ids?)\b`,
  String.raw`\b(?:consume_user_resource_percent|call_?(?:token_?)?value|(?:owner|contract|receiver)_address|origin_energy_limit|permission_id|fee_?limit|contractRet|constant_result|priv_?key|privateKey|ADDRESS_ZERO|zero address|token (?:decimals|contract|symbol|holder)s?)\b`,
  String.raw`\b(?:rent\w*|delegat\w+|undelegat\w+|estimat\w+|insufficient|not enough|enough|reclaim\w*|freez\w+|unfreez\w+|stak\w+) (?:of )?(?:energy|bandwidth|resources?)\b|\b(?:available|minimum) energy\b|\benergy (?:is )?(?:not enough|insufficient|too low)\b|\benergy (?:delegation|rental|amount|pool|limit|price|estimat\w+|usage|fee|points?|order|required|used)\b|\b(?:staking|unstak\w+|unfreez\w+|super representative|witness candidate|(?:account|owner|active|update) permission|bandwidth points?)\b`,
  String.raw`\b(?:user ?op(?:eration)?|paymaster|smart account|entry ?point (?:contract|address|version)|multi-?sig\w*|dapps?|NFTs?|airdrops?|slippage|price impact|token approvals?|block range|bridge (?:send|transaction|transfer)s?|Tether|stablecoins?|crypto ?currenc(?:y|ies)|USD[TCD]|(?:seed|recovery) phrase|(?:invalid|wrong|import) mnemonic|mnemonic (?:phrase|words?)|(?:HD )?derivation path|hard ?fork)\b`,
  // Wallets and devices
  String.raw`\b(?:metamask|wallet ?connect|tron ?link|connector\s{1,3}not|JsonRpcError|session (?:propert\w+|namespaces?|proposal)|ledger(?=: | (?:device|live|nano|wallet|signature))|ledgerhq|trezor|Failure_(?:Firmware|Action|Data|Process|Pin|Invalid|Not|Unexpected)\w{3,40})\b`,
  String.raw`\b(?:crypto|hot|cold|hardware|browser|mobile|web3|deposit|custod\w+|connected|TRON) wallets?\b|\bwallet(?:'s)? (?:address(?:es)?|adapters?|files?|chains?|keys?|is locked|locked|not (?:found|connected|ready|installed|supported)|already open|closed|core|provider)\b|\b(?:connect|import|launching|unlock|restore|no open|select|recover) (?:(?:a|the|your) )?wallet\b`,
  // Libraries, tools, explorers and hosted nodes
  String.raw`\b(?:web3(?:\.?js|\.?py|modal|auth)?|ethers|viem|wagmi|nethereum|web3j|open ?zeppelin|hardhat|foundry|anvil|ganache|brownie|infura|alchemy|quicknode|keystore v3|(?:ether|bsc|polygon|tron|snow|arbi|base)scan|blockscout|sourcify|chai property|fullHost|fullNode|config\.networks|setProvider|RpcClient\w{0,40}Exception|RpcResponseException|Protocol\\[A-Z]\w{2,40}|reown|appkit|Elliptic\\\w{1,20}|kornrunner)\b|\bEthereum (?:network|node|client|provider|account|address|transaction)s?\b`,
  String.raw`(?<!\bkey )\b0x[\da-f]{40}\b`,
  "智能合约|波场|以太坊|区块|链上|私钥|助记词|质押|能量|带宽(?:不足|点)|矿工费|转账|合约|代币|钱包",
);

/** Words of chains with other uses: three of them suffice, or two if one is rare elsewhere. */
const RARE_WORDS =
  /\b(?:wei\b|witness|u?int256|bitcoin|ethereum|solana|polygon|mnemonic|testnet|mainnet|wallet|ABI\b|block ?(?:num\b|number|height|hash))/gi;
const SHARED_WORDS =
  /\b(?:contract|transaction|address|signer|signature|nonce|(?:private|public) ?key|tokens? (?:id|amount|contract|transfer)|gas\b|RPC|block|ENS\b|checksum|constructor|revert|receipt|provider|allowance|swap|liquidity|approve|fee\b|fees\b|sender|deploy|chain\b|hex\b|vote|keystore|tx\b)/gi;

/** Markers of a failure in a message. */
const FAILURE =
  /\b\w{0,60}(?:Error|Exception)\b|\b(?:error|fail(?:ed|ure|s|ing)?|fatal|panic\w*|invalid|unable|cannot|can't|can not|could(?:n't| not)|(?:does|did|do|is|was|are|has|have)(?:n't| not)|exceed(?:s|ed)|expect(?:ed|ing) (?!to\b)|not reachable|not (?:running|connected|working|synced|found|exist|supported|valid|allowed|enough|set|defined|recogni[sz]ed|available|registered|deployed|authori[sz]ed|activated|implemented|match|signed|mined|confirmed|initiali[sz]ed|a function|be found|specified|provided|configured|eq)|missing|unknown|unsupported|unexpected|rejected|refused|denied|err|reverted|mismatch\w*|expired|timed? ?out|too (?:many|large|long|small|low|high|short|deep|big)|insufficient|illegal|malformed|ambiguous|must (?:be|have|not|match|equal|give|set|provide|specify)|required|incompatible|corrupt\w*|wrong|undefined|abort\w*|already (?:exists?|used|in use|been used|registered|signed|open|closed|taken|initiated|been deployed)|cancell?ed|out of|(?:is|far|too far) behind|stuck|stalled|occupied|no enough|does ?nt|did not (?:match|respond|return|produce|pass|succeed|complete)|black ?list\w*|incomplete|differs?|conflicts?|only supports?|missed|reverts?|NotEnough\w{0,20}|no (?:matching|contract|signer|account|provider|such|code|data|wallet|open|address|token|transaction|block|energy|private|active|available|valid|ABI|event|function|method|network|response|result|constructor|permission|accounts?))\b|失败|错误|异常|无法|无效|不足|超时|拒绝|不存在|报错|未激活|不正确|不能/i;

/** Lines of stacks, and lines in which programs report no failure. */
const NO_MESSAGE =
  /^\s{0,40}(?:\/\/|\* |at \S|File "|in <?\w|#\d{1,3} |\.{3} \d|~?\^|\d{1,5} ?\||-->|node:internal|goroutine \d|\tat )|^\s{0,8}(?:\[?\d[\d:.,TZ -]{6,30}\]?,? ?)?\[?(?:INFO|DEBUG|TRACE|info|debug|trace|Info|Debug)\b(?![^\n]{0,200}\berr=")|^\s{0,8}(?:added|removed|found|Compiled|Compiling|Writing|Using|Running|For more info)\b|\b(?:0|no) (?:errors?|failed|failures|failing)\b|\bcommand not found\b|\bfrom daemon\b/;

/** Language exceptions report a missing value, whatever else their message names. */
export const OF_LANGUAGE =
  /\b(?:TypeError|ReferenceError|KeyError|AttributeError|NameError|IndexError|ImportError|NullPointerException|NullReferenceException|ArgumentOutOfRangeException|NoSuchMethodError|NoClassDefFoundError|ClassNotFoundException)\b|\bpanicked at\b|\bpanic: runtime error\b|\bis not a function\b|\bundefined function\b|\bobject is not subscriptable\b/;

const MAX_MESSAGE = 600;
const MAX_LINES = 12;
const MAX_TEXT = 8192;

const WORDS = /\b[A-Za-z]?[a-z]{2,}/g;
const MIN_WORDS = 3;

/** Returns the lines of a text that report a failure, without those of a stack. */
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

/** Returns true if a message has a word that only people who work with chains use. */
export function hasFieldWord(message: string): boolean {
  return OF_FIELD.test(message);
}

/** Returns true if a message has several of the words that others use as well. */
export function hasSharedWords(message: string): boolean {
  const rare = wordsOf(message, RARE_WORDS);
  const words = rare + wordsOf(message, SHARED_WORDS);
  return words >= (rare > 0 ? 2 : 3);
}

/** Returns how many different words of a message match. */
function wordsOf(message: string, words: RegExp): number {
  return new Set(message.match(words)?.map((word) => word.toLowerCase())).size;
}
