import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { keepPorts } from './gateway-port.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'tds-ports-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('simulators, mailbox and receiver have the ports of last time, and another one only if that is taken', async () => {
  const said: string[] = [];
  const first = await keepPorts(dir, (line) => said.push(line));
  expect(new Set(Object.values(first)).size).toBe(5);
  expect(await keepPorts(dir, (line) => said.push(line))).toEqual(first);
  expect(said).toEqual([]);
  const other = createServer().listen(first.webhooks, '127.0.0.1');
  await once(other, 'listening');
  const { webhooks, ...rest } = await keepPorts(dir, (line) => said.push(line));
  other.close();
  expect(first).toMatchObject(rest);
  expect(webhooks).not.toBe(first.webhooks);
  expect(said).toEqual([
    expect.stringMatching(`webhooks: another program has port ${first.webhooks}, .* ${webhooks}`),
  ]);
  expect((await keepPorts(dir)).webhooks).toBe(webhooks);
});
