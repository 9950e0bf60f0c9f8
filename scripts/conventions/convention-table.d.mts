export interface Evidence {
  readonly file: string;
  readonly title: string;
  readonly code: string;
}

export interface Convention {
  readonly text: string;
  readonly tests?: readonly Evidence[];
  readonly decision?: string;
}

export function conventionsOf(root: string): {
  readonly faults: readonly string[];
  readonly summary: string;
  readonly table: string;
  readonly page: string;
};

export function faultsOf(root: string, convention: Convention): string[];
