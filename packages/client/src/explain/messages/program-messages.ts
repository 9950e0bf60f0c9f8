import { t } from "@vscode/l10n";
import { OTHER_TRON } from "../decode/plain-text.ts";
import { DATABASE_DAMAGED } from "./setup-messages.ts";
import { group } from "./template.ts";

/**
 * Messages of nodes and tools that differ in details and share a cause. `PROGRAM_FORMS` and `FALLBACK_FORMS` have their
 * texts; the program's message follows the cause.
 */
export const programMessages = [
  ...group({ category: "http", retry: "not-known", source: "the words of java-tron" }, [
    [
      "node-start",
      [],
      t`The node does not start`,
      t`Its configuration, port, network or one of its modules cannot be used.`,
      t`Read the first cause in the log, correct it, and start the node again.`,
    ],
    [
      "node-block",
      [],
      t`The node cannot apply a block`,
      t`The parent block is unknown, or the execution result differs: the node's version is too old, its database is damaged, or it is on a fork.`,
      t`Update the node. If it stays at this block, restore a snapshot of the database. Ask another node for now.`,
    ],
    [
      "node-peer",
      [],
      t`The node lost a connection to a peer`,
      t`The peer closed the connection, sent invalid data, or is too far away. This is normal for nodes.`,
      t`No action is needed while there are other peers. Otherwise open port 18888, and compare the network ID and the version.`,
    ],
    [
      "node-config",
      [],
      t`The configuration of the node cannot be read`,
      t`A line of the file does not follow its syntax (HOCON), or a value is missing or has another type. A file that begins with < is a web page that was saved in place of the file.`,
      t`Correct the line that the message names, or download the raw file again. Then start the node.`,
    ],
    [
      "node-no-key",
      [],
      t`The node of the SR has no key`,
      t`It was started with --witness, and its configuration has neither localwitness (private key) nor localwitnesskeystore. It produces no block.`,
      t`Set one of them in the configuration, or start the node without --witness.`,
    ],
    [
      "node-memory",
      [],
      t`The node has too little memory`,
      t`The Java heap or the memory of the computer is used up, or the process crashed.`,
      t`Give it more memory (-Xmx), close other programs, and start the node again. Check the database afterwards.`,
    ],
    [
      "node-java",
      [],
      t`The Java version does not match`,
      t`The node or tool was built for a different Java version than the one in use.`,
      t`Use the version in its documentation: java-tron runs with Java 8 on x86, and with Java 17 on ARM.`,
    ],
    [
      "node-native",
      [],
      t`A native library of the node cannot be loaded`,
      t`The library of the database (leveldbjni, rocksdbjni) does not exist for this processor or system, or cannot be unpacked into the temporary directory.`,
      t`Use the documented Java version and database engine of this processor (RocksDB on ARM), and check the permissions of the temporary directory.`,
    ],
    [
      "node-event",
      [],
      t`The event subscription of the node does not work`,
      t`The plugin, its version or the server to which it writes is missing or not valid.`,
      t`Check event.subscribe in the configuration, the path of the plugin, and the server.`,
    ],
    [
      "node-no-events",
      [],
      t`This node does not serve events`,
      t`A full node has no such path and answers 404. The paths /v1/… belong to TronGrid, and the paths /event/… to a separate event server.`,
      t`Ask TronGrid, or an event server that is connected to the node by its event subscription. Logs of one transaction are in gettransactioninfobyid.`,
    ],
    [
      "node-waiting",
      [],
      t`The private node is not ready yet`,
      t`The image waits until its node synchronises and produces blocks. Before that it has no accounts.`,
      t`Wait a minute. If the problem continues, read the log of the node in the container (memory, port, Java), and start the image again with an empty database.`,
    ],
    [
      "node-port",
      [],
      t`Another process uses the port`,
      t`Another node or server uses this port, so this one does not start.`,
      t`Stop the other process, or choose another port in the configuration.`,
    ],
    [
      "node-files",
      [],
      t`The node cannot open or write its files`,
      t`The disk is full, too many files are open, or the directory does not allow it.`,
      t`Free disk space, raise the limit of open files (ulimit -n), check the rights of the directory, and start the node again.`,
    ],
    [
      "node-produce",
      [],
      t`The node did not produce a block`,
      t`The node is not an elected SR at this time, is not synchronised, has a wrong key or clock, or too few SRs are active.`,
      t`Compare localwitness with the account of the SR, check the clock, and wait until the node is synchronised.`,
    ],
    [
      "node-build",
      [],
      t`The program was not built`,
      t`The build stopped: a dependency, a tool, the version of Java, or classes that the build generates from protobuf files are missing.`,
      t`Build with the version of Java that the documentation names, and check the network connection.`,
    ],
  ]),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of compilers and explorers" }, [
    [
      "sol-compile",
      [],
      t`The contract does not compile`,
      t`The compiler refused the source, so nothing was deployed or sent.`,
      t`Correct the source at the reported position, or use the compiler version that it requires.`,
    ],
    [
      "sol-stack",
      [],
      t`A function has too many local variables`,
      t`The compiler can access only 16 stack values ("stack too deep"), so nothing was deployed or sent.`,
      t`Put variables into a struct or an inner block, split the function, or compile with viaIR and the optimizer.`,
    ],
    [
      "sol-version",
      [],
      t`The compiler version does not match the source`,
      t`The pragma of a file does not allow the version of Solidity that is set, so nothing was deployed or sent.`,
      t`Set a version that all pragmas allow, or change the pragma.`,
    ],
    [
      "sol-tron",
      [],
      t`The compiler does not know a member of TRON's Solidity`,
      t`TRC-10 tokens, staking and votes in contracts (transferToken, tokenBalance, trcToken, msg.tokenid) exist in the TRON compiler only, and since Solidity 0.5 transferToken belongs to address payable. Nothing was deployed or sent.`,
      t`Compile with the TRON compiler (tron-solc), which TronBox and TRON-IDE have. Convert the recipient: payable(to).transferToken(…), or address payable as its type.`,
    ],
    [
      "sol-import",
      [],
      t`An imported file is missing`,
      t`The compiler or the tool did not find a file or a package that the source imports, so nothing was deployed or sent.`,
      t`Install the package, check the path and the remappings, and compile again.`,
    ],
    [
      "verify-done",
      [],
      t`The contract is verified already`,
      t`The explorer has the source of this address.`,
      t`No action is needed. A proxy and its implementation are verified separately.`,
    ],
    [
      "verify-no-code",
      [],
      t`The explorer finds no contract at this address`,
      t`The explorer does not show the deployment yet, or the address or the network is another one.`,
      t`Wait for some blocks, check the address and the network, and verify again.`,
    ],
    [
      "upgrade-refused",
      [],
      t`The upgrade or the proxy was refused`,
      t`The upgrades plugin stopped before it sent the upgrade: the proxy, its manifest or its kind does not match.`,
      t`Compare the proxy, its kind and the network with the manifest (.openzeppelin), and import the proxy (forceImport) if it is missing.`,
    ],
    [
      "tool-install",
      [],
      t`A package of the program is missing or does not fit`,
      t`The package manager, the bundler or Node.js stopped: versions exclude one another, or a module is missing. Nothing was sent.`,
      t`Install the versions that the library names. For a browser, add polyfills for the modules of Node.js (buffer, crypto, stream) to the bundler.`,
    ],
    [
      "tool-extension",
      [],
      t`An extension of PHP is missing`,
      t`The library computes with large numbers, and the extension of PHP for it (gmp or bcmath) is not installed or not switched on. Nothing was signed or sent by this call.`,
      t`Install the extension (php-gmp, php-bcmath), switch it on in php.ini, and restart PHP or the web server.`,
    ],
    [
      "tool-no-display",
      [],
      t`The tool finds no display for its window`,
      t`The computer or session has no display, for example over SSH, in a container or on a server: DISPLAY is not set. Nothing was sent.`,
      t`Start the tool on a desktop, or set DISPLAY (X11 forwarding, Xvfb).`,
    ],
    [
      "tool-console-name",
      [],
      t`The console does not define this name`,
      t`The console of TronBox has tronWeb, tronWrap, artifacts and the contracts of the project. Other names, such as accounts and web3, belong to other tools, or have to be declared first. Nothing was sent by this line.`,
      t`Use tronWeb in the console, and compile and migrate the contracts first.`,
    ],
    [
      "tool-import",
      [],
      t`The program uses another version of the library`,
      t`The program calls a function or class that the installed version of the library does not have. This call sent nothing.`,
      t`Compare the installed version with the version of the example: ethers 6 and TronWeb 6 renamed functions.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of libraries and tools" }, [
    [
      "tool-offline",
      [],
      t`The program is not connected to a node`,
      t`The connection could not be made, or was closed: a wrong URL or port, a node that is down, or a socket that ended. A transaction that was being sent may have arrived.`,
      t`Check the URL and whether the node runs, and connect again. Look up pending transactions by txID, and send only the same bytes.`,
    ],
    [
      "tool-command-failed",
      [],
      t`The command failed without a reason`,
      t`wallet-cli reports this when the node refuses a transaction or does not answer. The reason is above it or in its log.`,
      t`Read the lines above. Check the account's last transactions before you run the command again.`,
    ],
  ]),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of wallet-cli" }, [
    [
      "tool-login",
      [],
      t`A keystore file, key or password could not be used`,
      t`The password is wrong, the keystore file is missing or belongs to another password, or a private key or mnemonic is malformed. The command signed and sent nothing.`,
      t`Check the folder Wallet of wallet-cli, and use the password with which the keystore file was created. Without the password, import the private key or the mnemonic again.`,
    ],
    [
      "tool-not-logged-in",
      [],
      t`No wallet is open in wallet-cli`,
      t`The command needs an account, and no keystore file is unlocked. It signed and sent nothing.`,
      t`Run Login first. Without a keystore file, run RegisterWallet or ImportWallet before.`,
    ],
    [
      "tool-weak-password",
      [],
      t`The password is too weak`,
      t`No wallet was created or changed with it. wallet-cli requires at least 8 characters, and refuses sequences, repetitions and known words.`,
      t`Choose a longer password of upper and lower case letters, digits and other characters.`,
    ],
  ]),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of wallets and WalletConnect" }, [
    [
      "wallet-unsupported",
      [],
      t`The wallet does not offer this`,
      t`The wallet or session does not support the requested method, event or chain. Nothing was signed or sent.`,
      t`Compare the methods and chains of the request with those of the session, and use a wallet that has them.`,
    ],
    [
      "wallet-project",
      [],
      t`WalletConnect does not accept the project`,
      t`The relay refuses the project ID, or the page is not on its list of origins. Nothing was signed or sent.`,
      t`Set a valid project ID, and allow the origin of the page in the settings of the project.`,
    ],
  ]),
  ...group({ category: "validation", retry: "request-after-fix", source: "the words of JSON-RPC nodes" }, [
    [
      "rpc-type",
      [],
      t`The node does not take this type of transaction`,
      t`The network or the node does not know the type of the transaction, so nothing was accepted.`,
      t`Use the type that the network accepts (older form, or EIP-1559). To send on TRON, use the HTTP interface.`,
    ],
    [
      "rpc-too-many",
      [],
      t`The answer would be too large`,
      t`The node limits the number of blocks and logs, or the size of one answer.`,
      t`Request fewer blocks at once, or filter by address and topic.`,
    ],
    [
      "rpc-filter",
      [],
      t`The node does not know the filter`,
      t`Nodes drop filters after some minutes, and several nodes may answer behind one URL. Only queries are affected.`,
      t`Create another filter, or ask for logs with eth_getLogs.`,
    ],
    [
      "rpc-signature",
      [],
      t`The node does not accept the signature`,
      t`The signature does not match the transaction, the sender or the chain ID, so nothing was accepted.`,
      t`Check the key of the sender and the chain id with which the transaction was signed.`,
    ],
    [
      "rpc-undecodable",
      [],
      t`The node cannot read the transaction`,
      t`The bytes are not a signed transaction of this network, or are cut off, so nothing was accepted.`,
      t`Send the signed transaction of the library in hex with 0x (raw_transaction, rawTransaction). A TRON transaction is sent with broadcasttransaction.`,
    ],
    [
      "rpc-too-big",
      [],
      t`The transaction is too big`,
      t`Its data or code exceeds the limits of the node or network, so nothing was accepted.`,
      t`Send less data, or split the contract.`,
    ],
  ]),
  ...group({ category: "validation", retry: "request-after-funding", source: "the words of wallets" }, [
    [
      "wallet-resources",
      [],
      t`Not enough energy or bandwidth`,
      t`The account has too little energy or bandwidth, and too few coins to pay for it.`,
      t`Add coins, stake for the resource, or let another account delegate it.`,
    ],
  ]),
  ...group({ category: "http", retry: "simulation-again", source: "the words of JSON-RPC nodes" }, [
    [
      "rpc-slow",
      [],
      t`The trial run took too long`,
      t`The node ended a call or a trace at its time limit.`,
      t`Request less, raise the limit of the node, or use another node.`,
    ],
  ]),
  ...group({ category: "validation", retry: "not-known", source: "the words of JSON-RPC nodes" }, [
    [
      "rpc-refused",
      [],
      t`The JSON-RPC request failed`,
      t`The node or wallet refused it with its own message.`,
      t`Read the message. If a transaction was sent, look up its hash or txID before you build anything new.`,
    ],
  ]),
  ...group({ category: "validation", retry: "request-after-fix", source: "the words of tronpy and gotron-sdk" }, [
    [
      "tool-account-missing",
      [],
      t`The account is not on the chain`,
      t`The address was never activated on this network.`,
      t`Check the address and the network. An account exists on the chain once it received something.`,
    ],
  ]),
  ...group({ category: "validation", retry: "not-known", source: "the words of libraries and tools" }, [
    [
      "tool-reports",
      [],
      t`A library or tool of the chain reports a failure`,
      t`It reported an unknown error.`,
      t`Read the message and the documentation of the tool. If a transaction was sent before, look up its txID first.`,
    ],
    [
      "tool-load-order",
      [],
      t`A class or variable is used before it is initialised`,
      t`The module that creates it has not run yet: modules import each other in a circle, the bundler changed their order, or a variable hides an import. The outcome of a transaction is not affected.`,
      t`Check for circular imports and duplicate names, and update the library and the bundler. If a transaction was sent before, look up its txID first.`,
    ],
    [
      "tool-exception",
      [],
      t`The program stopped with an exception`,
      t`A value is missing or has a different type. The answer of the node has an unexpected form, or the library version is used differently. The outcome of a transaction is not affected.`,
      t`Check the value before the failing line, and the version of the library. If a transaction was sent before, look up its txID first.`,
    ],
  ]),
];

