import { Pool } from "undici";

/** One request, and a text that its answer holds when it went well. */
export interface Step {
  readonly path: string;
  readonly body: string;
  readonly success: string;
}

/** Requests in the order in which one sender sends them: the next one goes when the one before is answered. */
export type Lane = readonly Step[];

/**
 * Sends all lanes side by side over connections that stay open.
 *
 * @returns how long it took, in ms
 * @throws {Error} an answer without the text of success
 */
export async function sendLanes(url: string, lanes: readonly Lane[]): Promise<number> {
  const pool = new Pool(url, { connections: lanes.length });
  const headers = { "content-type": "application/json" };
  const started = performance.now();
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        for (const { path, body, success } of lane) {
          const answer = await (await pool.request({ path, method: "POST", headers, body })).body.text();
          if (!answer.includes(success)) throw new Error(`${url} answered ${answer}`);
        }
      }),
    );
    return performance.now() - started;
  } finally {
    await pool.close();
  }
}
