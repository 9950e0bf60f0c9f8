/** Returns a text as a terminal would show it: without colours, titles and cursor movements. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, "");
}

const ESC = "\\u001b";
const ESCAPES = new RegExp(
  `${ESC}\\][^\\u0007${ESC}]{0,4096}(?:\\u0007|${ESC}\\\\)?|${ESC}\\[[0-?]{0,64}[ -/]{0,8}[@-~]|${ESC}[@-Z\\\\^_=>78]`,
  "g",
);

const MAX_LEVELS = 3;

/**
 * Returns the forms in which a text may contain JSON, the given one first. Other forms omit the backslashes of
 * enclosing texts, or each line's prefix (line number, or mark of a quotation, comment or event). Takes time linear in
 * the text.
 */
export function* plainForms(text: string): Generator<string> {
  yield text;
  let plain = text;
  for (let level = 0; level < MAX_LEVELS && plain.includes('\\"'); level++) {
    plain = plain.replace(/\\(["\\/nrt])/g, (_all, character: string) => (/[nrt]/.test(character) ? " " : character));
    yield plain;
  }
  const bare = text.includes("\n") ? text.replace(MARGIN, "") : text;
  if (bare !== text) yield bare;
}

/**
 * Removes all JSON escapes from a text, so that its words can be matched. Escaped line breaks become line breaks.
 */
export function withoutJsonEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(JSON_ESCAPE, (_all, hex?: string, mark?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return mark ?? "\n";
  });
}

const JSON_ESCAPE = /(?<!\\)\\{1,16}(?:u00([\da-fA-F]{2})|(["'/])|[nrt])/g;

const MARGIN = /^[ \t]{0,40}(?:\d{1,6}[ \t]{0,4}[:|│]?|data:|[>+*#|│-]|\/\/)[ \t]/gm;

/** Returns the string if a whole text is one in double quotes, by the rules of JSON; undefined for other texts. */
export function textInQuotes(text: string): string | undefined {
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) return undefined;
  try {
    const inside: unknown = JSON.parse(text);
    return typeof inside === "string" ? inside : undefined;
  } catch {
    return undefined;
  }
}

const ENCODED = /%(?:7B|22|3A|3D|5B)/gi;
const MIN_ENCODED = 2;

/** Decodes a text that is URL-encoded as a whole; undefined for other texts. */
export function textInUrl(text: string): string | undefined {
  if ((text.match(ENCODED)?.length ?? 0) < MIN_ENCODED) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/**
 * Names that only programs of this chain use: paths and names of its endpoints, tools and hosts, fields and contract
 * types, codes of its nodes.
 */
const NAMES = [
  "/wallet(?:solidity|pbft)?/[a-z]{3}",
  "\\btron(?:-?(?:web|grid|scan|stack|link|box|py|ide|core))?\\b|\\b(?:java-?tron|gotron|easytron|trident-(?:java|sdk))\\b",
  "\\bprotocol\\.Wallet(?:Solidity|Extension)?\\b",
  "\\borg[./]tron\\b|\\btron[./]trident\\b|\\btron-pro-api-key\\b",
  "\\b(?:trx|trc-?(?:10|20|721|1155)|txid|fee_?limit|energy_(?:used|usage|fee|penalty)|net_usage)\\b",
  "\\b(?:createtransaction|broadcast(?:transaction|hex)|trigger(?:smart|constant)contract|deploycontract|estimateenergy)\\b",
  "\\bget(?:blockrange|unconfirmed(?:account|balance|transactioninfo)|nowblock|blockbynum|accountresource|transaction(?:info)?byid|transactioninfobyblocknum|signweight|chainparameters)\\b",
  "\\b(?:TriggerSmart|CreateSmart|Transfer|TransferAsset|(?:Un)?[Ff]reezeBalanceV2|(?:Un)?[Dd]elegateResource)Contract\\b",
  "\\b(?:127\\.0\\.0\\.1|localhost|\\[::1\\]|0\\.0\\.0\\.0)(?::| port )809[01]\\b|\\bport[= ]?8090\\b",
  "\\bcontract (?:validate|execute) error\\b|\\bvalidate signature error\\b|\\bopcode executed\\b",
  "\\b(?:contract_validate|contract_exe|tapos|bandwith|dup_transaction|transaction_expiration)_error\\b|\\bsigerror\\b",
];
const TRACE = new RegExp(NAMES.join("|"), "i");

/** Commands and modules of the scheduler named Tron. */
export const OTHER_TRON = /\btron(?:ctl|view|fig)\b|\bsite-packages[\\/]tron[\\/]|\b[Cc]onnecting to tron: \{/;

/** Address in base58, or in hex in a field named for it. */
const ADDRESS = /\bT[1-9A-HJ-NP-Za-km-z]{33}\b|_address["']?\s{0,3}[:=]\s{0,3}["']?41[\da-fA-F]{40}\b/;

/** Messages of other programs and services, whose HTTP and network failures are not those of a node. */
const OTHER_SERVICE = new RegExp(
  [
    "\\bnpm (?:err!|error|warn)|\\b(?:yarn|pnpm|npx|pip|pip3|cargo|composer|gem|brew|apt(?:-get)?|dpkg|yum|dnf|apk|conda|poetry|nuget|mvn|maven|gradle)\\b(?: (?:install|update|error|failed)|[:/._])",
    "\\b(?:npmjs|pypi|pythonhosted|crates|rubygems|packagist|debian|ubuntu|archive\\.apache|repo\\.maven)\\.(?:org|io|com)\\b|\\brepo1?\\.maven\\b",
    "\\b(?:google(?=\\.com\\b|apis)|github(?!\\.com/[\\w-]+/)|gitlab|bitbucket|(?<!\\b(?:compute(?:-1)?|elb)\\.)amazonaws|(?<!\\bcloudapp\\.)azure|openai|stripe|slack|twilio|sendgrid|docker|quay|ghcr|atlassian|salesforce|paypal|openweathermap)\\b",
    "\\bsqlstate\\[|^(?:remote|fatal): |\\b(?:from daemon|kubectl|kubelet|pods?/|namespace|helm|terraform|ansible|jenkins)\\b",
    "\\b(?:postgres(?:ql)?|psql|psycopg\\d?|pg_hba|mysql|mariadb|(?:py)?mongo(?:db)?|redis|kafka|rabbitmq|amqp|elasticsearch|memcached|cassandra|sqlite|hikaripool|jdbc|sqlalchemy|ldap|smtp|imap|ftp|sftp|sshd?|rsync|samba|postfix)\\b",
    "\\b(?:localhost|\\d{1,3}(?:\\.\\d{1,3}){3}):(?:22|25|465|587|3306|5432|6379|6443|9092|9200|11211|27017)\\b|\\bdjango\\.db\\b|\\bandroidruntime\\b",
    "\\bHTTPS?ConnectionPool\\(host='(?!localhost|[\\d.:]+'|[^'\\n]*(?:tron|trx|node|rpc|chain|eth|gateway|gw|infura|alchemy|ankr|block|api))[^'\\n]{3,200}'[^\\n]{0,200}\\bwith url: /(?!v\\d|wallet|jsonrpc|rpc|event|api|\\s|\\?|\\()",
    "\\[(?:error|emerg|crit|alert)\\] \\d{1,9}#\\d{1,9}:",
    "^[\\d.a-f:]{3,45} \\S{1,40} \\S{1,40} \\[\\d\\d/[a-z]{3}/\\d{4}[ :]",
    "\\b(?:eosio|nodeos|cleos|keosd|producer_plugin)\\b|\\b(?:homeassistant|custom_components)\\.|\\bmvn [a-z]|\\b(?:gpg|pgp|openpgp)\\b",
    "\\ban error occurred \\(\\w{3,60}\\) when calling the \\w{3,60} operation\\b|\\barn:aws\\b",
  ].join("|"),
  "im",
);

/** Tools and nodes of Ethereum, whose failures are explained here, too. */
const ETHEREUM =
  /\b(?:web3|ethers|viem|wagmi|hardhat|truffle|ganache|anvil|foundry|go-ethereum|geth|erigon|besu|infura|alchemy|eth_\w{2,40}|json-?rpc|8545)\b/i;

/** Returns whether a text is about a program or service that has nothing to do with the chain, and has no trace of it. */
export function isOfOtherService(text: string): boolean {
  const start = text.slice(0, LONGEST);
  return OTHER_SERVICE.test(start) && !ETHEREUM.test(start) && !hasTrace(text);
}

const LONGEST = 262_144;

/**
 * Returns true if a text shows that it relates to the chain. Common messages, such as `Permission denied`, refer to the
 * chain only in such a text. Takes time linear in the text.
 */
export function hasTrace(text: string): boolean {
  const start = text.slice(0, LONGEST);
  return ADDRESS.test(start) || (TRACE.test(start) && !OTHER_TRON.test(start));
}
