import { allowsOperation, findOperation, operations, operationsIn } from "@finality/client/permissions";
import type { Hex } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Contract types that belong together for people. */
const GROUPS: readonly (readonly [words: string, numbers: readonly number[]])[] = [
  [t`payments`, [1, 2]],
  [t`contract calls`, [31]],
  [t`deployments`, [30]],
  [t`contract settings`, [33, 45, 48]],
  [t`stakes`, [54, 55, 56, 59]],
  [t`lending of resources`, [57, 58]],
  [t`stakes of the old kind`, [11, 12]],
  [t`votes`, [4]],
  [t`rewards`, [13]],
  [t`new accounts`, [0]],
  [t`account names`, [10, 19]],
  [t`issuing tokens`, [6, 9, 14, 15]],
  [t`exchanges`, [41, 42, 43, 44]],
  [t`orders of the market`, [52, 53]],
  [t`being a witness`, [5, 8, 49]],
  [t`proposals`, [16, 17, 18]],
  [t`shielded transfers`, [51]],
  [t`changing permissions`, [46]],
];

/** Bits of every usual mask that name nothing which a node executes. */
const NOTHING: ReadonlySet<number> = new Set([3, 20, 32]);

/** What one contract type does, in few words. @example operationText(1); // "Transfer" */
export function operationText(number: number): string {
  return findOperation(number)?.name ?? t`contract type ${number}`;
}

/** The group of a contract type. */
export function operationGroup(number: number): string {
  return GROUPS.find(([, numbers]) => numbers.includes(number))?.[0] ?? "";
}

/** What a mask allows: groups that it has whole, and the rest by their names in the protocol. */
export function operationsText(mask: Hex): string {
  const present = operationsIn(mask).filter((it) => !NOTHING.has(it));
  const whole = GROUPS.filter(([, numbers]) => numbers.every((it) => allowsOperation(mask, it)));
  const named = new Set(whole.flatMap(([, numbers]) => numbers));
  const words = [...whole.map(([group]) => group), ...present.filter((it) => !named.has(it)).map(operationText)];
  if (words.length === 0) return t`nothing`;
  return operations.every(({ number }) => allowsOperation(mask, number)) ? t`everything` : words.join(t`, `);
}
