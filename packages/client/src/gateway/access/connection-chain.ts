import { isChainError, shortChainId } from "@finality/tron/errors";
import type { JsonObject } from "@finality/tron/primitives";
import type { ChainId } from "../../chain/chain-place.ts";
import type { Block } from "../gateway.ts";
import { parseNodeInfo } from "../wire/account.ts";
import { type AnswerParser, readAnswer } from "../wire/answer.ts";
import { parseGenesis, parseOptionalBlock } from "../wire/block.ts";
import { chainWords, versionWords } from "./connection-answer-messages.ts";
import type { Asker } from "./connection-asker.ts";
import { GENESIS, HEAD_BLOCK, HEAD_BY_HEIGHT, NODE_INFO, SOLID_BLOCK, SOLID_BY_HEIGHT } from "./connection-paths.ts";
import type { Finding } from "./finding.ts";

/** What a connection test reads of the chain; undefined for what nobody tells. */
export interface ChainSeen {
  readonly head: Block | undefined;
  readonly solid: Block | undefined;
  readonly headChain: ChainId | undefined;
  readonly solidChain: ChainId | undefined;
  /** What the head side has at the height of the solidified block. */
  readonly headAtSolid: Block | undefined;
  readonly version: string | undefined;
}

/**
 * Asks both sides.
 *
 * @param searchSolid - for a gateway that does not tell its newest solidified block at once
 * @throws the reason of the signal
 */
export async function readChain(asker: Asker, searchSolid: () => Promise<Block | undefined>): Promise<ChainSeen> {
  const read = <T>(path: string, body: JsonObject, parse: AnswerParser<T>) => readOr(asker, { path, body }, parse);
  const [newest, head] = await Promise.all([
    read(SOLID_BLOCK, {}, parseOptionalBlock),
    read(HEAD_BLOCK, {}, parseOptionalBlock),
  ]);
  const solid = newest ?? (await searchSolid());
  const [headChain, solidChain, node, headAtSolid] = await Promise.all([
    read(HEAD_BY_HEIGHT, GENESIS, parseGenesis),
    read(SOLID_BY_HEIGHT, GENESIS, parseGenesis),
    read(NODE_INFO, {}, parseNodeInfo),
    solid && read(HEAD_BY_HEIGHT, { num: solid.number }, parseOptionalBlock),
  ]);
  return { head, solid, headChain, solidChain, headAtSolid, version: node?.version };
}

