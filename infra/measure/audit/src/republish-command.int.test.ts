import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/migrations';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import { republishCommand } from './republish-command.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('messaging');
});
afterAll(() => database?.drop());

const system = {
  services: ['identity'],
  on: <T>(_service: string, use: Parameters<typeof withClient<T>>[1]) => withClient(database.adminUrl, use),
};

describe('the events of a service', () => {
  it('is published again from a moment on, and nothing that is older or has not left yet', async () => {
    await withClient(database.adminUrl, (client) =>
      client.query(
        `INSERT INTO messaging.outbox (id, subject, payload, created_at, published_at)
         SELECT messaging.id_at(at), 'evt.identity.key-created.v1', '{}', at, sent
         FROM (VALUES (timestamptz '2026-11-19T23:00Z', now()), ('2026-11-20T01:00Z', now()), ('2026-11-20T02:00Z', NULL))
           AS given (at, sent)`,
      ),
    );
    expect(await republishCommand(system, 'identity', '2026-11-20')).toContain('1 events of identity');
    expect(await republishCommand(system, 'identity', '2026-11-20T00:00+02:00')).toContain('1 events');
  });

  it.each([
    ['unknown', '2026-11-20', 'There is no service unknown'],
    ['identity', 'yesterday', 'yesterday is no moment'],
    ['identity', '2026-11-20T08:00', 'is no moment'],
    ['identity', '2026-13-01', 'is no moment'],
  ])('publishes nothing for %s since %s', async (service, since, sentence) => {
    await expect(republishCommand(system, service, since)).rejects.toThrow(sentence);
  });
});
