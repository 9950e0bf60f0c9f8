// Where the local chain is, and who lives on it.

import { TronWeb } from "tronweb";

/** Where `npm start` has its chain. Another one: `npm run deploy -- http://127.0.0.1:PORT`. */
export const DEFAULT_URL = "http://127.0.0.1:9471";

const NAMES = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"];

/**
 * The accounts of a local chain by the names that Finality gives them, each with a client that signs for it.
 *
 * @param {string} baseUrl
 * @returns {Promise<Record<string, { address: string, tronWeb: TronWeb }>>}
 */
export async function people(baseUrl) {
  const { accounts } = await control(baseUrl, "status");
  return Object.fromEntries(
    accounts.slice(0, NAMES.length).map(({ address, privateKey }, index) => [
      NAMES[index],
      { address, tronWeb: new TronWeb({ fullHost: baseUrl, privateKey, disablePlugins: true }) },
    ]),
  );
}

/**
 * Makes blocks at once, so that nobody has to wait: the last one is deep enough to make the first one final.
 *
 * @param {string} baseUrl
 */
export const mine = (baseUrl) => control(baseUrl, "mine", { blocks: 6 });

/** The local chain has a door for this, which no other chain has: docs/local-chain.md. */
async function control(baseUrl, path, body) {
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${baseUrl}/local/${path}`, request).catch((cause) => {
    throw new Error(`No local chain answers at ${baseUrl}. Start one with "Finality: Start Local Chain", or name its address.`, { cause });
  });
  if (!answer.ok) throw new Error(`${baseUrl} is no local chain of Finality: it answered ${answer.status}.`);
  return answer.json();
}

/**
 * What became of a transaction, a moment after it was sent.
 *
 * @param {string} baseUrl
 * @param {TronWeb} tronWeb
 * @param {string} txId
 */
export async function receiptOf(baseUrl, tronWeb, txId) {
  await mine(baseUrl);
  return tronWeb.trx.getTransactionInfo(txId);
}
