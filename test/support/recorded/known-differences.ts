/** A difference of one case: the step, what it did, the path in the answer, what was recorded, what came. */
export type FieldDifference = readonly [step: number, what: string, field: string, recorded: string, got: string];

/** A case of the recordings, and in `http.json` a request, that did not come out the same. */
export interface DifferingCase {
  readonly file: string;
  readonly name: string;
  readonly differences: readonly FieldDifference[];
  /** The recording itself stopped in this case. */
  readonly brokeOff: boolean;
}

/**
 * Why a case cannot be the same: the recording is not whole, or it hangs on what that chain had seen before, on the
 * moment, or on random addresses. `defect` is for what this chain could do as the node does and does not.
 */
export type Kind = "recording" | "history" | "moment" | "defect";

export interface Reason {
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
    where: /^http\.json /,
    fields: /^(?:text|json\.servlet)$/,
    recorded: /Servlet-[0-9a-f]{5,8}\b/,
    got: /Servlet-#/,
  },
  {
    key: "placeholder",
    kind: "recording",
    why: "The recorder sent the name of a value (`<$bn>`) where it meant the value; check.mjs sends the value.",
    where: new RegExp(
      `^http\\.json /wallet(?:solidity)?/(?:${HEIGHTS}|getblockbalance|getblockbyid|getblock|getsignweight|getapprovedlist|broadcasttransaction) (?:GET|a form)`,
    ),
    recorded: /<\$\w+>|legal block hash|invalid characters|INVALID hex String|Expected \\"true\\"/,
  },
  {
    key: "spaces",
    kind: "recording",
    why: "The recorder put its spaces into the names of values too (`<S :41>`), so that addresses were none; check.mjs does not.",
    where: /^http\.json \S+ spaces$/,
  },
  {
    key: "tokens-there",
    kind: "history",
    why: "Lists hold the tokens of all runs before on the recorded chain.",
    where: /^http\.json \S+\/get(?:paginated)?assetissuelist /,
    fields: /^(?:json(?:$|\.assetIssue)|spaces$)/,
  },
  {
    key: "pairs-there",
    kind: "history",
    why: "The list holds the orders of all runs before on the recorded chain.",
    where: /^http\.json \S+\/getmarketpairlist /,
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
    where: /^http\.json \S+\/getaccountresource /,
    fields: /^json\.TotalTronPowerWeight$/,
  },
  {
    key: "name-taken",
    kind: "history",
    why: "Earlier runs had given the same name or id to an account of the recorded chain.",
    where: /^(?:names(?:-2)?\.json|http\.json \/wallet\/updateaccount) /,
    recorded: /This (?:name is|id has) existed/,
  },
  {
    key: "proposal-age",
    kind: "moment",
    why: "How long ago the first proposal ended is told in hours.",
    where: /^http\.json \S+\/get(?:proposalbyid|paginatedproposallist) /,
    fields: /expiration_time$/,
  },
  {
    key: "newest-block",
    kind: "moment",
    why: "Which block is the newest or the newest solidified one, and what waits in the pool, depends on the moment.",
    where:
      /^http\.json \S+\/(?:getnowblock|getblockbylatestnum|getblock|gettransactionlistfrompending|gettransactionfrompending) /,
    fields: /^(?:json$|spaces$|json\.(?:block|transactions|txId)\b)/,
  },
  {
    key: "address-digits",
    kind: "moment",
    why: "An address in hex where base58 is asked for is refused at its first 0, and some addresses have none.",
    where: /^http\.json /,
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
    where: /^(?:seq|votes|tokens|trade)/,
    fields: /(?:window_size|energy_usage_total|origin_energy_usage|energy_usage|energy_fee|^fee|resMessage)$/,
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
