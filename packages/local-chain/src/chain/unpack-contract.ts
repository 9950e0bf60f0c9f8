import type { Contract } from "@finality/tron/schema";
import { contractTypeByNumber, type DecodedContract, decodeContract, typeName } from "@finality/tron/transaction";

/** A transaction of the shielded pool, which no chain of today lets in. */
export const SHIELDED = "ShieldedTransferContract";

/**
 * A contract as the node unpacks it: what it cannot read stays as it came, without a message, and has no owner. That is
 * a type without a message, a `type_url` that names another one, and bytes that do not fit (TransactionCapsule.getOwner).
 */
export function unpackContract(entry: Contract): DecodedContract {
  const type = contractTypeByNumber(entry.type);
  const unread = { entry, type, message: undefined };
  if (type === undefined || nameIn(entry.parameter?.typeUrl ?? "") !== typeName(type)) return unread;
  try {
    return decodeContract(entry);
  } catch {
    return unread;
  }
}

/** What follows the last slash; without a slash there is no name. */
function nameIn(typeUrl: string): string | undefined {
  return typeUrl.includes("/") ? typeUrl.slice(typeUrl.lastIndexOf("/") + 1) : undefined;
}
