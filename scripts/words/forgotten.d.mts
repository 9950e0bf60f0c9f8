export function forgottenIn(path: string): string[];
