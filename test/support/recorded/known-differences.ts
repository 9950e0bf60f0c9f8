import type { NodeVersion } from "../../../packages/local-chain/src/chain/parameters.ts";

/** A difference of one case: the step, what it did, the path in the answer, what was recorded, what came. */
export type FieldDifference = readonly [step: number, what: string, field: string, recorded: string, got: string];

/** Those of java-tron 4.8.2 say so in the names of their files. */
export function versionOf(file: string): NodeVersion {
  return file.includes("-4.8.2.") ? "4.8.2" : "4.8.0";
}

/** Returns true if the cases of a file are lists of HTTP requests. */
export function isOfHttp(file: string): boolean {
  return /^http(?:-4\.8\.2)?\.json$/.test(file);
}

/** A case of the recordings, and in `http.json` a request, that did not come out the same. */
export interface DifferingCase {
  readonly file: string;
  readonly name: string;
  readonly differences: readonly FieldDifference[];
  /** The recording itself stopped in this case. */
  readonly brokeOff: boolean;
}

/**
 * Reason of a difference: the recording is incomplete, or the result depends on earlier state of that chain, on the
 * time, or on random addresses. `defect` marks a difference that the embedded chain could avoid.
 */
export type Kind = "recording" | "history" | "moment" | "defect";

interface Reason {
  readonly key: string;
  readonly kind: Kind;
  readonly why: string;
  /** Of the file and name; all of them unless given. */
  readonly where?: RegExp;
  /** Every field that differs. */
  readonly fields?: RegExp;
  /** Recorded value. */
  readonly recorded?: RegExp;
  /** Value of this chain. */
  readonly got?: RegExp;
}

const HEIGHTS = "getblockbynum|getblockbylimitnext|gettransactioncountbyblocknum|gettransactioninfobyblocknum";

