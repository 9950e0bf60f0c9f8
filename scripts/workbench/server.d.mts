/** The types of `server.mjs` for tests, which are TypeScript. */
export interface WorkbenchOptions {
  readonly dataDir: string;
  readonly port?: number;
  readonly folder?: string;
  /** Files to install extensions from. */
  readonly packages?: readonly string[];
  /** The folder of the extensions that the workbench brings, if it is another one than its own. */
  readonly builtIns?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** The language of the extension, as VS Code names it; that of the workbench itself stays English. */
  readonly language?: string;
}
export function startWorkbench(options: WorkbenchOptions): Promise<{
  readonly origin: string;
  readonly url: string;
  stop(): Promise<void>;
  /** The page that is opened next runs tests in its extension host: the folder of their extension, and their program. */
  runInNextPage(tests: { readonly extension: string; readonly program: string }): void;
}>;
