import type { JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** A fault that is worth having at hand. */
export interface FaultPreset {
  readonly label: string;
  readonly detail: string;
  readonly group: string;
  readonly fault: JsonObject;
}

const BROADCASTS = "*/broadcast*";
const [SENDING, READING, NODE, CHAIN] = [t`When sending`, t`With every request`, t`The node`, t`The chain`] as const;

/** What the picker offers, each with all fields that it depends on. */
export const faultPresets: readonly FaultPreset[] = [
  {
    label: t`Accept, then lose the answer (once)`,
    group: SENDING,
    detail: t`The transaction is in the pool, and the connection is reset before anybody says so.`,
    fault: { name: "lost-answer", path: BROADCASTS, count: 1 },
  },
  {
    label: t`Lose the request before the node sees it (once)`,
    group: SENDING,
    detail: t`Looks the same, and the transaction is nowhere.`,
    fault: { name: "reset-before", path: BROADCASTS, count: 1 },
  },
  {
    label: t`Accept, then answer 502 (once)`,
    group: SENDING,
    detail: t`A gateway gives up waiting for the node, which has taken the transaction.`,
    fault: { name: "http-status-after", status: 502, path: BROADCASTS, count: 1 },
  },
  {
    label: t`Accept, then cut the answer in half (once)`,
    group: SENDING,
    detail: t`The transaction is in the pool, and the answer ends in the middle.`,
    fault: { name: "truncated-body", path: BROADCASTS, count: 1 },
  },
  {
    label: t`Call a new transaction a duplicate (once)`,
    group: SENDING,
    detail: t`A gateway repeats the request, and the second answer is the one that arrives.`,
    fault: { name: "duplicate-answer", path: BROADCASTS, count: 1 },
  },
  {
    label: t`Remember what was refused, and call it a duplicate`,
    group: SENDING,
    detail: t`The node's cache masks the real reason: a corrected signature is refused as a duplicate, and nobody holds it.`,
    fault: { name: "duplicate-cache" },
  },
  {
    label: t`Pool full (three times)`,
    group: SENDING,
    detail: t`SERVER_BUSY: the same bytes are accepted later.`,
    fault: { name: "pool-full", count: 3 },
  },
  {
    label: t`Refuse, and execute all the same (once)`,
    group: SENDING,
    detail: t`CONTRACT_VALIDATE_ERROR, and the transaction is in the pool: whoever answers is wrong, or lies.`,
    fault: { name: "false-refusal", code: "CONTRACT_VALIDATE_ERROR", count: 1 },
  },
  {
    label: t`Slow answers`,
    group: READING,
    detail: t`Every answer comes three seconds late.`,
    fault: { name: "latency", ms: 3000, when: "before" },
  },
  {
    label: t`Too many requests (three times)`,
    group: READING,
    detail: t`429, with the request to come back in five seconds.`,
    fault: { name: "rate-limit", seconds: 5, form: "seconds", count: 3 },
  },
  {
    label: t`Every third request fails with 503`,
    group: READING,
    detail: t`At random; the node never sees those.`,
    fault: { name: "http-status", status: 503, rate: 0.33 },
  },
  {
    label: t`Pages instead of JSON, now and then`,
    group: READING,
    detail: t`Every fifth answer, at random, is a page with status 200.`,
    fault: { name: "not-json", rate: 0.2 },
  },
  {
    label: t`Nobody listens for ten seconds`,
    group: READING,
    detail: t`Connections are refused, those of this list too.`,
    fault: { name: "connection-refused", ms: 10_000, count: 1 },
  },
  {
    label: t`Accept no token`,
    group: READING,
    detail: t`Connections end without a byte, as with a JWT that the gateway does not accept.`,
    fault: { name: "jwt-refusal", how: "drop" },
  },
  {
    label: t`A node that lags 20 blocks behind`,
    group: NODE,
    detail: t`Reads know nothing of the last minute: what is in a block is not there.`,
    fault: { name: "stale-head", blocks: 20 },
  },
  {
    label: t`A clock that is an hour behind`,
    group: NODE,
    detail: t`The Date of the answers; blocks keep their time.`,
    fault: { name: "clock-skew", ms: -3_600_000 },
  },
  {
    label: t`No energy estimates`,
    group: NODE,
    detail: t`estimateenergy says that this node does not support it.`,
    fault: { name: "estimate-off" },
  },
  {
    label: t`No constant calls`,
    group: NODE,
    detail: t`triggerconstantcontract and estimateenergy say that this node does not support it.`,
    fault: { name: "constant-calls-off" },
  },
  {
    label: t`Reorganise two blocks (once)`,
    group: CHAIN,
    detail: t`Other blocks take their place at the next request; their transactions wait again.`,
    fault: { name: "reorganisation", blocks: 2, transactions: "return", count: 1 },
  },
  {
    label: t`Reorganise two blocks and lose their transactions (once)`,
    group: CHAIN,
    detail: t`Other blocks take their place at the next request; nobody remembers what they held.`,
    fault: { name: "reorganisation", blocks: 2, transactions: "lost", count: 1 },
  },
  {
    label: t`Run out of time in the block (once)`,
    group: CHAIN,
    detail: t`The next contract transaction in a block ends with OUT_OF_TIME and loses its whole fee limit.`,
    fault: { name: "code-ended", result: "OUT_OF_TIME", count: 1 },
  },
  {
    label: t`Stop solidification`,
    group: CHAIN,
    detail: t`Blocks come, and none becomes final.`,
    fault: { name: "solidification-stopped" },
  },
];
