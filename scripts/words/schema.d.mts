export function spokenSchema(root: string, language: string): { file: string; text: string; faults: string[] };
