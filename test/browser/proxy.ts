import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { chainProof } from "../../packages/tron/src/primitives/chain-proof.ts";
import { type SeenRequest, startServer } from "../support/http/http-server.ts";

/** A server on a free port of this machine, between an extension and a chain. */
export interface ChainProxy {
  readonly url: string;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Opens a proxy that answers as it is told. No answer ends the connection without a byte.
 *
 * @param secret - of the ready line of the chain behind it: with it the proxy passes for the chain at its own address
 */
export async function openProxy(
  enter: (asked: SeenRequest, outgoing: ServerResponse) => Promise<Answer | undefined>,
  secret?: string,
): Promise<ChainProxy> {
  const server = await startServer(async (outgoing, asked) => {
    const proves = secret !== undefined && asked.path === "/local/prove";
    const answer = proves ? proofOf(secret, server.url, asked) : await enter(asked, outgoing);
    if (answer === undefined) outgoing.destroy();
    else outgoing.writeHead(answer.status, headersOf(answer)).end(answer.text);
  });
  return { url: server.url, close: async () => await server[Symbol.asyncDispose]() };
}

/** A proxy that never answers: what the journal says stays as it is. */
export function openSilentProxy(): Promise<ChainProxy> {
  return openProxy(() => Promise.withResolvers<undefined>().promise);
}

function proofOf(secret: string, url: string, { body }: SeenRequest): Answer {
  const { challenge } = JSON.parse(body) as { readonly challenge: string };
  return answerOf(JSON.stringify({ proof: chainProof(secret, url, challenge) }));
}

export function answerOf(text: string): Answer {
  return { status: 200, headers: { "content-type": "application/json" }, text };
}

/** Returns the answer of the chain to a request at a proxy; undefined without a chain. */
export async function askChain(
  chainUrl: string,
  { method, path, headers, body }: SeenRequest,
): Promise<Answer | undefined> {
  try {
    const inner = request(new URL(path, chainUrl), { method, headers }).end(body);
    const [answer] = (await once(inner, "response")) as [IncomingMessage];
    return { status: answer.statusCode ?? 502, headers: answer.headers, text: await textOf(answer) };
  } catch {
    return undefined;
  }
}

export function isBroadcast(path: string): boolean {
  return path.startsWith("/wallet/broadcast");
}

/** The text may be another one than the chain gave. */
function headersOf({ headers, text }: Answer): IncomingHttpHeaders & { readonly "content-length": string } {
  return { ...headers, "content-length": String(Buffer.byteLength(text)) };
}
