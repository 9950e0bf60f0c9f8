/** Exit code of the program if its folder holds a chain that it cannot continue (`EX_DATAERR`). */
export const STORED_CHAIN_EXIT_CODE = 65;

/** The stored chain cannot be continued: its files are damaged, or a program with other rules wrote them. */
export class StoredChainError extends Error {
  override readonly name = "StoredChainError";
}

/** Runs work on the files of a stored chain. Failures other than those of the disk become a `StoredChainError`. */
export function readingStoredChain<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || "code" in error) throw error;
    throw new StoredChainError(error.message, { cause: error });
  }
}
