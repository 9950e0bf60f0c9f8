import { isChainError } from "@finality/tron/errors";

/**
 * What the first way tells; where the gateway does not serve its path, what the other way tells.
 *
 * @throws what the way throws that is asked last
 */
export async function orElse<T>(way: () => Promise<T>, other: () => Promise<T>): Promise<T> {
  try {
    return await way();
  } catch (error) {
    if (!isChainError(error) || error.code !== "PATH_NOT_SERVED") throw error;
    return await other();
  }
}
