const codes = (text: string, write: (code: number) => string): string =>
  [...text].map((character) => write(character.codePointAt(0) ?? 0)).join("");
const hex = (code: number): string => code.toString(16).padStart(2, "0");

/** Ways in which a gateway may repeat a credential that was sent to it. */
export const CREDENTIAL_FORMS: { readonly [form: string]: (secret: string) => string } = {
  "as it is": (secret) => secret,
  "in upper case": (secret) => secret.toUpperCase(),
  "in lower case": (secret) => secret.toLowerCase(),
  "after its header": (secret) => `Bearer ${secret}`,
  "encoded for a URL": (secret) => encodeURIComponent(secret.normalize().replace(/[^\x20-\x7e]/g, "")) || secret,
  "in JSON": (secret) => JSON.stringify(secret).slice(1, -1),
  "in JSON inside of JSON": (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  "in JSON by numbers": (secret) => codes(secret, (code) => `\\u00${hex(code)}`),
  "with slashes escaped": (secret) => JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
  "in HTML by numbers": (secret) => codes(secret, (code) => `&#${code};`),
  "in HTML by hex": (secret) => codes(secret, (code) => `&#x${hex(code).toUpperCase()};`),
  "in HTML": (secret) => secret.replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
  "as hex": (secret) => Buffer.from(secret).toString("hex"),
  "as hex in upper case": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  "in base64": (secret) => Buffer.from(secret).toString("base64"),
  "in base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  "in base64 behind one byte": (secret) => Buffer.from(`:${secret}:`).toString("base64"),
  "in base64 behind two bytes": (secret) => Buffer.from(`::${secret}`).toString("base64"),
  folded: (secret) => `${secret.slice(0, 9)}\r\n ${secret.slice(9)}`,
  "folded in JSON": (secret) => `${secret.slice(0, 9)}\\r\\n\\t${secret.slice(9)}`,
};
