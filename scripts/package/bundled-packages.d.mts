export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly source: string;
  readonly text: string;
}

export function bundledPackages(root: string): readonly BundledPackage[];