/** The first one that fits a case is its reason. */
export const reasons: readonly Reason[] = [
  {
    key: "servlet-id",
    kind: "recording",
    why: "The recording keeps a number that Java gave an object in its memory, and check.mjs masks that number in what it compares with it.",
    where: /^http(?:-4\.8\.2)?\.json /,
    fields: /^(?:text|json\.servlet)$/,
    recorded: /Servlet-[0-9a-f]{5,8}\b/,
    got: /Servlet-#/,
  },
  {
    key: "placeholder",
    kind: "recording",
    why: "The recorder sent the name of a value (`<$bn>`) where it meant the value; check.mjs sends the value.",
    where: new RegExp(
      `^http(?:-4\\.8\\.2)?\\.json /wallet(?:solidity)?/(?:${HEIGHTS}|getblockbalance|getblockbyid|getblock|getsignweight|getapprovedlist|broadcasttransaction) (?:GET|a form)`,
    ),
    recorded:
      /<\$\w+>|legal block hash|invalid characters|INVALID hex String|Expected \\"true\\"|Unexpected character \('<'/,
  },
  {
    key: "spaces",
    kind: "recording",
    why: "The recorder put its spaces into the names of values too (`<S :41>`), so that addresses were none; check.mjs does not.",
    where: /^http(?:-4\.8\.2)?\.json \S+ spaces$/,
  },
  {
    key: "nile-precompile",
    kind: "recording",
    why: "Nile's 4.8.2 has Ethereum's contract for blobs at 2000a as well, which the release of that number does not have.",
    where: /^(?:sd|evm)-4\.8\.2\.json h17n\/(?:2|80|186|188|208|226|427|429)$/,
  },
  {
    key: "no-discovery",
    kind: "recording",
    why: "The recorded node did not look for other nodes at all, so that asking for them failed; Mainnet's nodes do.",
    where: /^http-4\.8\.2\.json \S+\/listnodes /,
    recorded: /DiscoverService\.getConnectableNodes/,
  },
  {
    key: "balance-history",
    kind: "recording",
    why: "The recorded node kept the balances of all blocks (`storage.balance.history.lookup`), which is off unless asked for.",
    where: /^http-4\.8\.2\.json \/wallet\/get(?:account|block)balance /,
    fields: /^(?:json\.(?:balance|Error|block_identifier\.\w+|timestamp|transaction_balance_trace.*)|spaces)$/,
  },
  {
    key: "proposals-there",
    kind: "history",
    why: "The recorded chain began with one proposal of 14 parameters.",
    where: /^http-4\.8\.2\.json \S+\/get(?:proposalbyid|paginatedproposallist) /,
    fields: /^(?:json(?:$|\.parameters|\.proposals|\.\w+_time$|\.approvals)|spaces$)/,
  },
  {
    key: "black-hole",
    kind: "history",
    why: "No id finds the account of burnt coins, which had another address and balance on the recorded chain.",
    where: /^http-4\.8\.2\.json \S+\/getaccountbyid /,
    fields: /^json\.(?:address|balance)$/,
  },
  {
    key: "tokens-there",
    kind: "history",
    why: "Lists hold the tokens of all runs before on the recorded chain.",
    where: /^http(?:-4\.8\.2)?\.json \S+\/get(?:paginated)?assetissuelist /,
    fields: /^(?:json(?:$|\.assetIssue)|spaces$)/,
  },
  {
    key: "pairs-there",
    kind: "history",
    why: "The list holds the orders of all runs before on the recorded chain.",
    where: /^http(?:-4\.8\.2)?\.json \S+\/getmarketpairlist /,
    fields: /^(?:json(?:$|\.orderPair)|spaces$)/,
  },
  {
    key: "zero-address",
    kind: "history",
    why: "Earlier runs had sent coins to the address of zeros on the recorded chain.",
    where: /"410000000000000000000000000000000000000000"$/,
  },
  {
    key: "tron-power",
    kind: "history",
    why: "Somebody had staked for TRON_POWER on the recorded chain.",
    where: /^http(?:-4\.8\.2)?\.json \S+\/getaccountresource /,
    fields: /^json\.TotalTronPowerWeight$/,
  },
  {
    key: "name-taken",
    kind: "history",
    why: "Earlier runs had given the same name or id to an account of the recorded chain.",
    where: /^(?:names(?:-2|-4\.8\.2)?\.json|http(?:-4\.8\.2)?\.json \/wallet\/updateaccount) /,
    recorded: /This (?:name is|id has) existed/,
  },
  {
    key: "name-first",
    kind: "moment",
    why: "Cases that run at once want the same name or id, and one of them is the first.",
    where: /^names-4\.8\.2\.json /,
    got: /This (?:name is|id has) existed/,
  },
  {
    key: "proposal-age",
    kind: "moment",
    why: "How long ago the first proposal ended is told in hours.",
    where: /^http(?:-4\.8\.2)?\.json \S+\/get(?:proposalbyid|paginatedproposallist) /,
    fields: /expiration_time$/,
  },
  {
    key: "newest-block",
    kind: "moment",
    why: "Which block is the newest or the newest solidified one, and what waits in the pool, depends on the moment.",
    where:
      /^http(?:-4\.8\.2)?\.json \S+\/(?:getnowblock|getblockbylatestnum|getblock|gettransactionlistfrompending|gettransactionfrompending) /,
    fields: /^(?:json$|spaces$|json\.(?:block|transactions|txId)\b)/,
  },
  {
    key: "address-digits",
    kind: "moment",
    why: "An address in hex where base58 is asked for is refused at its first 0, and some addresses have none.",
    where: /^http(?:-4\.8\.2)?\.json /,
    recorded: /Illegal character 0 at \d+/,
  },
  {
    key: "token-order",
    kind: "moment",
    why: "Entries come in the order of Java's hash table, which depends on the numbers that the tokens got.",
    where: /^(?:trade|tokens|seq)/,
    fields: /V2\.\d+\.(?:key|value)$/,
  },
  {
    key: "recovering",
    kind: "moment",
    why: "What recovers with each second was asked for a second earlier or later, by more than check.mjs allows; what a stake does not bring is paid for.",
    where: /^(?:seq|votes|tokens|trade|(?:evm|sd|names|http)-4)/,
    fields:
      /(?:window_size|energy_usage_total|origin_energy_usage|energy_usage|energy_fee|^fee|free_net_usage|net_usage|net_fee|^balance|resMessage)$/,
  },
  {
    key: "address-as-code",
    kind: "moment",
    why: "The code begins within an address of a producer, whose last bytes are the first instructions.",
    where: /^sd\.json h17sd\/23$/,
    fields: /^(?:receipt\.result|resMessage|receipt\.energy_\w+|fee)$/,
  },
  {
    key: "address-order",
    kind: "moment",
    why: "The program divides its own address, which the time of its creation decides, by another one.",
    where: /^evm-4\.8\.2\.json h17n\/201$/,
    fields: /^(?:constant_result|contractResult)\.0$/,
  },
  {
    key: "height",
    kind: "moment",
    why: "The program asks for hashes of blocks by fixed heights.",
    where: /^evm-4\.8\.2\.json h17n\/146$/,
  },
  {
    key: "missed-block",
    kind: "moment",
    why: "A busy machine makes a block too late, and its producer has missed one.",
    where: /^http-4\.8\.2\.json \S+\/listwitnesses /,
    fields: /totalMissed$/,
  },
  {
    key: "expires-soon",
    kind: "moment",
    why: "What expires in one block's time is refused when a block comes between its making and its sending.",
    where: /^admission\.json expires in (?:2999|3 s|3001)/,
    recorded: /SUCCESS|true/,
    got: /TRANSACTION_EXPIRATION_ERROR/,
  },
  {
    key: "short-signature",
    kind: "moment",
    why: "A signature without its first digit is the same signature when that digit was 0.",
    where: /^admission\.json JSON signature odd$/,
    got: /true/,
  },
  {
    key: "reference-bytes",
    kind: "moment",
    why: "Bytes of `raw_data` read as a transaction break off at a place that depends on the height of the reference block.",
    where: /^admission\.json broadcasthex raw only$/,
  },
];

/** @returns undefined when nobody has explained it */
export function reasonFor(it: DifferingCase): Reason | "broke-off" | undefined {
  if (it.brokeOff) return "broke-off";
  return reasons.find((reason) => explains(reason, it));
}

function explains({ where, fields, recorded, got }: Reason, { file, name, differences }: DifferingCase): boolean {
  if (where?.test(`${file} ${name}`) === false) return false;
  if (fields !== undefined && !differences.every(([, , field]) => fields.test(field))) return false;
  return differences.some(([, , , was, is]) => (recorded?.test(was) ?? true) && (got?.test(is) ?? true));
}
