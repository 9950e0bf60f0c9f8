import { isPlain, type NetworkProfile } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import type { PlainHttp } from "../../host/networks/plain-http.ts";
import { askModal } from "../../host/prompts/notify.ts";
import { ALLOW_HTTP, plainHttpQuestion } from "./network.view.ts";

/**
 * Asks a person before a network is asked without encryption, whoever calls. Enter allows nothing.
 *
 * @param apiKey - whether an API key is to be stored with it
 * @returns false when the person did not want it
 * @throws {ChainError} `CREDENTIALS_IN_CLEAR`
 */
export async function passPlainHttp(plainHttp: PlainHttp, network: NetworkProfile, apiKey = false): Promise<boolean> {
  if (apiKey && isPlain(new URL(network.baseUrl))) {
    throw new ChainError("CREDENTIALS_IN_CLEAR", { network: network.name, url: network.baseUrl, what: t`API key` });
  }
  const missing = plainHttp.missing(network);
  if (missing.length === 0) return true;
  const question = { ...plainHttpQuestion(network, missing), isFirstSafe: true };
  const chosen = await askModal("warning", question, t`Do Not Use It`, ALLOW_HTTP);
  if (chosen !== ALLOW_HTTP) return false;
  await plainHttp.allow(network, missing);
  return true;
}
