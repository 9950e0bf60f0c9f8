import {
  type AccountPermissions,
  changesBetween,
  findLockOut,
  foreignControl,
  type LockOut,
  ownKeyAlone,
  type PermissionChange,
  permissionProblems,
} from "@finality/client/permissions";
import { coinsText } from "@finality/tron/format";
import { foreignText, sun, visibleLine } from "@finality/tron/primitives";
import type { IntentOf, PermissionIntent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { allowedText, joined, type KeysHere, keyText, permissionText, quorumText } from "../labels/permissions.ts";
import { quoted } from "../labels/reviews.ts";
import type { SystemEffect, SystemFacts } from "./system-effect.view.ts";

/** Used if keys are unknown. */
const NOBODY: KeysHere = { ours: new Set(), nameOf: () => undefined };

/**
 * Returns the effect of a permission change: who controls the account before and after, and whether it locks the user
 * out.
 */
export function permissionEffect(intent: IntentOf<"permission-update">, facts: SystemFacts): SystemEffect {
  const { owner, parameters, symbol, keysHere = NOBODY } = facts;
  const before = owner.account?.permissions ?? ownKeyAlone(intent.owner);
  const lockOut = findLockOut(intent, keysHere.ours);
  const fee = parameters.get("getUpdateAccountPermissionFee");
  const balance = owner.account?.balance ?? sun(0n);
  return {
    action: t`Change who decides over the account`,
    lines: changeLines(before, intent, keysHere),
    alarms: [
      ...(lockOut === undefined ? [] : [lockOutText(lockOut, keysHere)]),
      ...strangerTexts(intent, lockOut, keysHere),
    ],
    effect: "",
    doubts: [
      ...refusalTexts(intent, facts),
      ...(fee !== undefined && balance < fee
        ? [t`The chain takes ${coinsText(sun(fee), symbol)} for it, and the account has ${coinsText(balance, symbol)}.`]
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
    ...(same.length === 0 ? [] : ["", t`Stays as it is: ${same.map((it) => sameText(it, here)).join(t`; `)}`]),
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
    return [t`Taken away: ${title}`, ...(before === undefined ? [] : [t`  until now: ${quorumText(before, here)}`])];
  const could = before === undefined ? t`nobody, it is new` : quorumText(before, here);
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
      ? t`Nothing at all could be signed for it here.`
      : t`Here it could still be used by ${joined(left.map(leftText), "and")}, as long as the others leave it so.`;
  return t`This locks you out: the keys here would weigh ${String(weight)} of the ${String(threshold)} that decide over the account, and nobody but ${who} could give it back. ${rest}`;
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
  return [t`${joined(who, "and")} could do everything without you, taking the account away too.`];
}
