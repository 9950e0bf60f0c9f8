import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { paddedPem } from "../../../support/http/padded-pem.ts";
import { selfSigned } from "../../../support/http/self-signed.ts";

type TestedModule = typeof import("../../../../src/host/secrets/client-certificates.ts");
const { readIdentity } = await loadWithEditor<TestedModule>("src/host/secrets/client-certificates.ts");

describe("readIdentity", () => {
  const folder = mkdtempSync(join(tmpdir(), "finality-certificate-"));
  const { key, cert } = selfSigned("me.test");
  const encrypted = createPrivateKey(key)
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "geheim" })
    .toString();
  const write = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  after(() => rmSync(folder, { recursive: true }));

  it("reads one PEM file or two", async () => {
    assert.deepEqual(await readIdentity({ file: write("both.pem", cert + key) }), {
      cert: cert + key,
      key: cert + key,
    });
    const files = { file: write("cert.pem", cert), keyFile: write("key.pem", key) };
    assert.deepEqual(await readIdentity(files), { cert, key });
  });

  it("F8: reads UTF-16 files", async () => {
    const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
    const files = { file: write("cert16.pem", utf16(cert)), keyFile: write("key16.pem", utf16(key)) };

    assert.deepEqual(await readIdentity(files), { cert, key });
  });

  it("reports a missing or wrong passphrase", async () => {
    const files = { file: write("cert.pem", cert), keyFile: write("locked.pem", encrypted) };

    assert.deepEqual(await readIdentity({ ...files, passphrase: "geheim" }), {
      cert,
      key: encrypted,
      passphrase: "geheim",
    });
    assert.match(String(await readIdentity({ ...files, passphrase: "falsch" })), /passphrase is missing or wrong/);
    assert.match(String(await readIdentity(files)), /passphrase is missing or wrong/);
  });

  it("reports content that decrypts to valid padding, and to no key, as a wrong passphrase", async () => {
    const keyFile = write("padded.pem", paddedPem("falsch"));
    const files = { file: write("cert.pem", cert), keyFile, passphrase: "falsch" };

    assert.match(String(await readIdentity(files)), /passphrase is missing or wrong/);
  });

  it("reports the problem of an unusable file", async () => {
    const other = selfSigned("other.test");
    mkdirSync(join(folder, "folder"));
    for (const [files, problem] of [
      [{ file: join(folder, "none.pem") }, /there is no file/],
      [{ file: join(folder, "folder") }, /not a regular file/],
      [{ file: write("alone.pem", cert) }, /no private key/],
      [{ file: write("cert.pem", cert), keyFile: write("foreign.pem", other.key) }, /not that of the certificate/],
      [{ file: write("noise.p12", Buffer.alloc(300, 7)) }, /neither PEM nor PKCS#12/],
      [{ file: write("noise.p12", Buffer.alloc(300, 7)), keyFile: write("key.pem", key) }, /leave the key file out/],
      [{ file: write("large.pem", Buffer.alloc(1024 * 1024 + 1)) }, /has 1048577 bytes/],
    ] as const) {
      assert.match(String(await readIdentity(files)), problem, JSON.stringify(files));
    }
  });
});
