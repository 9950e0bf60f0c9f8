import type { HttpResponse } from "../../../packages/local-chain/src/http/message.ts";
import { handleRequest as answerPlain } from "../../../packages/local-chain/src/request-handler.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";

/** The chain's answer to a request, for `fetch`. */
type WebAnswer =
  | { readonly kind: "answer" | "cut"; readonly response: Response }
  | { readonly kind: "drop" | "reset" | "hang" };

/** Asks a chain without sockets. @param path - as it is sent, without a query: a `URL` would tidy it */
export async function answer(request: Request, path: string, simulation: Simulation): Promise<WebAnswer> {
  const { method, headers } = request;
  const input = await answerPlain(
    {
      method,
      headers: Object.fromEntries(headers),
      target: `${path}${new URL(request.url).search}`,
      body: Buffer.from(await request.arrayBuffer()),
    },
    simulation,
  );
  return input.kind === "answer" || input.kind === "cut"
    ? { kind: input.kind, response: toWeb(input.response) }
    : { kind: input.kind };
}

function toWeb({ status, headers, body }: HttpResponse): Response {
  return new Response(body === "" ? null : body, { status, headers });
}
