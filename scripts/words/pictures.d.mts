export function spokenPictures(root: string, language: string): Record<string, string>;
