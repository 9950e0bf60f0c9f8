import type { BundledPackage } from "./bundled-packages.d.mts";

export function billOfMaterials(
  manifest: { readonly name: string; readonly version: string; readonly license: string },
  packages: readonly BundledPackage[],
): string;
