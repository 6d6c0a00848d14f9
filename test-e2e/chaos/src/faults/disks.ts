import { readFileSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { storedServiceNames } from '@tds/local';
import { eventStreamName } from '@tds/messaging/internals';
import type { DiskImage } from '#support';
import { sleep } from '#support';
import { type Harness, scratchOf } from '../harness.ts';
import { brokerOf, lastSequenceOf } from '../load/line-clients.ts';
import type { Blow, Fault } from './fault.ts';

const onDisk = ['postgres', 'nats'] as const;
type OnDisk = (typeof onDisk)[number];
type Aim = { readonly target: string; readonly holdMs: number };

/** A server on a disk that can be hurt; where there are none, why. */
const aimAt = (harness: Harness, target: string) => {
  const { servers, disks } = scratchOf(harness);
  return typeof disks === 'string'
    ? disks
    : { server: servers[target as OnDisk], disk: disks[target as OnDisk] };
};

/** Stopped first, the parent has no more children than are read. */
const freezeFamily = (pid: number): number[] => {
  process.kill(pid, 'SIGSTOP');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const family = [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
  for (const each of family) process.kill(each, 'SIGSTOP');
  return family;
};

const signalFamily = (family: readonly number[], signal: 'SIGKILL' | 'SIGCONT'): void => {
  for (const each of family) process.kill(each, signal);
};

type Server = { readonly pid: number; stop(): Promise<void> };

const fallBack = async (server: Server, family: readonly number[], disk: DiskImage): Promise<void> => {
  // Stop it first, or its keeper would start it on the disk that is about to go.
  const gone = server.stop();
  signalFamily(family, 'SIGKILL');
  await gone;
  await disk.fallBack();
};

/** Everything that the server wrote and that has not reached its disk is gone. */
export const losePower = async (server: Server, disk: DiskImage): Promise<void> => {
  const family = freezeFamily(server.pid);
  await disk.remember();
  await fallBack(server, family, disk);
};

const ACKNOWLEDGED = 'SELECT coalesce(max(stream_seq), 0)::int AS seq FROM messaging.outbox';

/** By service: the number of the newest event that its stream has acknowledged. */
const acknowledgedByBroker = ({ evidence }: Harness): Promise<(readonly [service: string, seq: number])[]> =>
  Promise.all(
    storedServiceNames.map(async (service) => {
      const [newest] = await evidence.rows<{ seq: number }>(service, ACKNOWLEDGED);
      return [service, newest?.seq ?? 0] as const;
    }),
  );

const cutPower = async (harness: Harness, { target }: Aim): Promise<Blow> => {
  const aim = aimAt(harness, target);
  if (typeof aim === 'string') return { impossible: aim };
  await losePower(aim.server, aim.disk);
  if (target !== 'nats') {
    await aim.server.restart();
    return { struckAt: harness.history.now() };
  }
  const acknowledged = await acknowledgedByBroker(harness);
  await aim.server.restart();
  const struckAt = harness.history.now();
  // A lower bound of the loss: services may have published again by now.
  for (const [service, seq] of acknowledged) {
    const kept = await lastSequenceOf(brokerOf(harness.system.servers), eventStreamName(service));
    harness.lostByBroker += Math.max(0, seq - kept);
  }
  return { struckAt };
};

/** Postgres then recovers to the end of its log and begins a new timeline, as a standby that is promoted. */
const promote = async (dataDir: string): Promise<void> => {
  await appendFile(path.join(dataDir, 'postgresql.auto.conf'), "restore_command = 'false'\n");
  await writeFile(path.join(dataDir, 'recovery.signal'), '');
};

/** The standby is as far behind as the fault lasts: what was committed meanwhile is gone. */
const failOver = async (harness: Harness, { target, holdMs }: Aim): Promise<Blow> => {
  const aim = aimAt(harness, target);
  if (typeof aim === 'string') return { impossible: aim };
  const { server, disk } = aim;
  const from = harness.history.now();
  const family = freezeFamily(server.pid);
  await disk.remember();
  signalFamily(family, 'SIGCONT');
  await sleep(holdMs);
  const at = harness.history.now();
  for (const service of storedServiceNames) harness.restores.set(service, [at]);
  await fallBack(server, freezeFamily(server.pid), disk);
  await promote(path.join(harness.system.dir, 'postgres', 'data'));
  await server.restart();
  const until = harness.history.now();
  harness.lost = { from, until };
  return { struckAt: until };
};

const WRITE_A_LOT = `SELECT pg_logical_emit_message(false, 'faults', repeat('x', 1000000)) FROM generate_series(1, 8)`;
const ENOUGH_TO_FILL = 32;

/** Uses up the files that Postgres has in reserve for its log. Resolves to whether it ran into the end of the disk. */
const fillDatabase = async ({ evidence }: Harness): Promise<boolean> => {
  for (let turn = 0; turn < ENOUGH_TO_FILL; turn += 1) {
    const isWritten = await evidence.rows('credits-ledger', WRITE_A_LOT).then(
      () => true,
      () => false,
    );
    if (!isWritten) return true;
  }
  return false;
};

const STUCK = `
  SELECT count(*)::int AS count FROM messaging.outbox
  WHERE published_at IS NULL AND created_at < now() - interval '2 seconds'`;

/** Whether the broker refuses requests, or has frozen. */
const isBrokerFull = async ({ evidence }: Harness): Promise<boolean> => {
  const found = storedServiceNames.map((service) => evidence.rows<{ count: number }>(service, STUCK));
  return (await Promise.all(found)).flat().some(({ count }) => count > 0);
};

const fillDisk = async (harness: Harness, { target, holdMs }: Aim): Promise<Blow> => {
  const aim = aimAt(harness, target);
  if (typeof aim === 'string') return { impossible: aim };
  await aim.disk.fill();
  const filling =
    target === 'postgres' ? fillDatabase(harness) : sleep(holdMs).then(() => isBrokerFull(harness));
  await sleep(holdMs);
  const happened = await filling;
  await aim.disk.free();
  if (target === 'nats') {
    // It may stay frozen. Then its liveness probe kills it.
    await aim.server.stop('SIGKILL');
    await aim.server.restart();
  }
  return { happened };
};

const atOnce = { kills: 0, holdMs: 0, quickHoldMs: 0 } as const;
const ofDisks = { ...atOnce, ofProcesses: true, cachedReads: true, needs: 'everything' } as const;

export const diskFaults: readonly Fault[] = [
  {
    ...{ ...ofDisks, id: 'R9', name: 'cut-power-of-broker', kills: 1, targets: ['nats'], run: cutPower },
    does: 'the broker loses what it has not synced',
  },
  {
    ...{ ...ofDisks, id: 'R10', name: 'cut-power-of-database', kills: 1, targets: ['postgres'] },
    ...{ does: 'Postgres loses what it has not synced', run: cutPower },
  },
  {
    ...{ ...ofDisks, id: 'R30', name: 'fail-over', holdMs: 1_000, targets: ['postgres'], run: failOver },
    does: 'a standby of Postgres takes over that lacks the last second',
    // By hand only: what follows is held against other promises.
    hits: 0,
  },
  {
    ...{ ...ofDisks, id: 'R14', name: 'fill-disk', holdMs: 8_000, targets: onDisk, hits: 2, run: fillDisk },
    does: 'no space is left on the disk of a server',
  },
];