/** Programs of chains, by the paths and names that stacks and logs show. */
const OF_CHAIN =
  /node_modules[\\/](?:@?tron|ethers|@ethersproject|viem|web3|hardhat|@nomic|truffle|@truffle|@openzeppelin|@walletconnect|@reown|@?wagmi|ganache|@metamask)|packages\/(?:tronwrap|truffle-)|site-packages[\\/](?:tron|web3|eth_|brownie|ape|vyper|solcx)|\borg[./](?:tron|web3j)\b|\b(?:TronNet|Nethereum)\.|\bgo-ethereum\b|\bgotron-sdk\b|\b[Ii][Ee][Xx][Bb]ase\b|node_modules[\\/](?:\.pnpm[\\/])?@tronweb3|\b@(?:nomiclabs|nomicfoundation|tronweb3|ethersproject|walletconnect|openzeppelin)\/|\b(?:ethers|viem|wagmi|web3|@wagmi\/\w{1,20})@\d|\b[Tt]ron(?:[Ww]eb|[Ll]ink|[Bb]ox|py|[Gg]rid|[Ss]can|[Ss]tudio)\w{0,12}\b|(?<![\w-])wallet-cli\b|\b(?:[Rr]egister|[Ii]mport|[Bb]ackup)[Ww]allet\b|\b(?:main|test|private|nile|shasta)_net_config\w{0,20}\.conf\b|\[o\.t\.(?:c\.[abcenuvz]\.[\w.]{2,60}|[\w.]{1,40}\.(?:Manager|FullNode|NodeImpl|WitnessService|SyncService|RpcApiService|TronNetDelegate))\]|\b[jJ]ava-?[tT]ron\b|\bFullNode\b|\bDeploying Migrations\b|\bRunning migration: \d{1,3}_\w|\blibleveldbjni\b|\btronapi\b|[\\/](?:tron|trc20)[\w-]{0,20}[\\/]|\bProviderError\b/;

