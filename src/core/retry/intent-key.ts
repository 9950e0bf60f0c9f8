import type { Intent, PermissionIntent } from "../transaction/intent.ts";

/** Each payment is compared with all that are alive: what they are compared by is worked out once. */
const keys = new WeakMap<Intent, string>();

/**
 * The same text for two intents that would do the same thing twice. What they may spend on it makes no difference, nor
 * do a memo and a permission, nor how it is written: what is left out is the same as the value that the bytes have
 * then.
 */
export function intentKey(intent: Intent): string {
  const known = keys.get(intent) ?? printed(spelledOut(intent));
  keys.set(intent, known);
  return known;
}

function printed({ memo: _memo, permissionId: _permissionId, ...intent }: Intent): string {
  const { feeLimit: _feeLimit, ...what } = { feeLimit: undefined, ...intent };
  return JSON.stringify(what, (_key, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "string") return value.toWellFormed();
    return isRecord(value) ? sorted(value) : value;
  });
}

/** With the values that the bytes have where an intent leaves them out. */
function spelledOut(intent: Intent): Intent {
  switch (intent.kind) {
    case "contract-call":
      return { ...intent, tokenId: intent.tokenId ?? 0n, tokenValue: intent.tokenValue ?? 0n };
    case "permission-update": {
      const { ownerPermission, witnessPermission: witness, activePermissions } = intent;
      return {
        ...intent,
        ownerPermission: withMask(ownerPermission),
        ...(witness === undefined ? {} : { witnessPermission: withMask(witness) }),
        activePermissions: activePermissions.map(withMask),
      };
    }
    default:
      return intent;
  }
}

function withMask(permission: PermissionIntent): PermissionIntent {
  return { ...permission, operations: permission.operations ?? NO_MASK };
}

const NO_MASK = "" as NonNullable<PermissionIntent["operations"]>;

function sorted(record: object): object {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
