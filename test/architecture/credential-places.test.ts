import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const sources = globSync("{src,packages/*/src}/**/*.ts", { cwd: root })
  .filter((file) => !file.startsWith("packages/local-chain/src/") && !file.includes("/gen/"))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

interface Place {
  readonly what: string;
  readonly pattern: RegExp;
  readonly owners: readonly string[];
  /** Code that is refused in all other files. */
  readonly breach: string;
}

/** Keeps the secret by which a local chain proves that this window started it, and nothing else. */
const CHAIN_PROOF = ["src/features/local-chain/local-chain.ts"];
/** Keeps beside the keys which journal guards an account, and nothing else. */
const GUARD = ["src/sending/account-guard.ts"];

const DOORS: readonly Place[] = [
  {
    what: "attaches a token to a request",
    pattern: /\bauthorization"?\]?\s*:\s*[`"']|["'`]Bearer \$|\.authorization\s*=/i,
    // The test of a connection shows the header that it sent to the check of its form.
    owners: [
      "packages/client/src/gateway/http/http-sender.ts",
      "packages/client/src/gateway/access/connection-authentication.ts",
    ],
    breach: "headers.authorization = token;",
  },
  {
    what: "attaches an API key to a request",
    pattern: /\[[\w.#?]*apiKeyHeader\]/i,
    owners: ["packages/client/src/gateway/http/http-sender.ts"],
    breach: "const headers = { [network.apiKeyHeader]: key };",
  },
  {
    what: "touches the secret storage of the editor",
    pattern: /\bvscode\.SecretStorage\b|\bsecrets\??\.(?:get|store|delete|keys|onDidChange)\b|\bcontext\.secrets\b/,
    owners: [
      "src/host/secrets/secret-store.ts",
      "src/host/secrets/signing-keys.ts",
      // It stores a marker, which is no secret.
      "src/host/secrets/storage-check.ts",
      "src/extension.ts",
      ...CHAIN_PROOF,
      ...GUARD,
    ],
    breach: 'await context.secrets.get("finality.apiKey.Nile");',
  },
  {
    what: "reads a signing key",
    pattern: /\.get\(\s*["'`](?:signing|chain)Key/,
    owners: ["src/host/secrets/signing-keys.ts"],
    breach: 'const key = await store.get("signingKey", address);',
  },
  {
    what: "holds the store of secrets",
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
    breach: 'import type { SecretStore } from "../../host/secret-store.ts";',
  },
  {
    what: "reads how a credential is stored",
    pattern: /\b(?:parse|print)BoundSecret\b|\bbareSecret\b/,
    owners: [
      "src/host/secrets/jwt-keys.ts",
      "src/host/secrets/network-credentials.ts",
      "src/host/secrets/secret-store.ts",
    ],
    breach: "const secret = parseBoundSecret(stored);",
  },
];

describe("the doors to credentials", () => {
  for (const { what, pattern, owners, breach } of DOORS) {
    it(`H7: one place ${what}`, () => {
      const found = sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

      assert.ok(pattern.test(breach), "the rule does not see its own breach");
      assert.deepEqual(
        found.filter((file) => !owners.includes(file)),
        [],
      );
      assert.ok(found.length > 0, "nobody does it, so the rule looks for the wrong thing");
    });
  }
});
