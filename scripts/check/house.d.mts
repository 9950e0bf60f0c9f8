/** The types of `house.mjs` for tests, which are TypeScript. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly where?: readonly string[];
}
export declare function measureHouse(root: string): readonly Figure[];
