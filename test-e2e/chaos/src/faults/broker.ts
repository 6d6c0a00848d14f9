import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { sleep } from '@tds/e2e-support';
import { storedServiceNames } from '@tds/local';
import type { Harness } from '../harness.ts';
import { brokerOf, publishRaw, type RawMessage } from '../load/line-clients.ts';
import type { Blow, Fault } from './fault.ts';

const olderCopyOf = ({ system }: Harness): string => path.join(system.dir, 'nats-older');

const freeze = async ({ system }: Harness, { holdMs }: { holdMs: number }): Promise<Blow> => {
  await system.servers.nats.signal('SIGSTOP');
  await sleep(holdMs);
  await system.servers.nats.signal('SIGCONT');
  return {};
};

/** Its keeper starts it again at once. */
const kill = async ({ system, history }: Harness): Promise<Blow> => {
  const struckAt = history.now();
  await system.servers.nats.signal('SIGKILL');
  return { struckAt };
};

const replaceStore = async (harness: Harness, older: string | null): Promise<Blow> => {
  const { nats } = harness.system.servers;
  await nats.stop('SIGKILL');
  await rm(harness.system.streams, { recursive: true, force: true });
  if (older !== null) await cp(older, harness.system.streams, { recursive: true });
  await nats.restart();
  return { struckAt: harness.history.now() };
};

/** The copy is what a crash at that moment would have left. */
const rollBack = async (harness: Harness, { holdMs }: { holdMs: number }): Promise<Blow> => {
  const { nats } = harness.system.servers;
  const older = olderCopyOf(harness);
  await nats.signal('SIGSTOP');
  await cp(harness.system.streams, older, { recursive: true });
  await nats.signal('SIGCONT');
  await sleep(holdMs);
  const blow = await replaceStore(harness, older);
  await rm(older, { recursive: true, force: true });
  return blow;
};

const RECENT_EVENTS = `
  SELECT id, subject, payload::text AS payload FROM messaging.outbox
  WHERE published_at IS NOT NULL ORDER BY id DESC LIMIT 150`;
const TIMES = 3;

/** Three times each and shuffled, under their own ids but past the stream's own recognition of duplicates. */
const deliverAgain = async ({ system, evidence, random }: Harness): Promise<Blow> => {
  const messages: RawMessage[] = [];
  for (const service of storedServiceNames)
    messages.push(...(await evidence.rows<RawMessage>(service, RECENT_EVENTS)));
  const all = Array.from({ length: TIMES }, () => messages).flat();
  await publishRaw(brokerOf(system.servers), random.shuffled(all));
  return { happened: messages.length > 0 };
};

const ofBroker = { cachedReads: true, needs: 'everything', targets: ['nats'] } as const;

export const createBrokerFaults = (): readonly Fault[] => [
  {
    id: 'R5',
    name: 'freeze-broker',
    does: 'SIGSTOP of the broker',
    kills: 0,
    holdMs: 30_000,
    quickHoldMs: 3_000,
    ...ofBroker,
    run: freeze,
  },
  {
    id: 'R6',
    name: 'kill-broker',
    does: 'kill -9 of the broker, started again',
    kills: 1,
    holdMs: 0,
    quickHoldMs: 1,
    ...ofBroker,
    run: kill,
  },
  {
    id: 'R7',
    name: 'wipe-broker',
    does: 'kill -9 of the broker, its store deleted',
    kills: 1,
    holdMs: 0,
    quickHoldMs: 1,
    ...ofBroker,
    run: (harness) => replaceStore(harness, null),
  },
  {
    id: 'R8',
    name: 'roll-back-broker',
    does: 'kill -9 of the broker, its store replaced by an older copy',
    kills: 1,
    holdMs: 15_000,
    quickHoldMs: 2_000,
    ...ofBroker,
    run: rollBack,
  },
  {
    id: 'R26',
    name: 'deliver-again',
    does: 'recent events published three times more, shuffled',
    kills: 0,
    holdMs: 0,
    quickHoldMs: 1,
    ...ofBroker,
    run: deliverAgain,
  },
];
