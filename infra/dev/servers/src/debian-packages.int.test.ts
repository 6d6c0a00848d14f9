import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unpackRedis } from './debian-packages.ts';

const isDebian = existsSync('/usr/bin/apt-get');

/** An address without a listener. */
const deadAddress = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}`;
};

let folder: string;
const before = process.env.http_proxy;
const path0 = process.env.PATH;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tds-servers-'));
});
afterEach(() => {
  if (before === undefined) delete process.env.http_proxy;
  else process.env.http_proxy = before;
  process.env.PATH = path0;
  rmSync(folder, { recursive: true, force: true });
});

describe('servers from Debian', () => {
  (isDebian ? it : it.skip)(
    'say in a sentence that the archive cannot be reached, and leave nothing',
    async () => {
      process.env.http_proxy = await deadAddress();
      const unpacking = unpackRedis(path.join(folder, 'servers'));
      await expect(unpacking).rejects.toThrow(
        /^the package archive http\S+ could not be reached .*connected\?$/,
      );
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  (isDebian ? it : it.skip)('are given up at once when the start is', async () => {
    const unpacking = unpackRedis(path.join(folder, 'servers'), AbortSignal.abort());
    await expect(unpacking).rejects.toThrow('abort');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are not requested if there are no such packages', async () => {
    process.env.PATH = folder;
    await expect(unpackRedis(path.join(folder, 'servers'))).rejects.toThrow("no packages of Debian's kind");
  });
});
