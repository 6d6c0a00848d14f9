import { boundedAgent, type Received, receive } from '@tds/bounded-http';
import Stripe from 'stripe';

/** A page of a hundred events is half a mebibyte. */
const LARGEST_BODY_BYTES = 8 * 1_024 * 1_024;
/** Headers, and how a body is cut into chunks. */
const BESIDE_BODY_BYTES = 256 * 1_024;

class Answer extends Stripe.HttpClientResponse {
  readonly #body: Buffer;

  constructor({ status, headers, body }: Received) {
    super(status, headers as Record<string, string | string[]>);
    this.#body = body;
  }

  override getRawResponse(): Buffer {
    return this.#body;
  }

  override async toJSON(): Promise<unknown> {
    return JSON.parse(this.#body.toString('utf8'));
  }
}

/** What the processor's library sends by: it reads so many bytes of an answer and no more, whatever they are. */
export const createProcessorHttp = (): Stripe.HttpClient => {
  const agent = boundedAgent(LARGEST_BODY_BYTES + BESIDE_BODY_BYTES, {});
  const client = new Stripe.HttpClient();
  return Object.assign(client, {
    getClientName: () => 'bounded',
    async makeRequest(...given: Parameters<typeof client.makeRequest>) {
      const [host, port, path, method, headers, body, protocol, timeoutMs] = given;
      const signal = AbortSignal.timeout(timeoutMs);
      const origin = `${protocol}://${host}:${port}`;
      const request = { origin, path, method, headers, body: body || null };
      const bounds = { signal, capBytes: LARGEST_BODY_BYTES, meter: { bytes: 0, status: null } };
      try {
        return new Answer(await receive(agent, request as Parameters<typeof receive>[1], bounds));
      } catch (error) {
        throw signal.aborted ? Stripe.HttpClient.makeTimeoutError() : error;
      }
    },
  });
};
