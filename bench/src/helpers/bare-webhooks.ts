import { createHmac, randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import { serveHelper } from '../support/helper.ts';

/** The peer of deliveries: a loop that signs and posts, and stores nothing. */

export type Posted = {
  readonly origin: string;
  readonly count: number;
  readonly receivers: number;
  readonly atOnce: number;
};

const agent = new Agent({ pipelining: 1 });
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

const post = async (origin: string, path: string, body: string): Promise<void> => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    'content-type': 'application/json',
    'x-service-delivery': randomUUID(),
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')}`,
  };
  const answer = await agent.request({ origin, path, method: 'POST', headers, body });
  await answer.body.dump();
};

/** Milliseconds for all of them. */
const postAll = async ({ origin, count, receivers, atOnce }: Posted): Promise<number> => {
  const body = JSON.stringify({ id: randomUUID(), type: 'webhook.test', data: {} });
  const startedAt = performance.now();
  let next = 0;
  const work = async () => {
    for (; next < count; ) {
      next += 1;
      await post(origin, `/hooks/${next % receivers}`, body);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return performance.now() - startedAt;
};

serveHelper({ postAll });
