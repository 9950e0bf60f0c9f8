import { createCipheriv, createHash } from "node:crypto";

/**
 * Returns an encrypted PEM whose password decrypts it to valid padding, and to no key: about one wrong password in 250
 * does that with any encrypted key.
 */
export function paddedPem(password: string): string {
  const iv = Buffer.alloc(16, 7);
  const key = createHash("md5").update(password).update(iv.subarray(0, 8)).digest();
  const cipher = createCipheriv("aes-128-cbc", key, iv);
  const content = Buffer.concat([cipher.update(Buffer.alloc(600, 1)), cipher.final()]).toString("base64");
  const headers = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${iv.toString("hex").toUpperCase()}`;
  const lines = content.match(/.{1,64}/g) ?? [];
  return ["-----BEGIN RSA PRIVATE KEY-----", headers, "", ...lines, "-----END RSA PRIVATE KEY-----", ""].join("\n");
}
