export function buildCliIfStale(root: string): Promise<string>;
