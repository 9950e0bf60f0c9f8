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
}
export function startWorkbench(options: WorkbenchOptions): Promise<{
  readonly origin: string;
  readonly url: string;
  stop(): Promise<void>;
}>;
