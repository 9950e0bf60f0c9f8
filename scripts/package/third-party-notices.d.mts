import type { BundledPackage } from "./bundled-packages.d.mts";

export function thirdPartyNotices(packages: readonly BundledPackage[]): string;
