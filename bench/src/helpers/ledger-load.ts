import { randomUUID } from 'node:crypto';
import { headers, type NatsConnection } from '@nats-io/nats-core';
import { creditsLedger, newId } from '@tds/contracts';
import { connectOperator } from '../support/connect-operator.ts';
import { serveHelper } from '../support/helper.ts';
import { percentile } from '../support/statistics.ts';

export type PairsOptions = {
  readonly nats: string;
  /** Of the operator's user. */
  readonly seed: string;
  readonly clients: number;
  readonly seconds: number;
  readonly accountIds: readonly string[];
};

export type PairsResult = {
  readonly pairs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly cpuMicros: number;
};

const TIMEOUT_MS = 5_000;
const MS = 1_000;

const ask = async (connection: NatsConnection, subject: string, request: object): Promise<string> => {
  const sent = headers();
  sent.set('X-Request-Id', randomUUID());
  sent.set('X-Deadline-Ms', String(TIMEOUT_MS));
  const reply = await connection.request(subject, JSON.stringify(request), {
    timeout: TIMEOUT_MS,
    headers: sent,
  });
  const code = reply.headers?.get('Nats-Service-Error-Code');
  if (code) return `error ${reply.string()}`;
  const { held, charged } = reply.json() as { held: number[]; charged?: number[] };
  return charged?.length === 1 ? 'charged' : held.length === 1 ? 'held' : 'none';
};

/** Each client reserves one credit, settles it, and goes on with the next account. */
const pairs = async (options: PairsOptions): Promise<PairsResult> => {
  const { nats, seed, clients, seconds, accountIds } = options;
  // One, as a service has for all that it asks.
  const connection = await connectOperator(nats, seed);
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  let turn = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endAt = startedAt + seconds * MS;
  const onePair = async (): Promise<void> => {
    const accountId = accountIds[turn % accountIds.length] ?? '';
    turn += 1;
    const ref = newId();
    const price = { unit: 1, parts: [1], coverage: 'all' };
    const held = { accountId, ref, ...price, keyId: null, requestId: ref, reason: 'transcript' };
    const reserved = await ask(connection, creditsLedger.reserveParts.subject, held);
    const settled =
      reserved === 'held'
        ? await ask(connection, creditsLedger.resolveParts.subject, { ref, charge: [1], giveBack: [] })
        : reserved;
    if (settled !== 'charged') failures[settled] = (failures[settled] ?? 0) + 1;
  };
  const drive = async (): Promise<void> => {
    for (let at = startedAt; at < endAt; ) {
      await onePair();
      const now = performance.now();
      latencies.push(now - at);
      at = now;
    }
  };
  await Promise.all(Array.from({ length: clients }, drive));
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  await connection.close();
  return {
    pairs: latencies.length,
    perSecond: (latencies.length / elapsedMs) * MS,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    failures,
    cpuMicros: user + system,
  };
};

serveHelper({ pairs });
