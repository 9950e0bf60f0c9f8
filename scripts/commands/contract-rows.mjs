// What a contract itself says when it refuses a call, as rows of the page of errors: the words are those of the product,
// for data that stand for all of their kind.

import { falseReturn, innerRejection } from "../../packages/client/src/explain/call-answers.ts";
import {
  errorTexts,
  explainPanic,
  explainReason,
  explainRevertData,
} from "../../packages/client/src/explain/messages/failures.ts";

/** The panics that Solidity has. */
const PANICS = [0x00n, 0x01n, 0x11n, 0x12n, 0x21n, 0x22n, 0x31n, 0x32n, 0x41n, 0x51n];
const UNKNOWN = "deadbeef";

/** @returns {readonly import("./error-page.mjs").Row[]} */
export function contractRows() {
  const panics = PANICS.map((code) => ({ ...explainPanic(code), texts: [panicText(code)] }));
  return [
    { ...explainReason("{text}", {}), texts: ["0x08c379a0…", "Error(string)"] },
    ...panics,
    { ...errorTexts("{name}({values})", "{name}"), texts: ["0x{selector}…, which an artifact or a dictionary names"] },
    { ...unknownError(), texts: ["0x{selector}…"] },
    { ...explainRevertData(new Uint8Array(), {}), texts: ["no data"] },
    { ...explainRevertData(new Uint8Array(2), {}), texts: ["fewer than 4 bytes"] },
    { ...falseReturn, texts: ["false, of a token"] },
    { ...innerRejection, texts: ["rejected: true, of an inner call"] },
  ];
}

/** @param {bigint} code */
const panicText = (code) => `Panic(0x${code.toString(16).padStart(2, "0")})`;

function unknownError() {
  const { title, cause, fix } = explainRevertData(Buffer.from(`${UNKNOWN}${"00".repeat(32)}`, "hex"), {});
  const ofAll = (/** @type {string} */ words) => words.replaceAll(UNKNOWN, "{selector}").replace("1 word ", "words ");
  return { title: ofAll(title), cause: ofAll(cause), fix: ofAll(fix) };
}
