import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/migrations';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import { deadLetterCommand, type OnDatabase } from './dead-letter-commands.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('messaging');
});
afterAll(() => database?.drop());

const on: OnDatabase = (_service, use) => withClient(database.adminUrl, use);
const run = (words: string) => deadLetterCommand({ services: ['identity'], on }, words.split(' '));
const rows = async (sql: string) => on('identity', async (open) => (await open.query(sql)).rows);

let id: string;
beforeEach(async () => {
  await rows('TRUNCATE messaging.dead_letters, messaging.tasks');
  await rows(`
    WITH dead AS (
      INSERT INTO messaging.tasks (name, payload, state, attempts) VALUES ('send-mail', '{"to": 7}', 'dead', 4)
      RETURNING id, name, payload
    )
    INSERT INTO messaging.dead_letters (kind, source, message_id, payload, headers, reason, attempts)
    SELECT 'task', name, id, payload, '{}', 'the mail server is gone', 4 FROM dead`);
  [{ id }] = (await rows('SELECT id::text AS id FROM messaging.dead_letters')) as [{ id: string }];
});

describe('what was given up', () => {
  it('is listed with its service and reason, and shown with its payload', async () => {
    expect(await run('list')).toMatch(new RegExp(`^identity/${id} .* task send-mail, 4 attempts: the mail`));
    expect(await run(`show identity/${id}`)).toContain('"to": 7');
  });

  it('is tried again with all its attempts, once', async () => {
    expect(await run(`replay identity/${id}`)).toBe(`identity/${id} is tried again.`);
    expect(await rows('SELECT state, attempts FROM messaging.tasks')).toEqual([
      { state: 'ready', attempts: 0 },
    ]);
    expect(await run('list')).toBe('Nothing was given up.');
    await expect(run(`replay identity/${id}`)).rejects.toThrow('no open dead letter');
  });

  it('can be deleted: then its work is never done', async () => {
    expect(await run(`purge identity/${id}`)).toBe(`identity/${id} is forgotten.`);
    expect(await rows('SELECT state FROM messaging.tasks')).toEqual([{ state: 'dead' }]);
    expect(await run('list')).toBe('Nothing was given up.');
  });

  it.each([
    ['', 'Usage'],
    ['replay', 'Usage'],
    ['forget identity/1', 'Usage'],
    ['show unknown/1', 'There is no service unknown'],
    ['show identity/4711', 'no open dead letter 4711'],
  ])('says what is wrong with "%s"', async (words, sentence) => {
    await expect(run(words)).rejects.toThrow(sentence);
  });
});
