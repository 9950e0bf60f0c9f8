/** The extension together with the mark that its buttons, lenses and pages put on their arguments. */
export { activate } from "../../../src/extension.ts";
export { ownClick } from "../../../src/host/caller.ts";
