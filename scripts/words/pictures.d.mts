export function unusedInPictures(root: string, language: string): string[];
export function spokenPictures(root: string, language: string): Record<string, string>;
