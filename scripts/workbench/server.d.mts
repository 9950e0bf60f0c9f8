/** The types of `server.mjs` for tests, which are TypeScript. */
export interface WorkbenchOptions {
  readonly dataDir: string;
  readonly port?: number;
  readonly folder?: string;
  readonly extensionPaths?: readonly string[];
  readonly testsPath?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Lets tests drive the workbench, which then draws no notification. */
  readonly testDriver?: boolean;
  /** Opens the folder in Restricted Mode; a setting has to turn trust on. */
  readonly restricted?: boolean;
}
export function startWorkbench(options: WorkbenchOptions): Promise<{
  readonly origin: string;
  readonly url: string;
  stop(): Promise<void>;
}>;
