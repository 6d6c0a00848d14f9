import { randomUUID } from 'node:crypto';
import { createInbox, headers, type NatsConnection } from '@nats-io/nats-core';
import { creditsLedger, newId } from '@tds/contracts';
import { hasHeartbeat, inboxOf, OPERATOR } from '@tds/messaging/internals';
import { connectOperator } from '../support/bench-service.ts';
import { type DriveResult, drive } from '../support/drive.ts';
import { serveHelper } from '../support/helper.ts';

export type PairsOptions = {
  readonly clients: number;
  readonly seconds: number;
  readonly accountIds: readonly string[];
};
/** `failures` counts pairs that were not settled, by answer. */
export type PairsResult = DriveResult & { readonly failures: Readonly<Record<string, number>> };

const TIMEOUT_MS = 5_000;

const ask = async (connection: NatsConnection, subject: string, request: object): Promise<string> => {
  const requestHeaders = headers();
  requestHeaders.set('X-Request-Id', randomUUID());
  requestHeaders.set('X-Deadline-Ms', String(TIMEOUT_MS));
  const inbox = createInbox(inboxOf(OPERATOR));
  const replies = connection.subscribe(inbox, { timeout: TIMEOUT_MS });
  connection.publish(subject, JSON.stringify(request), { headers: requestHeaders, reply: inbox });
  for await (const reply of replies) {
    if (hasHeartbeat(reply.headers)) continue;
    replies.unsubscribe();
    if (reply.headers?.get('Nats-Service-Error-Code')) return `error ${reply.string()}`;
    const { held, charged } = reply.json() as { held: number[]; charged?: number[] };
    return charged?.length === 1 ? 'charged' : held.length === 1 ? 'held' : 'none';
  }
  return 'no answer';
};

// One, as a service has for all its requests.
const connection = await connectOperator(process.env.NATS_URL ?? '', process.env.OPERATOR_NKEY_SEED ?? '');

serveHelper({
  /** Each client reserves one credit, settles it, and goes on with the next account. */
  pairs: async ({ clients, seconds, accountIds }: PairsOptions): Promise<PairsResult> => {
    const failures: Record<string, number> = {};
    const driven = await drive({ clients, seconds }, async (n) => {
      const [accountId, ref] = [accountIds[n % accountIds.length] ?? '', newId()];
      const price = { unit: 1, items: [1], coverage: 'all' };
      const reservation = { accountId, ref, ...price, keyId: null, requestId: ref, reason: 'transcript' };
      let outcome = await ask(connection, creditsLedger.reserveItems.subject, reservation);
      if (outcome === 'held')
        outcome = await ask(connection, creditsLedger.resolveItems.subject, {
          ref,
          charge: [1],
          release: [],
        });
      if (outcome !== 'charged') failures[outcome] = (failures[outcome] ?? 0) + 1;
    });
    return { ...driven, failures };
  },
});