/** Tools that compile contracts: the compiler's own output is no failure of the chain. */
const COMPILES =
  /\bParsedContract\.sol\b|\b(?:hardhat|truffle|tronbox|foundry|forge|anvil|brownie|openzeppelin)\b|\bHH\d{3}\b|\bCompilation failed\. See above|\bCompiler run failed\b/i;

/** Returns whether a text names a program of a chain. */
export function namesProgram(text: string): boolean {
  const start = text.slice(0, MAX_TEXT);
  return (OF_CHAIN.test(start) && !OTHER_TRON.test(start)) || COMPILES.test(start);
}

const MAX_TEXT = 32_768;

/** Entry by the output of programs. With `true` it counts only in texts that name a program of a chain. */
type ProgramForm = readonly [entry: string, form: RegExp, isShared?: true];

/** The first match counts. */
export const PROGRAM_FORMS = [
  [
    "sol-tron",
    /\bMember "(?:transferToken|tokenBalance|tokenid|tokenvalue|freeze(?:BalanceV2|Expire)?|unfreeze(?:BalanceV2)?|delegateResource|unDelegateResource|withdrawreward|rewardBalance)" (?:is )?not found\b|\b(?:Identifier|Type) not found or not unique\b[\s\S]{0,120}\btrcToken\b/,
  ],
  [
    "tool-extension",
    /\bCall to undefined function (?:Mdanter|kornrunner|Elliptic|phpseclib\d?|IEXBase|Tron|BN|BI|Web3)\\[\w\\]{0,80}\b(?:gmp|bc)(?:_\w{2,20}|add|sub|mul|div|mod|pow|powmod|comp|sqrt)\(/,
  ],
  [
    "tool-extension",
    /\bCall to undefined function (?:gmp_\w{2,20}|bc(?:add|sub|mul|div|mod|pow|powmod|comp|sqrt))\(/,
    true,
  ],
  ["sol-stack", /\bslot\(s\) too deep inside the stack\b|\bCompilerError: Stack too deep\b/],
  ["node-database-damaged", DATABASE_DAMAGED, true],
  ["topic-node", /\bdata not found in store, dbName\b/],
  ["topic-connection", /\bERROR: aborted\b/, true],
  ["topic-answer", /\bmax(?:Content|Body)Length size of -?\d{1,12} exceeded\b/],
  [
    "node-block",
    /\b(?:UnLinkedBlock|ReceiptCheckErr)Exception\b|\bFailed to process block \d|\b(?:get an? unlinked|get a bad) block\b|\bProcess (?:sync )?block [^\n]{0,160}\bfailed\b|\bdifferent resultCode txId\b|\b(?:BadBlock|NonCommonBlock|BadNumberBlock|ValidateSchedule)Exception\b|\b(?:WARN|ERROR)\b[^\n]{0,120}\b(?:KhaosDatabase|SyncService)\.java:\d{1,5}\)[^\n]{0,60}\bBlock\b|\bThe merkle (?:root|hash) is not validated\b|\bconsensus apply block failed\b|\bunlinked block, my head\b|\bUpdate solid block number failed\b|#{3,20} BAD BLOCK\b|\bBad block #\d|\bSynchronisation failed\b|\b(?:Error|err)[:=]\s?"?(?:unknown ancestor|invalid (?:merkle root|gas used|receipt root|bloom|state root))\b/i,
  ],
  ["node-no-key", /\bThis is a witness node, ?but localWitnesses is null\b/],
  [
    "node-no-events",
    /(?<!trongrid\.io)\/v1\/(?:contracts|accounts)\/T[1-9A-HJ-NP-Za-km-z]{33}\b[^\n]{0,200}\b404\b|\b404\b[^\n]{0,120}(?<!trongrid\.io)\/v1\/(?:contracts|accounts)\/T[1-9A-HJ-NP-Za-km-z]{33}\b/,
  ],
  [
    "node-no-events",
    /(?<!trongrid\.io)\/(?:v1\/(?:contracts|accounts|transactions|blocks)|event\/(?:contract|transaction))\b[^\n]{0,200}\b404\b/,
    true,
  ],
  [
    "node-waiting",
    /\(\d{1,5}\) Waiting for sync\b|\bSleeping for \d{1,3} seconds?\.{3}[^\n]{0,10}Slept\.[\s\S]{0,200}\bSlept\.|\bflatAccounts\b/,
  ],
  [
    "node-waiting",
    /\b[Ww]aiting for (?:the )?(?:full ?node|node|chain|blockchain) to (?:sync\w*|start|be ready|mine)\b/,
    true,
  ],
  ["node-java", /\bUnrecognized VM option '(?:UseConcMarkSweepGC|CMS\w{2,40}|PrintGCDateStamps)'/],
  ["node-event", /\b[Ee]vent ?[Pp]lugin\b[^\n]{0,60}\b(?:failed to load|[Ee]rror|\w{0,40}Exception)\b/],
  [
    "node-event",
    /\bFailed to load eventPlugin\b|\bEventPluginLoader\b|\bplugin-(?:mongodb|kafka)\b[^\n]{0,80}\b(?:failed|error|not found|invalid|missing)|\bevent[ .]?(?:plugin|subscribe)\b[^\n]{0,60}\b(?:failed|error|not found|invalid)/i,
    true,
  ],
  [
    "node-native",
    /\bUnsatisfiedLinkError\b[\s\S]{0,400}?(?:leveldbjni|rocksdbjni)|\bno (?:leveldbjni|rocksdbjni)\S{0,20} in java\.library\.path\b|\bCould not load library\. Reasons: \[[^\n]{0,80}(?:leveldbjni|rocksdbjni)/,
  ],
  [
    "node-memory",
    /\bOOMKilled\b|\bKilled\b[^\n]{0,60}\bFullNode\.jar\b|\bos::commit_memory\b[^\n]{0,80}\bfailed\b|\bexit(?:ed with)? code:? 137\b|\boom-kill(?:er)?\b|\bOut of memory: Kill(?:ed)? process\b|\bOutOfMemoryError\b|\btcmalloc: allocation failed|\bA fatal error has been detected by the Java Runtime|\binsufficient memory for the Java Runtime|\bSIGSEGV \(0xb\)/,
    true,
  ],
  [
    "node-memory",
    /\bOutOfMemoryError\b[^\n]{0,160}\b(?:DPosMiner|sync-(?:fetch|handle)-block|peer-status-check|flush-service-\w{2,40})\b/,
  ],
  [
    "node-java",
    /\bUnsupportedClassVersionError\b|\bUnsupported class file major version \d|\bJava \d{1,2} is (?:required|not supported)|\bJava version\b[^\n]{0,40}\b(?:not supported|required|unsupported)/,
    true,
  ],
  [
    "node-port",
    /\blisten EADDRINUSE\b[^\n]{0,60}:(?:8545|8546|9090|8090|8091)\b|\bHH604\b|\bFailed to bind to (?:address )?\S{0,40}:(?:50051|50061|18888|8090|8091)\b/,
  ],
  ["node-port", /\bAddress already in use\b/, true],
  [
    "node-peer",
    /\bClose (?:peer|channel):? ?\S{0,80},? exception caught\b|\btype: P2P_DISCONNECT\b|\borg\.tron\.core\.exception\.P2pException\b|\b(?:HandshakeHandler|PeerConnection|P2pEventHandlerImpl|AdvService|PeerManager|TronNetHandler|MessageQueue|PeerStatusCheck)\.java:\d{1,5}\)|\b[Dd]isconnect(?:ed)?\b[^\n]{0,80}\breason:? ?[A-Z]{3,20}_[A-Z_]{3,30}\b|\btrust ?node\b[^\n]{0,60}\b(?:fail|error)|\b[Ff]ail to get \w{1,20} block from trust node\b/,
  ],
  [
    "node-start",
    /\bNet service start failed\b|\bNo configuration setting found for key '(?:storage|node|net|vm|block|committee|crypto|localwitness|genesis\.block|seed\.node|event\.subscribe|rate\.limiter|enery)(?:\.[\w.]{1,60})?'|\b(?:org\.tron\.\S{1,60})?TronError: |\b(?:Unable to access|Invalid or corrupt) jarfile \S{0,60}(?:FullNode|SolidityNode|wallet-cli)|\b[Cc]ould not find or load main class org\.tron|\bno main manifest attribute, in \S{0,60}(?:FullNode|SolidityNode|wallet-cli)|\bFatal: [^\n]{0,120}\b(?:protocol stack|chain database|geth|datadir|genesis|Ethereum service|ancients?|chaindata|block ?chain db)\b/,
  ],
  ["node-config", /\bConfigException\$\w{1,40}: |\.conf: \d{1,5}: /, true],
  ["node-build", /\bpackage org\.tron\.[\w.]{1,60} does not exist\b/],
  ["node-build", /\bExecution failed for task ':(?:protocol|framework|actuator|chainbase|consensus|plugins):\w{1,60}'/],
  [
    "node-build",
    /\bExecution failed for task ':[\w:-]{1,60}'|\bCould not resolve (?:all [^\n]{0,60}dependencies|com\.github\.tronprotocol)|\bCould not determine java version from/,
    true,
  ],
  [
    "node-files",
    /\bNo space left on device\b|\bToo many open files\b|\b(?:DBException: IO error|RocksDBException: While)\b/,
    true,
  ],
  [
    "node-produce",
    /\b(?:WitnessService|DposService|DposTask|BlockHandleImpl)\.java:\d{1,5}\)[^\n]{0,60}\b(?:NOT_SYNCED|LOW_PARTICIPATION|UNELECTED|NO_PRIVATE_KEY|EXCEPTION_PRODUCING_BLOCK|BACKUP_IS_NOT_MASTER|DUP_WITNESS)\b|\bDup block produced: |\[o\.t\.c\.s\.WitnessService\] Not sync|\bProduce block (?:error|failed)\b|\bDposTask\.java:\d{1,5}\)[^\n]{0,40}\b(?:error|fail)/i,
  ],
  [
    "tool-no-display",
    /\bUnable to open DISPLAY\b|\bHeadlessException\b|\bNo X11 DISPLAY variable was set\b|\bCan't connect to X11 window server\b|\bMissing X server or \$DISPLAY\b/,
    true,
  ],
  [
    "tool-weak-password",
    /\b[Pp]assword is too (?:weak|short)\b|\bMASTER_PASSWORD does not meet password strength\b/,
    true,
  ],
  [
    "tool-weak-password",
    /\bThe password should contains uppercase, lowercase, numeric\b|\bThe password should not contain weak password combination\b/,
  ],
  ["tool-not-logged-in", /\bPlease login first ?!!/],
  [
    "tool-console-name",
    /\b(?:tronbox|truffle)\([\w-]{1,40}\)> [\s\S]{0,400}?\bReferenceError: \S{1,60} is not defined\b/,
  ],
  [
    "tool-login",
    /\bLogin(?:All)? failed !!|\bPassword check failed ?!|\bInvalid (?:private key|password), please input again\b|\bmnemonic file not exist\b/,
    true,
  ],
  [
    "tool-login",
    /\bLogin failed, Please check your walletFile\b|\b(?:ChangePassword|ClearWalletKeystore|BackupWallet|LoginAll|[Ee]xport(?:Wallet)?(?:Keystore|Mnemonic)|[Ii]mportWalletBy(?:Keystore|Mnemonic)|(?:Import|Register) wallet) failed(?: ?!!|, |\.)|\bno wallet can be backup\b|\bThere is no corresponding Keystore file for this password\b|\bWarning: PrivateKey (?:is empty ?!!|length need 64 but \d)/,
  ],
  [
    "tool-install",
    /\bModule "crypto" has been externalized for browser compatibility\b|\(0 ?, ?[\w$]{1,8}\.createHash\) is not a function\b|\bCan't resolve '[\w:/@.-]{2,60}' in '[^'\n]{0,200}node_modules[\\/](?:@?tron|ethers|@ethersproject|web3|viem|wagmi|@walletconnect|@reown|@solana|@metamask)|\bThe requested module '(?:tronweb|ethers|viem|web3|hardhat|wagmi)[^'\n]{0,60}'|\bNamed export '(?:TronWeb|Web3|ethers)' not found\b/,
  ],
  [
    "tool-install",
    /\bunable to resolve dependency tree\b|\bERESOLVE (?:could not|unable)\b|\b0308010C:digital envelope\b|\bERR_OSSL_EVP_UNSUPPORTED\b|\bERR_PACKAGE_PATH_NOT_EXPORTED\b|\bERR_REQUIRE_ESM\b|\bCan't resolve '(?:crypto|stream|buffer|http|https|os|url|assert|zlib|path|fs)'|\bexternalized for browser compatibility\b|\bwebpack < 5 used to include polyfills\b|\b(?:Buffer|process|global) is not defined\b/,
    true,
  ],
  [
    "tool-install",
    /\b(?:Failed building wheel for|Could not build wheels for|No matching distribution found for)\b[^\n]{0,80}\b(?:cytoolz|lru-dict|pysha3|bitarray|coincurve|secp256k1|parsimonious|pycryptodome|py-solc-x|rlp|eth-[a-z-]{2,20}|web3|tronpy|tronapi|trx-\w{2,20})\b/,
  ],
  [
    "wallet-resources",
    /\b(?:not enough|insufficient) (?:bandwidth|energy)\b(?! for\b)[^\n]{0,80}\b(?:transaction|TRX|burn|contract|stake|freeze)\b|\b(?:not enough|insufficient) TRX\b[^\n]{0,40}\b(?:energy|bandwidth)\b|能量(?:(?:和|或|、)带宽)?不足|带宽(?:和|或|、)能量不足/i,
  ],
  [
    "tool-account-missing",
    /\bAddressNotFound\b|(?:地址|账户|账号)(?:还|尚)?未激活|\b(?:receive(?:r|ing)?|recipient|target|destination) (?:address|account) (?:is |has )?not (?:been |yet )?activated\b|\baccount not found on-chain\b|(?:^|\n)\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d (?:[\w./-]{1,80}:\d{1,6}: )?account not found\s{0,8}(?=$|\n)/,
  ],
  [
    "tool-import",
    /\b(?:Class|Trait|Interface) ["']?(?:IEXBase|Elliptic|kornrunner|Web3|Fenguoz)\\{1,2}\w[^"'\n]{0,60}["']? not found\b|\bundefined method (?:IEXBase|Tron|Fenguoz|Web3)\\{1,2}\w|\b(?:Web3|ethers(?:\.\w{1,30}){0,4}|web3(?:\.\w{1,30}){1,4}|upgrades\.\w{1,30}) is not a (?:constructor|function)\b|(?:\(reading|\bproperty) '(?:JsonRpcProvider|Web3Provider|providers|parseEther|parseUnits|formatEther|formatUnits|deployProxy|upgradeProxy|getContractFactory|getSigners|BigNumber|arrayify|keccak256|solidityKeccak256)'|\bcannot import name '\w{1,60}' from '(?:web3|eth_\w|tronpy|tronapi|brownie|ape)\b|\bobject has no attribute '(?:rawTransaction|raw_transaction|buildTransaction|build_transaction|sendRawTransaction|getTransactionCount|toChecksumAddress|isConnected|toWei|fromWei|processReceipt)'|\bmodule '(?:web3|tronpy|tronapi|eth_\w{1,20}|brownie)[\w.]{0,40}' has no attribute\b|\bNo module named '?(?:web3|tronpy|tronapi|eth_\w{1,20}|brownie|ape|vyper|solcx)\b|\bCannot find (?:module|package) '(?:tronweb|ethers|web3|viem|wagmi|hardhat|truffle|tronbox|@nomic|@openzeppelin|@truffle|@tron|@walletconnect|@reown)|\bSignedTransaction\.__new__\(\)|'(?:Trx|Tron|AsyncTron|TransactionBuilder)' object has no attribute\b/,
  ],
  [
    "tool-load-order",
    /\bCannot access '(?:TypedDataEncoder|TronWeb|TransactionBuilder|AbiCoder|SigningKey|JsonRpc(?:Api)?Provider|BrowserProvider|HDNodeWallet|FixedNumber|Web3)' before initialization\b/,
  ],
  [
    "tool-load-order",
    /\bCannot access '[\w$]{1,60}' before initialization\b|\bcan't access lexical declaration '[\w$]{1,60}' before initialization\b/,
    true,
  ],
  ["sol-stack", /\b[Ss]tack too deep\b|\btoo deep inside the stack\b|\bslots? too deep\b/, true],
  [
    "sol-version",
    /\bSource file requires different compiler version\b|\bThe Solidity version pragma statement in (?:this|these) files?\b|\bError HH606\b|\b[Ff]ound incompatible (?:Solidity )?versions\b|\bNo solc version exists that matches the version requirement\b/,
    true,
  ],
  [
    "sol-import",
    /\bCould not find \S{1,160}\.sol from any sources\b|\b(?:Error|HardhatError:) HH4(?:04|11|12|15)\b|\bSource "[^"\n]{1,200}\.sol" not found\b|\bfailed to resolve file: "?[^\n]{0,200}\.sol\b|\bUnable to resolve imports\b/i,
  ],
  ["sol-compile", /\bError parsing \S{1,200}\.sol: |\bCompil[a-z]{1,4}ation failed\. See above/],
  [
    "sol-compile",
    /\b(?:ParserError|DeclarationError|TypeError|SyntaxError|UnimplementedFeatureError|InternalCompilerError|CompilerError|DocstringParsingError|YulException)(?: \(\d{1,5}\))?: [^\n]{1,300}\s{1,4}-->|\b(?:ParserError|DeclarationError|TypeError|SyntaxError)(?: \(\d{1,5}\))?: [^\n]{0,200}\.sol\b|\.sol:\d{1,5}:\d{1,4}: (?:[A-Z]\w{1,30}Error|Error)\b|\bCompilation failed\. See above|\b(?:Error|HardhatError:) HH600\b|\bCompiler run failed\b|\bvyper\.exceptions\.\w{1,60}|\bsolidity-parser\b[^\n]{0,120}\bimports_parser\b|\bnode_modules\/solc\/(?:wrapper|soljson)\.js\b/,
    true,
  ],
  [
    "verify-done",
    /\bContract source code already verified\b|\bcontract (?:at )?(?:0x|T)\S{20,60}[^\n]{0,60}\b(?:is|(?:has )?(?:already )?been|was) (?:already )?verified\b|\bMessage: Already verified\b|\bSmart-contract already verified\b/i,
  ],
  [
    "verify-no-code",
    /\b(?:Etherscan|explorer|Tronscan|Sourcify|Blockscout)\b[^\n]{0,120}\bdoes not have bytecode\b|\bUnable to locate ContractCode at\b|\bThe address \S{20,60} (?:has no bytecode|does not have bytecode)\b|\bContract source code not verified\b/i,
  ],
  [
    "verify-failed",
    /\bHardhatVerifyError\b|\bContractVerification\w{0,20}Error\b|\bThe contract verification failed\b|\bFailed to (?:send|obtain|get) contract verification (?:request|status)\b|\bDeployedBytecodeMismatchError\b|\bbytecode doesn't match the contract\b|\bFailed to verify \d{1,4} contract\(s\)|\bUnable to process the standard-input-json\b|\bErrCode: Unable to parse Json\b|\bEtherscan could not detect the deployment\b|\bEtherscanVerification\b[^\n]{0,60}\b(?:fail|error)/i,
  ],
  [
    "upgrade-refused",
    /\bDeployment at address \S{20,60} is not registered\b|\bThe following deployment clashes with an existing one\b|\bContract at \S{20,60} doesn't look like an? \w|\bThe requested contract was not found\. Make sure the source code is available\b|\bUpgradesError\b|\bMissing initializer calls for one or more parent contracts\b|\bis not upgrade safe\b/,
  ],
  [
    "wallet-project",
    /\bcode: 3000\b[^\n]{0,80}\b(?:[Uu]nauthorized|Project|JWT)|\bUnauthorized: (?:invalid key|origin not allowed)\b|\b[Pp]rojectId\b[^\n]{0,60}\b(?:missing|required|invalid|empty)\b/,
  ],
  [
    "wallet-unsupported",
    /\bUnknown method\(s\) requested\b|\bcode["']?\s?: ?510[0-4]\b|\b(?:Unsupported|Unauthorized) (?:wc_\w{1,40}|JSON-RPC method|methods? requested|events? requested)\b|\bUnsupported (?:chains|methods|events)\b[.:]|\bNon conforming namespaces\b|\bMissing or invalid\. (?:request\(\) (?:method|chainId)|connect\(\)|namespaces?)|\bemitting session_\w{1,30}:\d{1,20} without any listeners\b|\b(?:wallet|TronLink|adapter)\b[^\n]{0,60}\b(?:does not|doesn't) support (?:this|the|\w{1,20}_|sign|chain|method|switch)|\bis not supported by (?:this|the|your) wallet\b/i,
  ],
  [
    "wallet-not-connected",
    /\bNo matching (?:session|pairing)\b[^\n]{0,30}\btopic\b|\bMissing or invalid topic field\b|\bRecord was recently deleted - (?:session|proposal|pairing)\b|\bSession currently disconnected\b|\bSession settlement failed\b|(?:^|[:"'\n>] ?)(?:Proposal|Pairing|Session proposal) expired[.!]?(?=["'\s]{0,4}(?:$|\n|,|\}))|\bPairing already exists\b|\bExpired\. (?:session|pairing|proposal)\b|\bPlease call connect\(\) before (?:request|enable)\(\)|\brequested (?:account|method)[^\n]{0,40} has not been authorized by the user\b/i,
  ],
] as const satisfies readonly ProgramForm[];

/** Errors in programs of a chain about which nothing else is known. */
export const FALLBACK_FORMS = [
  [
    "wallet-script",
    /\bFailed to initiali[sz]e TronWeb\b|\b(?:Type|Reference|Range)Error: [^\n]{1,300}\n\s{0,20}at (?:[^\n()]{1,100} \()?\S{0,100}\bpageHook\.js:\d/,
  ],
  ["tool-argument", /\bInvalid [a-z]{2,30}[A-Z][A-Za-z]{1,40} provided\b/],
  [
    "tool-offline",
    /\b[Cc]ould not connect to (?:your Ethereum client|any endpoint)|\bconnection not open\b(?: on send\(\))?|\bcannot call send\(\) while not connected\b|\bunable to attach to remote geth\b|\bCould not instantiate forked environment\b|\bNo discoverable providers\b|\bHH10[289]: |\bSocket stalled when trying to connect\b|\bwss:\/\/relay\.walletconnect\b|\bfailed to meet quorum\b|\bnot connected to any network\b|\bWebSocket was closed before the connection was established\b|\bBrownieNotConnected\b|\bProviderNotConnectedError\b|\bMaximum number of reconnect attempts reached\b|\bConnectionNotOpenError\b|\bWebSocketRequestError\b|\bSocketClosedError\b|\b(?:Chain|Provider)DisconnectedError\b|\bMetaMask: Disconnected from\b|\bLost connection to "MetaMask\b/,
  ],
  [
    "tool-command-failed",
    /\bFailed to (?:deploy|trigger|create|update)Contract\b|\b(?:[Ss]end[Cc]oin|[Ss]end \d{1,30} (?:Sun|TRX|SUN)|(?:Approve|Create|Delete)Proposal|Withdraw(?:Balance|ExpireUnfreeze)|VoteWitness|(?:Create|Update)Witness|Update(?:Setting|EnergyLimit|Brokerage|Asset|AccountPermission|Account)|(?:Cancel)?(?:All)?(?:[Uu]nf|[Ff])reeze(?:Balance|Asset)?(?:V2)?|(?:[Uu]n)?[Dd]elegateResource|(?:Transfer|Participate)?Asset(?:Issue)?|GasFreeTransfer|Exchange(?:Create|Inject|Withdraw|Transaction)|Market(?:SellAsset|CancelOrder)|(?:Deploy|Call|Trigger)Contract|[Bb]roadcast[Tt]ransaction|CreateAccount|ClearContractABI)\b[^\n]{0,100}\bfailed ?!!(?=\s|$)|\bsendcoin failed!/,
  ],
  [
    "node-start",
    /\bengine mismatch\b|\bParsing configuration failed\b|\b(?:BeanCreation|UnsatisfiedDependency)Exception\b/,
    true,
  ],
  [
    "rpc-refused",
    /\[ethjs-(?:query|format|rpc)\] |\b(?:ProviderError|RpcRequestError|RPC Error|InvalidInputRpcError|InternalRpcError|InvalidParamsRpcError|TransactionRejectedRpcError|ResourceUnavailableRpcError|LimitExceededRpcError|UnknownRpcError|Error: Returned error|Node error|Web3RPCError|server returned an error response|TransactionExecutionError|CallExecutionError|EstimateGasExecutionError|InvalidInputError): /,
  ],
  [
    "tool-reports",
    /\bTronException\b|\b(?:tronpy|tronapi|web3|brownie|ape|eth_abi|eth_account|eth_keys|eth_utils|solcx|eth_tester)(?:\.\w{1,40}){0,4}\.[A-Z]\w{2,60}\b|\b(?:HardhatError|NomicLabsHardhatPluginError|HardhatPluginError|IgnitionError|Web3ValidatorError|Web3ContractError|ContractExecutionError|ContractFunctionExecutionError|ContractFunctionRevertedError|ConnectorError)\b|\bError(?: in plugin [@\w/-]{1,60})?:? HHE?\d{1,6}: |\bError in plugin [@\w/-]{1,60}: |\borg\.(?:tron|web3j)\.\S{1,100}(?:Exception|Error)\b|\bcode=[A-Z_]{5,40}, version=/,
  ],
  [
    "tool-reports",
    /\b(?:AccountNotDeployed|AccountStateConflict|AccountTypeNotSupported|BaseFeeScalar|BundleFailed|BytesSizeMismatch|Chain(?:Disconnected|NotFound|NotConfigured\w{0,20})|ClientChainNotConfigured|ConnectorAlreadyConnected|CounterfactualDeploymentFailed|Eip1559FeesNotSupported|Ens\w{4,30}|FeeConflict|FilterTypeNotSupported|InitCode\w{4,30}|Invalid(?:ChainId|DecimalNumber|HexBoolean|HexValue|LegacyV|PrimaryType|Serializable\w{4,30}|Serialized\w{4,30}|StorageKeySize|StructType|TypedDataType|YParity)|JsonRpcVersionUnsupported|MaxFeePerGasTooLow|OffchainLookup\w{0,30}|ParseRpc|Paymaster\w{4,30}|ProviderDisconnected|ResourceNotFoundRpc|SizeExceedsPaddingSize|SizeOverflow|SliceOffsetOutOfBounds|SmartAccount\w{4,30}|StateAssignmentConflict|SwitchChainNotSupported|TransactionTypeNotSupported|TransactionReceiptReverted|UnauthorizedProvider|UnknownNode|UnsupportedChainId|UnsupportedProviderMethod|UrlRequired|UserOperation\w{4,40}|VerificationGasLimit\w{4,20}|Wagmi\w{4,30})Error: /,
  ],
  [
    "tool-exception",
    /\b(?:TypeError|ReferenceError|RangeError|SyntaxError|KeyError|AttributeError|IndexError|ImportError|ModuleNotFoundError|NameError|ValueError|AssertionError|NullPointerException|IllegalArgumentException|IllegalStateException|ArgumentOutOfRangeException|ArgumentException|NullReferenceException|InvalidOperationException|NoSuchMethodError|NoClassDefFoundError|ClassNotFoundException|ERR_[A-Z_]{5,40}|panicked at|Call to undefined function|NullPointerException)\b/,
    true,
  ],
  [
    "tool-exception",
    /^(?![\s\S]{0,9000}\n\s{1,9}at )[\s\S]{0,900}?\bTypeError: Cannot read propert(?:ies of (?:undefined|null) \(reading|y) '(?:signature|txI[dD]|raw_data(?:_hex)?)'/,
  ],
  [
    "tool-exception",
    /\bTypeError: Cannot read propert(?:ies of (?:undefined|null) \(reading|y) '(?:contract|abi|methods|eth|getSigner|bytecode|constant_result|energy_used|contract_address|base58|balanceOf)'|\bTypeError: (?:[\w$]{1,30}\.){0,3}(?:\w{0,30}[cC]ontract\w{0,10}|tronWeb|web3|ethers|provider|signer|\w{0,30}Factory)\.[\w.]{1,60} is not a (?:function|constructor)\b/,
  ],
  ["topic-node", /\b(?:WARN|ERROR)\s{1,3}\[[^\]\n]{1,80}\] \[[\w.]{2,60}\]\(\w{1,60}(?:\.java:\d{1,5})?\) ?\S/],
  ["tool-reports", /\b(?:WARN|ERROR)\s{1,3}\[o\.t\.[\w.]{2,60}\](?:\(\w{1,60}\.java:\d{1,5}\))? ?\S/, true],
  ["tool-reports", /\b[A-Z]\w{3,60}Error: /, true],
] as const satisfies readonly ProgramForm[];
