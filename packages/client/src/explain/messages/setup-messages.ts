import { t } from "@vscode/l10n";
import { group } from "./template.ts";

/** Messages of nodes, compilers, explorers and deployment tools about themselves. `SETUP_FORMS` has their texts. */
export const setupMessages = [
  ...group({ category: "http", retry: "not-known", source: "the words of java-tron" }, [
    [
      "node-database-locked",
      [],
      t`Another process uses the database of the node`,
      t`A running node holds the file LOCK, so this one does not start.`,
      t`Stop the other process, or give each node an output directory of its own. Then start the node again.`,
    ],
    [
      "node-database-damaged",
      [],
      t`The database of the node is damaged`,
      t`The node cannot open or read it: it was stopped while it wrote, the disk is full or defective, or a file is missing.`,
      t`Check the disk, restore a database snapshot, and start the node again. Stop nodes with kill -15.`,
    ],
  ]),
  ...group({ category: "http", retry: "not-known", source: "the words of viem, web3.py and ethers" }, [
    [
      "tool-block-not-found",
      [],
      t`The node does not have the block yet`,
      t`The node is behind, or the URL leads to several nodes with different states. The outcome of a transaction is not affected.`,
      t`Try again after a pause, or use another node. Look up earlier transactions by their hash.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of tron-php" }, [
    [
      "tool-transfer-failed",
      [],
      t`The library does not show whether the node accepted the transfer`,
      t`tron-php reports this when the broadcast was not successful, without the node's reason.`,
      t`Do not pay again before you check the account's last transactions. Log the answer to the broadcast: code and message contain the reason.`,
    ],
  ]),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of TronBox, Truffle and Hardhat" }, [
    [
      "tool-compiler",
      [],
      t`The Solidity compiler is missing`,
      t`The tool could not find or download the configured compiler version, so nothing was compiled or sent.`,
      t`Check the version of solc in the configuration, and download it (tronbox --download-compiler 0.8.20, for example).`,
    ],
    [
      "tool-storage-layout",
      [],
      t`The new version of the contract does not fit the proxy`,
      t`Its storage layout differs from the deployed version, or it uses a feature that a proxy does not allow. The upgrade was not sent.`,
      t`Keep all variables in order and with their types, and append new variables.`,
    ],
  ]),
  ...group({ category: "validation", retry: "nothing-to-retry", source: "the words of explorers and their plug-ins" }, [
    [
      "verify-pending",
      [],
      t`The explorer has not verified the contract yet`,
      t`The verification waits in its queue. The contract itself is not affected.`,
      t`Wait, and check the status again.`,
    ],
    [
      "verify-failed",
      [],
      t`The explorer did not verify the contract`,
      t`The source does not compile to the bytecode at this address. The contract itself is not affected.`,
      t`Give the compiler version, optimizer runs, EVM version, license, libraries and constructor arguments of the deployment.`,
    ],
    [
      "verify-key",
      [],
      t`The explorer does not accept its API key`,
      t`The key for the verification of contracts is missing, or belongs to another explorer. The contract itself is not affected.`,
      t`Set a key of this explorer in the configuration of the tool.`,
    ],
  ]),
  ...group(
    { category: "abi", retry: "request-after-fix", source: "the words of TronWeb, tronpy, web3.py and ethers" },
    [
      [
        "client-no-abi",
        [],
        t`The library has no ABI of the contract`,
        t`The chain has no ABI for this address, or the address has no contract. Nothing was sent.`,
        t`Check the address and the network, and pass the ABI to the library; for a proxy, pass the ABI of the implementation.`,
      ],
      [
        "client-tuple",
        [],
        t`The library cannot read a tuple of the ABI`,
        t`The ABI names a struct (tuple) without its components. Nodes leave them out when a contract is loaded by its address, and older versions of TronWeb and TronLink stop there. Nothing was sent.`,
        t`Give the library the ABI of the compiler, with components, in place of contract().at(address), and update the library.`,
      ],
      [
        "client-abi-form",
        [],
        t`The library cannot read the ABI`,
        t`The protobuf library expects an object such as { "entrys": […] }, not the list of the compiler. Nothing was sent.`,
        t`Wrap the list of the compiler as { "entrys": […] }, and write the types as TRON does (Function, Event, Constructor).`,
      ],
      [
        "client-type",
        [],
        t`The library does not support a type of the ABI`,
        t`It is not an Ethereum type (for example trcToken of TRON), or it is misspelled. Nothing was sent.`,
        t`Use TronWeb for trcToken, and correct other types in the ABI.`,
      ],
    ],
  ),
];