/** The value of an answer, or undefined where there is none that can be read: its path says so in its own line. */
export async function readOr<T>(
  asker: Asker,
  { path, body }: { readonly path: string; readonly body: JsonObject },
  parse: AnswerParser<T>,
): Promise<T | undefined> {
  const { verdict } = await asker.ask(path, body);
  if (verdict.kind !== "body") return undefined;
  try {
    return readAnswer({ endpoint: path, body: verdict.body }, parse);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

/** By what ages are measured. */
export interface TimeReference {
  /** The gateway's time as well as it is known; Unix ms. */
  readonly now: number;
  /** Whether the gateway told it; else it is that of this computer. */
  readonly isMeasured: boolean;
  /** The embedded chain has a time of its own: nothing is old there. */
  readonly local: boolean;
}

/** What is wrong with the chain that was read: which one it is first, how it stands then. */
export function judgeChain(seen: ChainSeen, time: TimeReference): readonly Finding[] {
  const same = judgeSides(seen);
  const isOther = same.status === "failed";
  const later = isOther ? [] : [judgeFork(seen), judgeHead(seen, time), judgeSolid(seen, time)];
  return [same, ...later, judgeVersion(seen)];
}

function judgeSides({ headChain, solidChain }: ChainSeen): Finding {
  const check = "same-chain";
  if (headChain === undefined) return { check, status: "skipped", ...chainWords.notCompared(HEAD_BY_HEIGHT) };
  if (solidChain === undefined) return { check, status: "skipped", ...chainWords.notCompared(SOLID_BY_HEIGHT) };
  const [head, solid] = [shortChainId(headChain), shortChainId(solidChain)];
  return headChain === solidChain
    ? { check, status: "ok", ...chainWords.sameChain(head) }
    : { check, status: "failed", ...chainWords.otherChain(head, solid) };
}

function judgeFork({ solid, headAtSolid }: ChainSeen): Finding {
  const check = "fork";
  if (solid === undefined || headAtSolid === undefined) return { check, status: "skipped", ...chainWords.forkUnknown };
  return headAtSolid.id === solid.id
    ? { check, status: "ok", ...chainWords.sameFork(solid.number) }
    : { check, status: "failed", ...chainWords.otherFork(solid.number) };
}

/** An age that is usual no more, and one that is a fault; ms. A block comes every 3 s. */
const LATE_MS = 20_000;
const OLD_MS = 60_000;

function judgeHead({ head }: ChainSeen, { now, isMeasured, local }: TimeReference): Finding {
  const check = "head";
  if (head === undefined) return { check, status: "skipped", ...chainWords.noHead(HEAD_BLOCK) };
  const [{ number }, age] = [head, now - head.timestamp];
  if (local) return { check, status: "ok", ...chainWords.headLocal(number) };
  if (age < -OLD_MS) return { check, status: "warning", ...chainWords.headAhead(number, -age) };
  if (age <= LATE_MS) return { check, status: "ok", ...chainWords.headFresh(number, age) };
  return { check, status: age > OLD_MS ? "failed" : "warning", ...chainWords.headOld(number, age, isMeasured) };
}

/** How far behind is unusual, and how far is a fault; blocks. About 19 are behind where 27 witnesses take turns. */
const FAR_BEHIND = 40;
const TOO_FAR_BEHIND = 100;
/** Both sides are not asked at the same moment; blocks. */
const APART = 3;
/** Of a solidified block without a head to compare it with; ms. */
const SOLID_OLD_MS = 300_000;

function judgeSolid({ head, solid }: ChainSeen, { now, local }: TimeReference): Finding {
  const check = "solidified";
  if (solid === undefined) return { check, status: "skipped", ...chainWords.noSolid(SOLID_BLOCK) };
  const age = now - solid.timestamp;
  if (head === undefined)
    return age > SOLID_OLD_MS && !local
      ? { check, status: "failed", ...chainWords.solidOld(solid.number, age) }
      : { check, status: "ok", ...chainWords.solidAlone(solid.number, age) };
  const behind = head.number - solid.number;
  if (behind < -APART) return { check, status: "failed", ...chainWords.solidAhead(solid.number, -behind) };
  if (behind <= FAR_BEHIND || local)
    return { check, status: "ok", ...chainWords.solid(solid.number, Math.max(0, behind)) };
  return {
    check,
    status: behind > TOO_FAR_BEHIND ? "failed" : "warning",
    ...chainWords.solidBehind(solid.number, behind),
  };
}

/** From this version on nodes estimate energy (gateway document, Versioning). */
const ESTIMATES_FROM = "4.7.0.1";

function judgeVersion({ version }: ChainSeen): Finding {
  const check = "version";
  if (version === undefined) return { check, status: "skipped", ...versionWords.unknown(NODE_INFO) };
  return isOlder(version, ESTIMATES_FROM)
    ? { check, status: "warning", ...versionWords.old(version, ESTIMATES_FROM) }
    : { check, status: "ok", ...versionWords.fine(version) };
}

/** A version that has no numbers is not compared. */
function isOlder(version: string, other: string): boolean {
  if (!/^\d+(?:\.\d+)*/.test(version)) return false;
  const [own, needed] = [version, other].map((it) => it.split(".").map((part) => Number.parseInt(part, 10) || 0));
  for (let at = 0; at < (needed?.length ?? 0); at++) {
    const difference = (own?.[at] ?? 0) - (needed?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
