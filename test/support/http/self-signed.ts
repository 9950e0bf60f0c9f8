import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A key and its self-signed certificate. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** When a certificate counts, and who is said to vouch for it, where that is to be unusual. */
export interface CertificateChange {
  /** As in the certificate: `YYMMDDhhmmssZ`. */
  readonly from?: string;
  readonly until?: string;
  readonly issuer?: string;
}

/** Makes a certificate for a name (X.509 v3, ECDSA with SHA-256), valid from 2020 to 2049. */
export function selfSigned(host: string, change: CertificateChange = {}): SelfSigned {
  const { from = "200101000000Z", until = "491231235959Z", issuer = host } = change;
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(OF_SIGNATURE);
  const nameOf = (text: string) => sequence(der(SET, sequence(COMMON_NAME, der(UTF8, Buffer.from(text)))));
  const names = sequence(ALTERNATIVE_NAMES, der(OCTETS, sequence(der(DNS_NAME, Buffer.from(host)))));
  const toSign = sequence(
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer),
    sequence(der(TIME, Buffer.from(from)), der(TIME, Buffer.from(until))),
    nameOf(host),
    publicKey.export({ type: "spki", format: "der" }),
    der(EXTENSIONS, sequence(names)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", toSign, privateKey)]);
  const certificate = sequence(toSign, algorithm, der(BITS, signature));
  const lines = certificate.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

// Tags of DER (X.690).
const [INTEGER, BITS, OCTETS, UTF8, TIME, SEQUENCE, SET] = [0x02, 0x03, 0x04, 0x0c, 0x17, 0x30, 0x31];
const [VERSION, DNS_NAME, EXTENSIONS] = [0xa0, 0x82, 0xa3];
/** 1.2.840.10045.4.3.2, ecdsa-with-SHA256. */
const OF_SIGNATURE = Buffer.from("06082a8648ce3d040302", "hex");
/** 2.5.4.3. */
const COMMON_NAME = Buffer.from("0603550403", "hex");
/** 2.5.29.17. */
const ALTERNATIVE_NAMES = Buffer.from("0603551d11", "hex");

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(SEQUENCE, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
