import { Pool } from "undici";

/** One request, and a text that its answer holds when it went well. */
export interface Step {
  readonly path: string;
  readonly body: string;
  readonly success: string;
}

/** Requests in the order in which one sender sends them: the next one goes when the one before is answered. */
export type Sender = readonly Step[];

/**
 * Sends what each sender has side by side over connections that stay open.
 *
 * @returns how long it took, in ms
 * @throws {Error} an answer without the text of success
 */
export async function sendSideBySide(url: string, senders: readonly Sender[]): Promise<number> {
  const pool = new Pool(url, { connections: senders.length });
  const headers = { "content-type": "application/json" };
  const started = performance.now();
  try {
    await Promise.all(
      senders.map(async (sender) => {
        for (const { path, body, success } of sender) {
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
