import { request } from 'node:http';

export type SentEvent = {
  readonly headers?: Record<string, string | string[]>;
  readonly body?: Buffer | string;
  readonly chunked?: boolean;
};

/** A signature of now; which one it is, the fake of billing does not look at. */
export const signedAt = (ms = Date.now()) => `t=${Math.floor(ms / 1_000)},v1=00`;

export const sendEvent = (
  url: string,
  { headers = {}, body = '{"id":"evt_1"}', chunked = false }: SentEvent,
): Promise<{ status: number; code: string }> => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; code: string }>();
  const bytes = Buffer.from(body as string);
  const clientRequest = request(
    `${url}/v1/billing/payment`,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signedAt(),
        ...(chunked ? {} : { 'content-length': String(bytes.length) }),
        ...headers,
      },
    },
    async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve({
        status: answer.statusCode ?? 0,
        code: JSON.parse(Buffer.concat(chunks).toString()).code ?? 'ok',
      });
    },
  );
  clientRequest.on('error', reject);
  if (chunked) clientRequest.flushHeaders();
  clientRequest.end(bytes);
  return promise;
};
