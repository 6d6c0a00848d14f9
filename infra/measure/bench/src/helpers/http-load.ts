import { type DriveResult, drive } from '../support/drive.ts';
import { serveHelper } from '../support/helper.ts';
import { getRequest, openConnection, sha256 } from '../support/http-connection.ts';

export type LoadRequest = { readonly target: string; readonly key?: string };

export type LoadOptions = {
  readonly port: number;
  readonly connections: number;
  /** Sent one after the other over all connections, and again from the start until the time is over. */
  readonly requests: readonly LoadRequest[];
  /** Without it every request is sent once. */
  readonly seconds?: number | undefined;
  readonly status: number;
  /** Each n-th body is hashed and compared; by default only the first. */
  readonly sampleEvery?: number;
  /** SHA-256 of the body, by target; without it bodies are not compared. */
  readonly expected?: Readonly<Record<string, string>>;
};

export type LoadResult = DriveResult & {
  /** Answers with another status, by status. */
  readonly otherStatuses: Readonly<Record<string, number>>;
  readonly wrongBodies: number;
  /** Hashes of the sampled bodies by target, if no hashes were expected. */
  readonly hashes: Readonly<Record<string, string>>;
};

serveHelper({
  load: async ({ port, connections, seconds, ...options }: LoadOptions): Promise<LoadResult> => {
    const { status: expectedStatus, sampleEvery = Infinity, expected } = options;
    const requests = options.requests.map(({ target, key }) => ({
      target,
      text: getRequest(port, target, key),
    }));
    const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
    const otherStatuses: Record<string, number> = {};
    const hashes: Record<string, string> = {};
    let wrongBodies = 0;
    const count = seconds === undefined ? requests.length : undefined;
    const driven = await drive({ clients: connections, seconds, count }, async (n, client) => {
      const { target, text } = requests[n % requests.length] as (typeof requests)[number];
      const answer = await open[client]?.send(text, n % sampleEvery === 0);
      if (!answer) return;
      const { status, body } = answer;
      if (status !== expectedStatus) otherStatuses[status] = (otherStatuses[status] ?? 0) + 1;
      if (body === null) return;
      const hash = sha256(body);
      if (expected === undefined) hashes[target] = hash;
      else if (expected[target] !== hash) wrongBodies += 1;
    });
    for (const connection of open) connection.close();
    return { ...driven, otherStatuses, hashes, wrongBodies };
  },
});
