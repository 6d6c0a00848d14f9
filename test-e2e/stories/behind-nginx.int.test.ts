import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';
import { ensureNginx } from '@tds/servers/testing';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
let customer: Customer;
let dir: string;
/** No other test reads the next ones. */
let lastVideo = 5_000;
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'tds-nginx-'));
  system = await shareTestSystem();
  customer = await signUp(system);
});
afterAll(async () => {
  await system?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** nginx as it is without any setting, and as docs/operations.md has it, without TLS. */
const asIs = (port: number): string =>
  `server { listen 127.0.0.1:${port}; location / { proxy_pass ${system.gateway}; } }`;
const asDocumented = (port: number): string => {
  const text = readFileSync(path.join(workspaceRoot, 'docs/operations.md'), 'utf8');
  const [, block = ''] = /```nginx\n([\s\S]*?)```/.exec(text) ?? [];
  return block
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replace('http://127.0.0.1:8080', system.gateway);
};

const beginJob = async (videoIds: readonly string[]): Promise<string> => {
  const begun = await postJson(`${system.gateway}/v1/jobs`, { video_ids: videoIds }, bearer(customer.key));
  expect(begun.status).toBe(202);
  return begun.json<{ job: { id: string } }>().job.id;
};

describe.each([
  ['with its defaults', asIs],
  ['as operations.md configures it', asDocumented],
])('behind nginx %s', (name, serverAt) => {
  let proxy: Awaited<ReturnType<typeof ensureNginx>>;
  beforeAll(async () => {
    proxy = await ensureNginx({ dir: path.join(dir, name.replaceAll(/\W/g, '-')), serverAt });
  });
  afterAll(() => proxy?.stop());

  it('the events of a job arrive one by one, while it runs', async () => {
    const release = system.simulator.hold();
    const id = await beginJob([fileVideo(++lastVideo)]);
    const headers = bearer(customer.key);
    const response = await fetch(`${proxy.url}/v1/jobs/${id}/events`, { headers });
    expect(response.headers.get('cache-control')).toContain('no-transform');
    const events = response.body?.pipeThrough(new TextDecoderStream()) as ReadableStream<string>;
    let seen = '';
    for await (const chunk of events) {
      // Only a reader who has the first event before the stream ends can cancel, and see that in the same stream.
      if (seen === '')
        expect((await call(`${system.gateway}/v1/jobs/${id}/cancel`, { method: 'POST', headers })).status).toBe(
          200,
        );
      seen += chunk;
      if (seen.includes('"status":"cancelled"')) break;
    }
    release();
    expect(seen).toContain('"status":"cancelled"');
  });

  it('a transcript is the same, byte for byte and header for header', async () => {
    const of = async (origin: string) => {
      const target = `${origin}/v1/transcript?video_id=manualEn001&format=srt&raw=1`;
      const { status, headers, text } = await call(target, { headers: bearer(customer.key) });
      const named = ['content-type', 'content-disposition', 'x-cache', 'x-credits-charged', 'cache-control'];
      return [status, text, ...named.map((one) => headers.get(one))];
    };
    await of(system.gateway);
    expect(await of(proxy.url)).toEqual(await of(system.gateway));
  });

  it('an archive goes on where a download broke off', async () => {
    const id = await beginJob([fileVideo(++lastVideo)]);
    await eventually(async () => {
      const { job } = (await customer.get(`/v1/jobs/${id}`)).json<{ job: { status: string } }>();
      expect(job.status).toBe('completed');
    });
    const read = async (more: Record<string, string> = {}) => {
      const headers = { ...bearer(customer.key), ...more };
      const answer = await fetch(`${proxy.url}/v1/jobs/${id}/archive`, { headers });
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const whole = await read();
    const rest = await read({ range: 'bytes=100-' });
    expect([whole.status, rest.status]).toEqual([200, 206]);
    expect(rest.bytes.equals(whole.bytes.subarray(100))).toBe(true);
  });

  it('a limit says when to come again', async () => {
    const busy = await signUp(system);
    const ask = () => call(`${proxy.url}/v1/account`, { headers: bearer(busy.key) });
    let answer = await ask();
    for (let asked = 0; asked < 1_000 && answer.status === 200; asked += 1) answer = await ask();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBe(answer.json<{ retry_after: number }>().retry_after);
  });

  it('a text of nearly four mebibytes is read if its limit of bodies allows it, and refused by nginx if not', async () => {
    const text = `manualEn001\\n${'\\u4e2d'.repeat(690_000)}`;
    const target = `${proxy.url}/v1/videos/resolve`;
    const { status, text: body } = await postJson(target, `{"text":"${text}"}`, bearer(customer.key));
    if (serverAt === asIs) return expect(status).toBe(413);
    expect([status, body]).toEqual([200, expect.stringContaining('manualEn001')]);
  });

  it('browsers learn to speak HTTPS only, if it says so', async () => {
    const { headers } = await call(`${proxy.url}/v1/status`);
    expect(headers.has('strict-transport-security')).toBe(serverAt === asDocumented);
  });
});
