/**
 * The codes of a broadcast answer with their numbers (protocol reference §7.3). `BANDWITH_ERROR` is spelled so by the
 * node.
 */
export const BROADCAST_CODES = {
  SUCCESS: 0,
  SIGERROR: 1,
  CONTRACT_VALIDATE_ERROR: 2,
  CONTRACT_EXE_ERROR: 3,
  BANDWITH_ERROR: 4,
  DUP_TRANSACTION_ERROR: 5,
  TAPOS_ERROR: 6,
  TOO_BIG_TRANSACTION_ERROR: 7,
  TRANSACTION_EXPIRATION_ERROR: 8,
  SERVER_BUSY: 9,
  NO_CONNECTION: 10,
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 11,
  BLOCK_UNSOLIDIFIED: 12,
  OTHER_ERROR: 20,
} as const;

export type BroadcastCode = keyof typeof BROADCAST_CODES;

/** Returns true if the code is in the closed list. Any other text proves nothing. */
export function isBroadcastCode(code: string): code is BroadcastCode {
  return Object.hasOwn(BROADCAST_CODES, code);
}
