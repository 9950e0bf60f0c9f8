// The codes of Finality itself, each with its sentence: what a command or the API rejects with.

import { readFileSync } from "node:fs";
import { ChainError, isErrorCode } from "../../packages/tron/src/errors/chain-error.ts";

/** Details whose sentence is another one by what they are: the commonest of each. */
const DETAILS = {
  TRANSACTION_DIFFERS: { differences: [{ path: "{differences}" }] },
  GATEWAY_SILENT: { boundTo: undefined },
  GATEWAY_UNAUTHORIZED: { boundTo: undefined },
  GATEWAY_RATE_LIMITED: { retryAfterMs: undefined },
  JWT_SETTING_MISSING: { setting: "audience" },
  CHAIN_CHANGED: { before: chainId("{before}"), now: chainId("{now}") },
  CHAINS_DIFFER: { chain: chainId("{chain}"), other: chainId("{other}") },
  JOURNAL_UNWRITABLE: { step: undefined },
  EQUAL_TRANSACTION_ALIVE: { state: "pending", untold: undefined },
  OUTSIDE_SIGNATURE_MISSING: { possibleUntil: undefined },
  PROPOSAL_REFUSED: { why: "changed" },
  WORKSPACE_NOT_TRUSTED: { what: "signed" },
};

/** A chain is shown by the digits after its height. */
function chainId(/** @type {string} */ shown) {
  return shown.padStart(16 + shown.length, "0");
}

/** The table of the sentences, which has a row for each code. */
const TABLE = readFileSync(new URL("../../packages/tron/src/errors/chain-error.ts", import.meta.url), "utf8");
const codes = [...new Set(TABLE.match(/(?<=^ {2})[A-Z_]+(?=:)/gm))].filter(isErrorCode).sort();

/** @returns {string} the section of the page */
export function ownCodes() {
  const rows = codes.map((code) => `| \`${code}\` | ${cell(sentenceOf(code))} |`);
  return [
    "## Codes of Finality itself",
    "",
    "A command or a function of the [API](api.md) that cannot do what it was asked rejects with an `Error`: its `code` is one of these, and none is ever renamed. Its `message` is the sentence, in",
    "the language of the editor; what stands in braces here is a field of its `details`.",
    "",
    "| code | what it says |",
    "| --- | --- |",
    ...rows,
  ].join("\n");
}

/** @param {import("../../packages/tron/src/errors/chain-error.ts").ErrorCode} code */
function sentenceOf(code) {
  const known = /** @type {Readonly<Record<string, object>>} */ (DETAILS)[code] ?? {};
  const details = new Proxy(known, {
    get: (own, name) => (name in own ? Reflect.get(own, name) : `{${String(name)}}`),
  });
  return new ChainError(code, /** @type {any} */ (details)).message;
}

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
