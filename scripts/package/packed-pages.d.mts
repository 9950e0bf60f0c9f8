export function packedPage(file: string, text: string, packed: ReadonlySet<string>): string;
