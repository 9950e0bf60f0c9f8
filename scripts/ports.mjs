import { createServer } from "node:net";

/**
 * The preferred port if nobody listens there, else any free one.
 *
 * @param {number} preferred
 * @returns {Promise<number>}
 */
export async function freePort(preferred) {
  return (await tryPort(preferred)) ?? (await tryPort(0)) ?? 0;
}

/**
 * @param {number} port
 * @returns {Promise<number | undefined>}
 */
function tryPort(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
