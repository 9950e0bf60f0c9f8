/** The types of `on-demand.mjs` for tests, which are TypeScript. */
export function installPeers(): Promise<void>;
export function installSampleProjects(): Promise<void>;
export function installCompilers(): Promise<void>;
export function installCoveragePeers(): Promise<void>;
export const coveragePackages: string;
