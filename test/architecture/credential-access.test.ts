import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const sources = globSync("{src,packages/*/src}/**/*.ts", { cwd: root })
  .filter((file) => !file.startsWith("packages/local-chain/src/") && !file.includes("/gen/"))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

interface CredentialAccess {
  readonly action: string;
  readonly pattern: RegExp;
  readonly owners: readonly string[];
  /** Code that matches the pattern. */
  readonly example: string;
}

/** Stores only the secret that proves that this window started the local chain. */
const CHAIN_PROOF = ["src/features/local-chain/local-chain.ts"];
/** Stores only the id of the journal that guards an account. */
const GUARD = ["src/sending/account-guard.ts"];

const ACCESSES: readonly CredentialAccess[] = [
  {
    action: "attaching a token to a request",
    pattern: /\bauthorization"?\]?\s*:\s*[`"']|["'`]Bearer \$|\.authorization\s*=/i,
    // The connection test checks the form of the header that it sent.
    owners: [
      "packages/client/src/gateway/http/http-sender.ts",
      "packages/client/src/gateway/access/connection-authentication.ts",
    ],
    example: "headers.authorization = token;",
  },
  {
    action: "attaching an API key to a request",
    pattern: /\[[\w.#?]*apiKeyHeader\]/i,
    owners: ["packages/client/src/gateway/http/http-sender.ts"],
    example: "const headers = { [network.apiKeyHeader]: key };",
  },
  {
    action: "using VS Code's secret storage",
    pattern: /\bvscode\.SecretStorage\b|\bsecrets\??\.(?:get|store|delete|keys|onDidChange)\b|\bcontext\.secrets\b/,
    owners: [
      "src/host/secrets/secret-store.ts",
      "src/host/secrets/signing-keys.ts",
      // Stores a marker, not a secret.
      "src/host/secrets/storage-check.ts",
      "src/extension.ts",
      ...CHAIN_PROOF,
      ...GUARD,
    ],
    example: 'await context.secrets.get("finality.apiKey.Nile");',
  },
  {
    action: "reading a signing key",
    pattern: /\.get\(\s*["'`](?:signing|chain)Key/,
    owners: ["src/host/secrets/signing-keys.ts"],
    example: 'const key = await store.get("signingKey", address);',
  },
  {
    action: "importing the secret store",
    pattern: /from "[^"]*\/secret-store\.ts"/,
    owners: [
      "src/host/secrets/client-certificates.ts",
      "src/host/secrets/jwt-keys.ts",
      "src/host/secrets/network-credentials.ts",
      "src/host/secrets/signing-keys.ts",
      "src/extension.ts",
      ...CHAIN_PROOF,
      ...GUARD,
    ],
    example: 'import type { SecretStore } from "../../host/secret-store.ts";',
  },
  {
    action: "parsing a stored credential",
    pattern: /\b(?:parse|print)BoundSecret\b|\bbareSecret\b/,
    owners: [
      "src/host/secrets/jwt-keys.ts",
      "src/host/secrets/network-credentials.ts",
      "src/host/secrets/secret-store.ts",
    ],
    example: "const secret = parseBoundSecret(stored);",
  },
];

describe("credential access", () => {
  for (const { action, pattern, owners, example } of ACCESSES) {
    it(`H7: limits ${action} to the listed files`, () => {
      const found = sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

      assert.ok(pattern.test(example), "the pattern does not match its example");
      assert.deepEqual(
        found.filter((file) => !owners.includes(file)),
        [],
      );
      assert.ok(found.length > 0, "no file matches, so the pattern is outdated");
    });
  }
});
