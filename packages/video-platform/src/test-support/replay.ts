import { defaultStrategies } from '../config/strategies.ts';
import { createVideoPlatform } from '../video-platform.ts';
import { type Scripted, startScriptedPlatform } from './scripted-platform.ts';

/** Answers of a replayed platform: to every player call, to the watch page, to every caption download. */
export type Replay = { player?: Scripted; watch?: Scripted; timedtext?: Scripted };

/** Whole production path over recorded bodies; `use` changes what is replayed. */
export const startReplay = async (strategyNames?: readonly string[]) => {
  let replay: Replay = {};
  const server = await startScriptedPlatform(({ url }) => {
    if (url.pathname === '/watch') return replay.watch ?? { status: 500 };
    if (url.pathname === '/api/timedtext') return replay.timedtext ?? { status: 500 };
    return replay.player ?? { status: 500 };
  });
  const platform = createVideoPlatform({
    origin: server.origin,
    strategies: defaultStrategies.filter((row) => strategyNames?.includes(row.name) ?? true),
    // Circuits would let one recording's failures affect the next one.
    limits: { failuresToOpen: Number.MAX_SAFE_INTEGER },
  });
  return {
    platform,
    requests: server.requests,
    use: (next: Replay) => {
      replay = next;
      server.requests.length = 0;
    },
    close: async () => {
      await platform.close();
      await server.close();
    },
  };
};
export type ReplayedPlatform = Awaited<ReturnType<typeof startReplay>>;

export const html = (body: string): Scripted => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});

export const catchError = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (thrown) => thrown,
  );
