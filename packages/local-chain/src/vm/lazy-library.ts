import { createRequire } from "node:module";
import type { library } from "./ethereum-library.ts";

const require = createRequire(import.meta.url);

/** Returns the library, which the first code that runs loads: that takes 20 ms. */
export function ethereumLibrary(): typeof library {
  return (require("./ethereum-library.ts") as { readonly library: typeof library }).library;
}
