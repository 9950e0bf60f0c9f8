import { Pool } from "undici";

/** Requests in the order in which one sender sends them: the next one goes when the one before is answered. */
export type Lane = readonly string[];

/**
 * Sends all lanes side by side over connections that stay open.
 *
 * @returns how long it took, in ms
 * @throws {Error} an answer that is no success
 */
export async function sendLanes(
  url: string,
  path: string,
  lanes: readonly Lane[],
  isSuccess: (answer: string) => boolean,
): Promise<number> {
  const pool = new Pool(url, { connections: lanes.length });
  const headers = { "content-type": "application/json" };
  const started = performance.now();
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        for (const body of lane) {
          const answer = await (await pool.request({ path, method: "POST", headers, body })).body.text();
          if (!isSuccess(answer)) throw new Error(`${url} answered ${answer}`);
        }
      }),
    );
    return performance.now() - started;
  } finally {
    await pool.close();
  }
}