/** Messages of LevelDB and RocksDB about missing or corrupt files. */
export const DATABASE_DAMAGED =
  /\b(?:DBException|RocksDBException|leveldb|rocksdb)\b[^\n]{0,80}\bcorrupt(?:ion|ed)\b|\bCorruption: (?:block|bad|not|truncated|corrupted|missing|no|checksum|error|sst|table|log|unable|can't|file|cannot)\b|\b(?:block|sst|table|wal|log record|data) checksum mismatch\b|\bBad table magic number\b|\bno meta-nextfile entry in descriptor\b|\bnot an sstable\b|\bmissing trie node [\da-f]{64}\b/i;

/** Entries by the output of programs; the first match counts. */
export const SETUP_FORMS = [
  [
    "node-database-locked",
    /\b(?:IO error: lock|While lock file:|Unable to acquire lock on) '?\S{0,200}\b(?:database|output-directory)\/\S{1,100}\bLOCK\b|\bdatadir already used by another process\b|\b(?:LevelDb|RocksDb)DataSourceImpl\b[^\n]{0,200}\bResource temporarily unavailable\b/,
  ],
  [
    "node-database-damaged",
    /\bCan ?not find Dynamic highest block from DB\b|\b(?:LevelDb|RocksDb)DataSourceImpl\b[^\n]{0,120}\bDatabase \S{1,60} corrupted\b|\bDatabase \S{1,60} corrupted, please delete database directory\b|\bRuntimeException: Can't initialize database, \w|\b(?:Level|Rocks)DbDataSourceImpl\.java:\d{1,5}\)[^\n]{0,80}\b(?:[Ee]rror|[Ff]ail(?:ed|ure)?)\b|\b(?:NativeDB\$DBException|RocksDBException): (?:Corruption|IO error)\b(?=[\s\S]{0,2000}\b(?:org\.tron|output-directory)\b)/,
  ],
  [
    "tool-private-key",
    /\bPrivate key ?\([^()\n]{0,100}\) must be 64-bits hex string|\bprivate ?key\b[^\n]{0,60}\b(?:must|should|has to|needs to) (?:be|have|contain) [^\n]{0,20}\b6[46][ -]?(?:bits?|hex|char\w{0,7}|digits?)\b|\btronpy\.exceptions\.BadKey\b(?![^\n]*not in the permission list)|\b[Ii]nvalid private key \(argument="privateKey"|\bprivate key must be exactly 32 bytes\b|\bExpected private key to be an Uint8Array with length 32\b/i,
  ],
  ["tool-transfer-failed", /\bTron\\{0,4}(?:Exceptions?\\{0,4})?TransactionException: Transfer Fail\b/],
  [
    "tool-compiler",
    /\b[Tt]ron[Bb]ox supports only the following versions\b|\bCannot find module '[^'\n]{0,200}soljson[^'\n]{0,80}'|\b(?:[Cc]ould(?: not|n't)|[Cc]an(?:not|'t)|[Ff]ailed to|[Uu]nable to) (?:find|download|load|install|fetch|get)[^\n]{0,40}\b(?:solc|soljson|[Ss]olidity compiler)\b|\bCould not find a compiler version matching \S|\b(?:[Ss]olc|[Vv]yper)(?: [\d.]{3,12})? (?:is |has )?not (?:been )?installed\b/,
  ],
  [
    "tool-storage-layout",
    /\bNew storage layout is incompatible\b|\bContract [`'"]?[\w:./$]{1,120}[`'"]? is not upgrade safe\b|\bstorage layout (?:of [^\n]{1,80} )?is (?:incompatible|not compatible) with\b/,
  ],
  [
    "verify-pending",
    /\bDetails: [`'"]?Pending in queue\b|\bcontract\b[^\n]{0,80}\bverif[^\n]{0,80}\bpending in queue\b|\bNOTOK\b[^\n]{0,60}\bPending in queue\b/i,
  ],
  [
    "verify-key",
    /\bverify(?:ing)? (?:the )?contract\b[\s\S]{0,300}?\b(?:invalid|missing) api[ -]?key\b|\bhardhat-(?:etherscan|verify)\b[^\n]{0,80}\bAPI[ -]?key\b|\b(?:etherscan|tronscan)\b[^\n]{0,60}\b(?:invalid|missing|no) api[ -]?key\b|\bNOTOK\b[\s\S]{0,80}\b(?:missing|invalid)(?:\/invalid)? API key\b|\b(?:missing|invalid) (?:etherscan|tronscan) (?:api )?key\b/i,
  ],
  [
    "verify-failed",
    /\bverification failed\. Please confirm the correct parameters\b|\bFail - Unable to verify\b|\bChecking verification result failed\b|\b(?:Unable|Failed) to verify (?:the )?(?:smart )?contract(?: (?:on|at|with|source|0x|T[\w]{33}\b)|[.:]|\s{0,8}$)|\bcontract, but its bytecode doesn't match any of your local contracts\b|\bbytecode does NOT match the transaction deployment bytecode\b/i,
  ],
  [
    "client-no-abi",
    /\bcan ?not call a contract without ABI\b|\bof (?:undefined|null) \(reading 'entrys'\)|\bproperty '?entrys'? of (?:undefined|null)\b|\bThere is no ABI found for this contract\b|\bThe abi for this contract contains no (?:function|event)s?(?: definitions)?\b|\bNoABI(?:Found|FunctionsFound|EventsFound)\b|\bmust provide the json interface of the contract\b/i,
  ],
  [
    "client-tuple",
    /\bCannot read propert(?:ies of null \(reading 'map'\)|y 'map' of null)[^\n]{0,20}\n\s{0,20}at [\w$.]{0,40}\bformat\b/,
  ],
  ["client-abi-form", /\bInvalidProtocolBufferException: Expect (?:message object|a map|an array)\b/],
  [
    "client-type",
    /\binvalid type \(arg(?:ument)?="type", value="|\b[Tt]ype ['"`]?trcToken['"`]? (?:is not|could not|cannot)\b|\bNo matching entries for 'trcToken'|\b(?:[Uu]nsupported|[Uu]nknown|[Ii]nvalid) (?:ABI |solidity )?type:? ['"`]?trcToken\b/,
  ],
  ["tool-empty-answer", /\bUnknown error: \{\}/],
  ["tool-not-deployed", /\bNo Contract deployed with name \S|\bNo contract deployed at 0x/],
  [
    "tool-block-not-found",
    /\b(?:finalized|safe) block not found\b|\bBlock at (?:number|hash) "?\w{1,66}"? could not be found\b|\bBlockNotFound(?:Error)?: |\bBlock with id: '?\w{1,66}'? not found\b|\bnumber: \d{1,12} is not found\b/,
  ],
] as const satisfies readonly (readonly [entry: string, form: RegExp])[];
