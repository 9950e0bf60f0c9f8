/**
 * Which chain each network is, and what is kept for a chain. A part of its own: nobody needs it before somebody looks
 * or sends.
 */

export { PinFile } from "../journal/pin-file.ts";
export { Chains } from "./chains.ts";
