import { afterEach, describe, expect, it } from '@jest/globals';
import { type Reply, terminal } from './test-support/terminal.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
const given = (replies: Readonly<Record<string, Reply>> = {}) => {
  const made = terminal(replies);
  open.push(made);
  return made;
};

describe('a list at a terminal', () => {
  const job = {
    ...{ id: 'job-1', status: 'completed', name: 'A', omitted: 0, counts: { cached: 1, fetched: 1, total: 2 } },
    ...{ credits: { charged: 1 }, created_at: '2026-01-15T12:00:30.000Z' },
  };
  const jobs = (rows: readonly object[], total = rows.length) => ({
    'GET /v1/jobs': { body: { ok: true, jobs: rows, total, next: null } },
  });

  it('has heads and times of this machine; a program gets it bare', async () => {
    const { type } = given(jobs([job]));
    const { out } = await type('jobs list', { isTTY: true });
    expect(out).toMatch(/^Job +State +Delivered +Credits +Begun +Name\njob-1 .* 2026-01-1\d \d\d:\d\d +A\n$/);
    expect((await type('jobs list')).out).toBe(
      'job-1  completed  2/2  1 charged  2026-01-15T12:00:30.000Z  A\n',
    );
  });

  it('says in words that there is none, and how much more there is', async () => {
    expect((await given(jobs([])).type('jobs list', { isTTY: true })).out).toBe('There is none.\n');
    expect((await given(jobs([])).type('jobs list')).out).toBe('\n');
    expect((await given(jobs([job], 9)).type('jobs list')).err).toBe('Shown: 1 of 9. --limit shows more.\n');
  });

  it('says that a job lacks entries of its source', async () => {
    const replies = { 'GET /v1/jobs/job-1': { body: { ok: true, job: { ...job, omitted: 2 } } } };
    expect((await given(replies).type('jobs get job-1')).err).toContain('2 entries of the source');
  });

  it('is there of connected apps, of all matches and of the use of a person', async () => {
    const app = { id: 'c', app: { name: 'App', host: 'a.example' }, scopes: ['read'], last_used_at: null };
    const match = {
      query: 'quay',
      video: { video_id: 'a', title: 'A' },
      passages: [{ url: 'u', text: 'The quay.' }],
    };
    const { type, sent } = given({
      'GET /v1/connections': { body: { ok: true, connections: [app] } },
      'GET /v1/matches': { body: { ok: true, matches: [match], total: 1, next: null } },
      'GET /v1/usage': { body: new Response('date\n') },
    });
    expect((await type('connections')).out).toBe('c  App  a.example  read  -\n');
    expect((await type('monitors matches')).out).toBe('A  quay\nu  The quay.\n');
    await type('usage --person p --csv');
    expect(sent.at(-1)?.query).toContain('person_id=p');
  });
});
