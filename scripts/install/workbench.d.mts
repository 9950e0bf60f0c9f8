/** The server of the workbench, as code-server brings it. */
export const workbenchServer: string;
export function installWorkbench(): Promise<void>;
