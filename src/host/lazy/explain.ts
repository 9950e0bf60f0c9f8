/**
 * What explains texts of the chain. A part of its own: nobody needs it before something is hovered, pasted or opened.
 */
export { joinAbiIndexes } from "../../core/abi/abi-index.ts";
export { loadDictionary } from "../../core/explain/dictionary.ts";
export { explain } from "../../core/explain/explain.ts";
