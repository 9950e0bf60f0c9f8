/** Installs TLC and Java where they are missing. @returns the path of the Java archive */
export function installTlc(): string;
