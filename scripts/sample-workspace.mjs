import { join } from "node:path";
import { deploy, writeDeployments } from "../samples/scripts/deploy.mjs";

/**
 * The folder that `npm start` opens.
 *
 * @param {string} root
 */
export const sampleWorkspace = (root) => join(root, "samples");

/**
 * Puts the contracts of samples/ on the chain, so that its calls have something to call. Without them everything else
 * works.
 *
 * @param {string} baseUrl
 */
export async function deploySamples(baseUrl) {
  try {
    writeDeployments(await deploy(baseUrl));
  } catch (error) {
    console.error(`The contracts of samples/ were not deployed: ${error instanceof Error ? error.message : error}`);
  }
}
