import { coinsText } from "@finality/tron/format";
import { foreignText, sun, visibleLine } from "@finality/tron/primitives";
import type { IntentOf, PermissionIntent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { TransferCost } from "../estimates/costs.ts";
import {
  allowedText,
  joined,
  type KeysHere,
  keyText,
  permissionText,
  quorumText,
  type SigningLabels,
  signingLines,
} from "../labels/permissions.ts";
import { describeProofCost } from "../labels/proofs.ts";
import {
  costText,
  type Expiry,
  expiryText,
  networkLines,
  type Party,
  partyText,
  quoted,
  type ReviewedNetwork,
} from "../labels/reviews.ts";
import {
  changesBetween,
  findLockOut,
  foreignControl,
  type LockOut,
  type PermissionChange,
  permissionProblems,
} from "../permissions/permission-change.ts";
import { type AccountPermissions, ownKeyAlone } from "../permissions/permissions.ts";
import type { ProofCost } from "../proof/inclusion-interval.ts";
import {
  accountNameEffect,
  contractEffect,
  creationEffect,
  rewardEffect,
  type SystemEffect,
  type SystemFacts,
  type SystemIntent,
  stakeIntentEffect,
  trc10Effect,
  voteEffect,
} from "./system-effect.view.ts";

/** Returns the effect of a system intent on the account as it is now. */
export function effectOf(intent: SystemIntent, facts: SystemFacts): SystemEffect {
  switch (intent.kind) {
    case "permission-update":
      return permissionEffect(intent, facts);
    case "vote":
      return voteEffect(intent, facts);
    case "claim-reward":
      return rewardEffect(facts);
    case "token-transfer":
      return trc10Effect(intent, facts);
    case "account-creation":
      return creationEffect(facts);
    case "account-name":
      return accountNameEffect(intent);
    case "contract-share":
    case "contract-limit":
    case "contract-abi-removal":
      return contractEffect(intent, facts);
    default:
      return stakeIntentEffect(intent, facts);
  }
}

/** Content of the review of a system contract. */
export interface SystemReview {
  readonly words: SystemEffect;
  readonly network: ReviewedNetwork;
  /** Symbol of the network's coin; undefined if unknown. */
  readonly symbol?: string | undefined;
  readonly from: Party;
  readonly signing: SigningLabels;
  readonly cost: TransferCost;
  readonly expiry: Expiry;
  /** Cost of a proof that no block contains it. */
  readonly proofCost: ProofCost;
  readonly matchingFields: number;
  /** Warnings that come first, one per line. */
  readonly warnings: readonly string[];
}

/** Returns the review of a system contract: effect, cost and verification. */
export function systemReviewText(review: SystemReview): { readonly title: string; readonly detail: string } {
  const { words, network, from, matchingFields } = review;
  const expiry = expiryText(review.expiry);
  const alarms = [...(expiry.alarm === undefined ? [] : [expiry.alarm]), ...(words.alarms ?? []), ...words.doubts];
  const lines = [
    ...(review.warnings.length > 0 ? [...review.warnings, ""] : []),
    ...alarms.flatMap((it) => [`⚠ ${it}`, ""]),
    ...networkLines(network),
    t`From: ${partyText(from)}`,
    ...signingLines(review.signing),
    ...words.lines,
    t`Costs: ${costText(review.cost, review.symbol)}`,
    expiry.line,
    t`If the answer is lost, Finality can prove after expiry that it never ran (${describeProofCost(review.proofCost)})`,
    "",
    t`Verified: ${matchingFields} of ${matchingFields} fields match your request.`,
  ];
  const title =
    words.doubts.length === 0 ? t`${words.action}?` : t`${words.action} although the chain would refuse it?`;
  return { title, detail: lines.join("\n") };
}

/** Used if keys are unknown. */
const NO_KEYS: KeysHere = { ours: new Set(), nameOf: () => undefined };

/**
 * Returns the effect of a permission change: who controls the account before and after, and whether it locks the user
 * out.
 */
export function permissionEffect(intent: IntentOf<"permission-update">, facts: SystemFacts): SystemEffect {
  const { owner, parameters, symbol, keysHere = NO_KEYS } = facts;
  const before = owner.account?.permissions ?? ownKeyAlone(intent.owner);
  const lockOut = findLockOut(intent, keysHere.ours);
  const fee = parameters.get("getUpdateAccountPermissionFee");
  const balance = owner.account?.balance ?? sun(0n);
  return {
    action: t`Change the permissions of the account`,
    lines: changeLines(before, intent, keysHere),
    alarms: [
      ...(lockOut === undefined ? [] : [lockOutText(lockOut, keysHere)]),
      ...strangerTexts(intent, lockOut, keysHere),
    ],
    effect: "",
    doubts: [
      ...refusalTexts(intent, facts),
      ...(fee !== undefined && balance < fee
        ? [
            t`The chain charges ${coinsText(sun(fee), symbol)} for it, but the account has ${coinsText(balance, symbol)}.`,
          ]
        : []),
    ],
  };
}

/** The node also knows the contract types of its chain. */
function refusalTexts(intent: IntentOf<"permission-update">, { refusal }: SystemFacts): readonly string[] {
  const own = permissionProblems(intent).map((it) => t`${it.charAt(0).toUpperCase() + it.slice(1)}.`);
  return own.length > 0 || refusal === undefined ? own : [t`The node refuses it: ${visibleLine(refusal, 200)}`];
}

function changeLines(
  before: AccountPermissions,
  after: IntentOf<"permission-update">,
  here: KeysHere,
): readonly string[] {
  const changes = changesBetween(before, after);
  const same = changes.filter(({ isSame }) => isSame);
  return [
    ...changes.filter(({ isSame }) => !isSame).flatMap((it) => ["", ...linesOf(it, here)]),
    ...(same.length === 0 ? [] : ["", t`Unchanged: ${same.map((it) => sameText(it, here)).join(t`; `)}`]),
    "",
  ];
}

function sameText(change: PermissionChange, here: KeysHere): string {
  const { before } = change;
  return before === undefined ? titleOf(change) : t`${titleOf(change)}, ${quorumText(before, here)}`;
}

function linesOf(change: PermissionChange, here: KeysHere): readonly string[] {
  const { before, after } = change;
  const title = titleOf(change);
  if (after === undefined)
    return [t`Removed: ${title}`, ...(before === undefined ? [] : [t`  before: ${quorumText(before, here)}`])];
  const could = before === undefined ? t`nothing, it is new` : quorumText(before, here);
  const can = quorumText(after, here);
  return [
    before === undefined ? t`New: ${title}` : title,
    ...(before === undefined ? [] : renamed(change)),
    ...(could === can ? [t`  before and after: ${can}`] : [t`  before: ${could}`, t`  after: ${can}`]),
    ...allowedLines(change),
  ];
}

function renamed({ type, id, before, after }: PermissionChange): readonly string[] {
  if (type !== "active" || before === undefined || after === undefined) return [];
  const was = permissionText(before);
  const is = permissionText({ id, name: foreignText(after.name) });
  return was === is ? [] : [t`  was ${was}`];
}

function allowedLines({ type, before, after }: PermissionChange): readonly string[] {
  if (type !== "active" || after === undefined) return [];
  const [was, is] = [before && allowedText(before), allowedText(after)];
  return was === undefined || was === is ? [t`  allows: ${is}`] : [t`  allowed: ${was}`, t`  allows: ${is}`];
}

function titleOf({ type, id, before, after }: PermissionChange): string {
  if (type === "owner") return t`Everything (owner)`;
  if (type === "witness") return t`Signs blocks (witness)`;
  const name = after === undefined ? before?.name : foreignText(after.name);
  return t`Active ${permissionText({ id, name: name ?? foreignText("") })}`;
}

/** Explains a lock-out. */
export function lockOutText({ weight, threshold, others, left }: LockOut, here: KeysHere): string {
  const who = joined(
    others.map(({ address }) => keyText(address, here)),
    "and",
  );
  const rest =
    left.length === 0
      ? t`You could no longer sign anything for it here.`
      : t`You could still use it through ${joined(left.map(leftText), "and")}, as long as the other keys do not change that.`;
  return t`This locks you out: your keys would have a weight of ${String(weight)} of the ${String(threshold)} that the owner permission needs, and only ${who} could restore it. ${rest}`;
}

function leftText(permission: PermissionIntent): string {
  return t`${quoted(foreignText(permission.name), t`an active permission`)} (${allowedText(permission)})`;
}

function strangerTexts(
  after: IntentOf<"permission-update">,
  lockOut: LockOut | undefined,
  here: KeysHere,
): readonly string[] {
  if (lockOut !== undefined) return [];
  const strangers = foreignControl(after, here.ours).flatMap(({ keys }) => keys.map(({ address }) => address));
  const who = [...new Set(strangers)].filter((it) => !here.ours.has(it)).map((it) => keyText(it, here));
  if (who.length === 0) return [];
  return [t`${joined(who, "and")} could do everything without you, and could even take over the account.`];
}
