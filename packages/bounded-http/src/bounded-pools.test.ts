import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Agent } from 'undici';
import { boundedAgent, type Meter, receive } from './receive.ts';
import { hostileAnswers, startHostileServer } from './test-support/hostile-answers.ts';

const KIB = 1_024;
const never = new AbortController().signal;
const hostile = await startHostileServer();
const agents: Agent[] = [];
afterAll(() => hostile.stop());
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.destroy();
});

const newAgent = (maxBytes: number, maxHeaderSize = 16 * KIB) => {
  const agent = boundedAgent(maxBytes, { maxHeaderSize });
  agents.push(agent);
  return agent;
};
const get = (agent: Agent, origin: string, announcements?: number) => {
  const meter: Meter = { bytes: 0, status: null };
  const options = { signal: never, capBytes: 1_000_000 * KIB, meter };
  return receive(
    agent,
    { origin, path: '/', method: 'GET' },
    announcements === undefined ? options : { ...options, announcements },
  );
};
/** Runs a server that answers with `bytes` bytes while `use` runs. */
const answering = async <T>(bytes: number, use: (origin: string) => Promise<T>): Promise<T> => {
  const server = createServer((_request, response) => void response.end(Buffer.alloc(bytes, 'x')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
};

describe('an answer that never ends', () => {
  it.each(hostileAnswers)(
    'of %s fails by what has come of it, and others are answered beside it',
    async (kind) => {
      const agent = newAgent(80 * KIB);
      const origin = await hostile.serve(kind);
      await answering(10, async (good) => {
        const failed = expect(get(agent, origin)).rejects.toThrow();
        expect((await get(agent, good)).body).toHaveLength(10);
        await failed;
      });
    },
  );

  it('of informational answers is cut off by its bytes, even without a limit of their number', async () => {
    const origin = await hostile.serve('informational answers of 103');
    await expect(get(newAgent(80 * KIB), origin, Number.POSITIVE_INFINITY)).rejects.toThrow(
      'more than 81920 bytes',
    );
  });

  it.each(['chunks of one byte', 'trailers', 'chunk extensions', 'informational answers of 103'] as const)(
    'of %s leaves the event loop its turns',
    async (kind) => {
      const mostKib = 2_048;
      let turns = 0;
      let hasEnded = false;
      const turn = () => {
        turns += 1;
        if (!hasEnded) setImmediate(turn);
      };
      turn();
      const agent = newAgent(mostKib * KIB, 2 * mostKib * KIB);
      await expect(get(agent, await hostile.serve(kind), Number.POSITIVE_INFINITY)).rejects.toThrow();
      hasEnded = true;
      expect(turns).toBeGreaterThanOrEqual(mostKib / 32);
    },
  );
});

describe('a bounded agent', () => {
  it('counts each request of a connection anew, and allows answers within the bound', async () => {
    const agent = newAgent(80 * KIB);
    await answering(64 * KIB, async (origin) => {
      for (let time = 0; time < 4; time += 1) expect((await get(agent, origin)).body).toHaveLength(64 * KIB);
    });
  });

  it('receives large answers whole', async () => {
    const bytes = 5_000 * KIB;
    await answering(bytes, async (origin) => {
      expect((await get(newAgent(6_000 * KIB), origin)).body).toHaveLength(bytes);
    });
  });
});
