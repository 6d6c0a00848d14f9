import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import pg from 'pg';
import type { ObjectStore } from './object-store.ts';
import { createObjects } from './objects-config.ts';
import { createTestObjects, type TestObjects } from './testing/test-objects.ts';

const keeper = defineSurface(defineContract('archiver', { objects: { tests: 'of this file' } }));

describe('an object store whose server is frozen in the middle of a statement', () => {
  let database: TestObjects;
  let objects: ObjectStore;
  let admin: pg.Client;
  beforeEach(async () => {
    database = await createTestObjects([keeper]);
    const databaseUrl = String(database.urlOf('archiver'));
    objects = createObjects({ kind: 'postgres', databaseUrl, maxConnections: 2, answerWithinMs: 100 });
    admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
  });
  afterEach(async () => {
    await objects.close();
    await admin.end();
    await database.drop();
  });

  /** The processes of the server that serve this store. */
  const backends = async (): Promise<number[]> =>
    (
      await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'objects'`,
      )
    ).rows.map(({ pid }) => pid);

  it('gives each call up in time, and serves the next ones on connections that answer', async () => {
    await objects.put('tests/a', Buffer.from('a'));
    await Promise.all([objects.stat('tests/a'), objects.stat('tests/a')]);
    const frozen = await backends();
    expect(frozen.length).toBeGreaterThan(0);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    try {
      const calls = frozen.map(() => objects.getBytes('tests/a'));
      const outcomes = await Promise.allSettled(calls);
      const gaveUp = {
        status: 'rejected',
        reason: expect.objectContaining({ message: 'Query read timeout' }),
      };
      expect(outcomes).toEqual(frozen.map(() => gaveUp));
      expect(await objects.getBytes('tests/a')).toEqual(Buffer.from('a'));
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    }
  });
});
