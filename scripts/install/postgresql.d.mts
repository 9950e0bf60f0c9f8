/** Returns the folder of the programs of PostgreSQL, which is installed if it is missing. */
export function installPostgresql(): string;
