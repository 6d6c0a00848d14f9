import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { ensureNats, type RunningNats } from './nats.ts';
import { temporaryDir } from './test-support/temporary-dir.ts';

const streamNames = async (servers: string): Promise<string[]> => {
  const connection = await connect({ servers });
  const manager = await jetstreamManager(connection);
  const names: string[] = [];
  for await (const { config } of manager.streams.list()) names.push(config.name);
  await connection.close();
  return names;
};

describe('ensureNats', () => {
  let folder: ReturnType<typeof temporaryDir>;
  let server: RunningNats | undefined;
  beforeEach(() => {
    folder = temporaryDir();
  });
  afterEach(async () => {
    await server?.stop();
    folder.remove();
  });

  it('keeps its streams through a kill and a second start', async () => {
    server = await ensureNats({ dir: folder.dir });
    const connection = await connect({ servers: server.servers });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'facts', subjects: ['facts.>'] });
    await connection.close();

    await server.stop('SIGKILL');
    server = await ensureNats({ dir: folder.dir });
    expect(await streamNames(server.servers)).toEqual(['facts']);
  });

  it('is found on the same port after a restart', async () => {
    server = await ensureNats({ dir: folder.dir });
    const { servers } = server;
    await server.restart();
    expect(server.servers).toBe(servers);
    expect(await streamNames(servers)).toEqual([]);
  });

  it('drops a client that no longer answers, so that no request is sent to a lost host for minutes', async () => {
    server = await ensureNats({ dir: folder.dir });
    const lost = createConnection(Number(server.servers.split(':')[1]), '127.0.0.1');
    const said = text(lost);
    lost.write('CONNECT {"verbose":false}\r\nSUB work workers 1\r\n');
    expect(await said).toContain('Stale Connection');

    const connection = await connect({ servers: server.servers });
    const answer = connection.request('work', '', { timeout: 1_000 });
    await expect(answer).rejects.toMatchObject({ message: expect.stringMatching(/no responders/) });
    await connection.close();
  });
});
