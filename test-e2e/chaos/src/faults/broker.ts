import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { storedServiceNames } from '@tds/local';
import { type HurtBroker, sleep } from '#support';
import type { Harness } from '../harness.ts';
import { brokerOf, publishRaw, type RawMessage } from '../load/line-clients.ts';
import type { Blow, Fault } from './fault.ts';

type Blown = { readonly target: string; readonly holdMs: number };

const brokerNamed = ({ system }: Harness, { target }: Blown): HurtBroker => {
  const found = system.brokers.find(({ name }) => name === target);
  if (!found) throw new Error(`there is no broker ${target}`);
  return found;
};

const freeze = async (harness: Harness, blown: Blown): Promise<Blow> => {
  const broker = brokerNamed(harness, blown);
  await broker.signal('SIGSTOP');
  await sleep(blown.holdMs);
  await broker.signal('SIGCONT');
  return {};
};

/** Its keeper starts it again at once. */
const kill = async (harness: Harness, blown: Blown): Promise<Blow> => {
  const struckAt = harness.history.now();
  await brokerNamed(harness, blown).signal('SIGKILL');
  return { struckAt };
};

const replaceStore = async (harness: Harness, broker: HurtBroker, older: string | null): Promise<Blow> => {
  await broker.stop('SIGKILL');
  await rm(broker.streams, { recursive: true, force: true });
  if (older !== null) await cp(older, broker.streams, { recursive: true });
  await broker.restart();
  return { struckAt: harness.history.now() };
};

/** The copy is what a crash at that moment would have left. */
const rollBack = async (harness: Harness, blown: Blown): Promise<Blow> => {
  const broker = brokerNamed(harness, blown);
  const older = path.join(harness.system.dir, 'nats-older');
  await broker.signal('SIGSTOP');
  await cp(broker.streams, older, { recursive: true });
  await broker.signal('SIGCONT');
  await sleep(blown.holdMs);
  const blow = await replaceStore(harness, broker, older);
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

const ofBroker = { cachedReads: true, needs: 'everything' } as const;

const faults: readonly Omit<Fault, 'targets' | keyof typeof ofBroker>[] = [
  {
    ...{ id: 'R5', name: 'freeze-broker', kills: 0, holdMs: 30_000, quickHoldMs: 3_000 },
    does: 'SIGSTOP of the broker',
    run: freeze,
  },
  {
    ...{ id: 'R6', name: 'kill-broker', kills: 1, holdMs: 0, quickHoldMs: 1 },
    does: 'kill -9 of the broker, started again',
    run: kill,
  },
  {
    ...{ id: 'R7', name: 'wipe-broker', kills: 1, holdMs: 0, quickHoldMs: 1 },
    does: 'kill -9 of the broker, its store deleted',
    run: (harness, blown) => replaceStore(harness, brokerNamed(harness, blown), null),
  },
  {
    ...{ id: 'R8', name: 'roll-back-broker', kills: 1, holdMs: 15_000, quickHoldMs: 2_000 },
    does: 'kill -9 of the broker, its store replaced by an older copy',
    run: rollBack,
  },
  {
    ...{ id: 'R26', name: 'deliver-again', kills: 0, holdMs: 0, quickHoldMs: 1 },
    does: 'recent events published three times more, shuffled',
    run: deliverAgain,
  },
];

/** Of one broker, or of any one of three. */
export const createBrokerFaults = (targets: readonly string[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, ...ofBroker, targets }));
