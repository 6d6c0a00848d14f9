import { afterEach, describe, expect, it } from '@jest/globals';
import { type Reply, terminal } from './test-support/terminal.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
const given = (replies: Readonly<Record<string, Reply>>) => {
  const made = terminal(replies);
  open.push(made);
  return made;
};
const receiver = {
  ...{ id: 'r', name: 'Newsroom', form: 'slack', enabled: false, disabled_reason: 'gone' },
  ...{ url: 'hooks.slack.com/...wxyz', events: ['job.completed'] },
};

describe('receivers', () => {
  it('create prints the secret alone, to be kept, and takes known forms and events only', async () => {
    const body = { ok: true, receiver, receiver_secret: 'whsec_x' };
    const { type, sent } = given({ 'POST /v1/receivers': { body, status: 201 } });
    const { out, code } = await type(
      'receivers create https://a/hook --name Newsroom --events job.completed credits.low',
    );
    expect([code, out]).toEqual([0, 'whsec_x\n']);
    expect(sent[0]?.body).toEqual({
      ...{ url: 'https://a/hook', name: 'Newsroom', form: 'signed' },
      events: ['job.completed', 'credits.low'],
    });
    for (const wrong of ['--form mail', '--events webhook.test'])
      expect((await type(`receivers create https://a/hook --name Newsroom ${wrong}`)).code).toBe(2);
  });

  it('update sends what is named, and prints a new secret alone', async () => {
    const changed = { ok: true, receiver };
    const { type, sent } = given({
      'GET /v1/receivers/r': { body: changed },
      'PATCH /v1/receivers/r': { body: changed },
    });
    for (const line of ['get r', 'update r --name Newsroom --named-only', 'update r --no-named-only'])
      expect((await type(`receivers ${line}`)).out).toContain('disabled: gone');
    const rotated = given({ 'PATCH /v1/receivers/r': { body: { ...changed, receiver_secret: 'whsec_y' } } });
    expect((await rotated.type('receivers update r --rotate-secret')).out).toBe('whsec_y\n');
    expect([...sent, ...rotated.sent].map(({ body }) => body)).toEqual([
      null,
      { name: 'Newsroom', named_only: true },
      { named_only: false },
      { rotate_secret: true },
    ]);
    expect((await type('receivers update r --events webhook.test')).code).toBe(2);
  });

  it('are listed with why they are disabled, tested, replayed and deleted', async () => {
    const { type, sent } = given({
      'GET /v1/receivers': { body: { ok: true, receivers: [receiver] } },
      'POST /v1/receivers/r/test': { body: { ok: true, delivery: { id: 'd' } } },
      'POST /v1/receivers/r/replay': { body: { ok: true, replayed: 3, is_complete: false } },
      'DELETE /v1/receivers/r': { body: { ok: true, deleted: true } },
    });
    const { out } = await type('receivers list');
    for (const part of ['Newsroom', 'slack', 'disabled: gone', receiver.url]) expect(out).toContain(part);
    expect((await type('receivers test r')).out).toBe('d is on its way\n');
    expect((await type('receivers replay r --since 2026-01-15T12:00:00Z')).out).toBe(
      '3 are sent again; there are more\n',
    );
    expect((await type('receivers replay r --since soon')).code).toBe(2);
    expect((await type('receivers delete r')).code).toBe(0);
    expect(sent.map(({ request }) => request)).toEqual([
      'GET /v1/receivers',
      'POST /v1/receivers/r/test',
      'POST /v1/receivers/r/replay',
      'DELETE /v1/receivers/r',
    ]);
  });
});
