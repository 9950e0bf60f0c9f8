import assert from "node:assert/strict";
import { workspace as fakeWorkspace } from "../fakes/fake-editor.ts";

/** Replaces `vscode` for pages with reports: it adds documents whose text a provider has. */
export * from "../fakes/fake-editor.ts";

interface FakeUri {
  readonly path: string;
}

interface Provider {
  provideTextDocumentContent(uri: FakeUri): string;
}

let provider: Provider | undefined;

/** The editor of a test. */
export const reportEditor = {
  /** Text of a document, of the provider that was registered last. */
  textOf: (path: string): string => (provider ?? assert.fail("no provider")).provideTextDocumentContent({ path }),
};

export const workspace = {
  ...fakeWorkspace,
  registerTextDocumentContentProvider: (_scheme: string, it: Provider) => {
    provider = it;
    return { dispose: () => undefined };
  },
};

export const Uri = { from: (it: FakeUri): FakeUri => it };
export const Disposable = { from: () => ({ dispose: () => undefined }) };
export const extensions = { getExtension: () => undefined };
export const commands = { executeCommand: async () => undefined };
