import { createHmac, randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import { type DriveResult, drive } from '../support/drive.ts';
import { serveHelper } from '../support/helper.ts';

/** The peer of deliveries: a loop that signs and posts, and stores nothing. */

export type PostOptions = {
  readonly origin: string;
  readonly count: number;
  readonly receivers: number;
  readonly concurrency: number;
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

serveHelper({
  postAll: ({ origin, count, receivers, concurrency }: PostOptions): Promise<DriveResult> => {
    const body = JSON.stringify({ id: randomUUID(), type: 'webhook.test', data: {} });
    return drive({ clients: concurrency, count }, (n) => post(origin, `/hooks/${n % receivers}`, body));
  },
});
