import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { benchContract, FILLING, machineMs } from '../support/bench-contract.ts';
import { connectOperator } from '../support/connect-operator.ts';
import { serveHelper } from '../support/helper.ts';
import { pace } from '../support/pace.ts';

/** The peer of the outbox: the same message straight to the stream, acknowledged, without any database. */

const connection = await connectOperator(process.env.NATS_URL ?? '', process.env.OPERATOR_NKEY_SEED ?? '');
const stream = jetstream(connection);

/** Returns when each publish began, by the machine's clock. */
const publish = async (how: { count: number; perSecond: number }): Promise<Float64Array> => {
  const publishedAt = new Float64Array(how.count);
  await pace(how, async (n) => {
    const body = JSON.stringify({ n, filling: FILLING });
    publishedAt[n] = machineMs();
    await stream.publish(benchContract.benchHappened.subject, body, { msgID: randomUUID() });
  });
  return publishedAt;
};

serveHelper({ publish });
