import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ensureNats, ensurePostgres, withClient } from '@tds/servers';
import { findDiskImageProblem, mountDiskImage, unmountBelow } from '#support';
import { askBroker, lastSequenceOf } from '../load/line-clients.ts';
import { losePower } from './disks.ts';

const why = await findDiskImageProblem();
const WRITES = 400;

let dir: string;
let stop: (() => Promise<void>) | undefined;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tds-power-'));
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  await unmountBelow(dir);
  await rm(dir, { recursive: true, force: true });
});

/** The number of acknowledged rows that are left after the cut. */
const rowsThatSurvive = async (settings: Record<string, string>): Promise<number> => {
  const disk = await mountDiskImage(path.join(dir, 'postgres'), 1_024);
  const postgres = await ensurePostgres({ dir: path.join(dir, 'postgres'), settings });
  stop = () => postgres.stop();
  await withClient(postgres.url, async (client) => {
    await client.query('CREATE TABLE acknowledged (n int)');
    await client.query('CHECKPOINT');
    for (let n = 0; n < WRITES; n += 1) await client.query('INSERT INTO acknowledged VALUES ($1)', [n]);
  });
  await losePower(postgres, disk);
  await postgres.restart();
  return withClient(postgres.url, async (client) => {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM acknowledged');
    return rows[0]?.count ?? 0;
  });
};

(why === null ? describe : describe.skip)(`a power cut${why === null ? '' : ` (${why})`}`, () => {
  it('takes nothing from a Postgres that waits for its log', async () => {
    expect(await rowsThatSurvive({ synchronous_commit: 'on' })).toBe(WRITES);
  });

  it('would be noticed: a Postgres that does not wait loses what it acknowledged', async () => {
    const settings = { synchronous_commit: 'off', wal_writer_delay: '10s' };
    expect(await rowsThatSurvive(settings)).toBeLessThan(WRITES);
  });

  it('takes from a broker of ordinary settings what it acknowledged', async () => {
    const disk = await mountDiskImage(path.join(dir, 'nats', 'streams'), 256);
    const nats = await ensureNats({ dir: path.join(dir, 'nats') });
    stop = () => nats.stop();
    const stream = { name: 'EVENTS', subjects: ['evt.>'], storage: 'file' };
    await askBroker(nats, '$JS.API.STREAM.CREATE.EVENTS', JSON.stringify(stream));
    for (let n = 0; n < WRITES; n += 1) await askBroker(nats, 'evt.one', `{"n":${n}}`);
    expect(await lastSequenceOf(nats, 'EVENTS')).toBe(WRITES);
    await losePower(nats, disk);
    await nats.restart();
    expect(await lastSequenceOf(nats, 'EVENTS')).toBeLessThan(WRITES);
  });
});
