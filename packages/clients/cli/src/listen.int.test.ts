import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Io } from './context.ts';
import { run } from './run.ts';

const SECRET = 'whsec_test';
const body = JSON.stringify({
  id: 'event-1',
  type: 'job.completed',
  created_at: '2026-01-15T12:00:00.000Z',
  data: {},
});
const signed = (secret: string) => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-service-timestamp': timestamp, 'x-service-signature': `v1=${mac}` };
};

describe('transcripts webhooks listen', () => {
  it('prints verified events, refuses others, and ends with Ctrl-C', async () => {
    const interrupted = new AbortController();
    const out: string[] = [];
    const url = Promise.withResolvers<string>();
    const io: Io = {
      stdin: (async function* () {})(),
      stdout: { write: (text) => out.push(text) },
      stderr: {
        write: (text) => {
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
          if (found) url.resolve(found);
        },
      },
      env: { TRANSCRIPTS_WEBHOOK_SECRET: SECRET },
      signal: interrupted.signal,
    };
    const ended = run(['webhooks', 'listen', '--port', '0'], io);
    const post = async (headers: Record<string, string>) =>
      (await fetch(await url.promise, { method: 'POST', body, headers })).status;
    expect(await post(signed(SECRET))).toBe(204);
    expect(await post(signed('whsec_other'))).toBe(400);
    expect(out.join('')).toBe('2026-01-15T12:00:00.000Z job.completed event-1\n');
    interrupted.abort();
    expect(await ended).toBe(0);
  });

  it('starts only with a secret', async () => {
    const silent = { write: () => {} };
    const stdin = (async function* () {})();
    const { signal } = new AbortController();
    expect(await run(['webhooks', 'listen'], { stdin, stdout: silent, stderr: silent, env: {}, signal })).toBe(
      2,
    );
  });
});
