/** A request to the HTTP port: the fields of undici that the client uses. */
export interface PortQuestion {
  readonly origin?: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body: string;
  readonly headersTimeout: number;
  readonly signal: AbortSignal | null;
}

export interface PortAnswer {
  readonly statusCode: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: AsyncIterable<Uint8Array>;
}

export interface HttpPort {
  request(question: PortQuestion): Promise<PortAnswer>;
}
