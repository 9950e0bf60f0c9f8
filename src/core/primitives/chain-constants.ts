/** Blocks come every 3 s on every known chain (protocol reference §6); ms. */
export const BLOCK_INTERVAL_MS = 3_000;

/**
 * Energy that the creator of a contract pays for a call at most, where no other limit was set (`origin_energy_limit`).
 */
export const USUAL_OWNER_ENERGY_LIMIT = 10_000_000n;
