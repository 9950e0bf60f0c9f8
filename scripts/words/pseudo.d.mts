export function pseudo(text: string): string;
