import { type AbiIndex, createKnownIndex } from "@finality/tron/abi";

let loaded: Promise<AbiIndex> | undefined;

/**
 * The names of selectors that ship with the extension (signatures of OpenZeppelin's contracts and of Solady). Loaded
 * when it is first asked for; put it behind the workspace's own names: `joinAbiIndexes(workspace, await
 * loadDictionary())`.
 */
export function loadDictionary(): Promise<AbiIndex> {
  loaded ??= import("@finality/tron/known-signatures").then(createKnownIndex);
  return loaded;
}
