/**
 * What explains texts of the chain. A part of its own: nobody needs it before something is hovered, pasted or opened.
 */

export { explain, loadDictionary } from "@finality/client/explain";
export { joinAbiIndexes } from "@finality/tron/abi";
