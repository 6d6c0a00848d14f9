import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { command } from '@tds/command-line';
import { until } from '@tds/e2e-support';
import { endingSignal } from '@tds/local';
import { freePort, localDir } from '@tds/servers';
import { addressTables } from './expectations/addresses.ts';
import { captions } from './expectations/captions.ts';
import type { Expectation, Expectations } from './expectations/expect-answer.ts';
import { languages } from './expectations/languages.ts';
import { dataApiListings, listings } from './expectations/listings.ts';
import { monitors } from './expectations/monitors.ts';
import { blockedRoutes, players } from './expectations/players.ts';
import { createPlayer, type Player } from './player.ts';
import { startProduct } from './product.ts';

const asked = command(
  'npm run field --',
  'Plays cases of the field, which a platform of their own serves, against a system of its own.',
)
  .argument('<folder>', 'has platform.mjs, cases/, urls.json and texts.json')
  .argument('[names...]', 'beginnings of the names of cases')
  .parse();
const [folder, names] = asked.processedArgs;
const ending = endingSignal();

const PLATFORM_WITHIN_MS = 20_000;
const CANARIES = [1, 2, 3, 4].map((number) => `fcanary000${number}`).join();

const startPlatform = async (): Promise<{ origin: string; stop(): void }> => {
  const port = await freePort();
  const started = spawn(process.execPath, [
    path.join(folder, 'platform.mjs'),
    path.join(folder, 'cases'),
    String(port),
  ]);
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${origin}/_/log`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await until(answers, { withinMs: PLATFORM_WITHIN_MS, everyMs: 100 })))
    throw new Error('the platform of the cases has not started');
  return { origin, stop: () => void started.kill() };
};

const isAsked = (name: string): boolean =>
  names.length === 0 || names.some((beginning: string) => name.startsWith(beginning));
const failed: string[] = [];
let held = 0;

const playEach = async (chosen: [string, Expectation][], player: Player): Promise<void> => {
  for (const [name, expectation] of chosen) {
    if (ending.aborted) return;
    try {
      await expectation(player);
      held += 1;
    } catch (error) {
      failed.push(name);
      console.log(`${name}: ${error instanceof Error ? error.message.split('\n', 20).join('\n  ') : error}`);
    }
  }
};

/** Plays the cases one after the other against a new system. */
const play = async (expectations: Expectations, settings: (origin: string) => NodeJS.ProcessEnv) => {
  const chosen = Object.entries(expectations).filter(([name]) => isAsked(name));
  if (chosen.length === 0) return;
  const platform = await startPlatform();
  const environment = {
    PLATFORM_ORIGIN: platform.origin,
    CANARY_VIDEOS: CANARIES,
    ...settings(platform.origin),
  };
  try {
    const product = await startProduct(path.join(localDir, 'field'), environment);
    await playEach(chosen, createPlayer(product.endpoints, platform.origin));
    await product.stop();
  } finally {
    platform.stop();
  }
};

await play(
  {
    ...captions,
    ...players,
    ...languages,
    ...listings,
    ...monitors,
    ...addressTables(folder),
    ...blockedRoutes,
  },
  () => ({}),
);
await play(dataApiListings, (origin) => ({
  PLATFORM_DATA_API_ORIGIN: origin,
  PLATFORM_DATA_API_KEY: 'test',
}));

const known = Object.keys({
  ...captions,
  ...players,
  ...languages,
  ...listings,
  ...monitors,
  ...blockedRoutes,
  ...dataApiListings,
});
const unknown = readdirSync(path.join(folder, 'cases')).filter(
  (name) => !known.includes(name) && name !== 'u-urls',
);
for (const name of unknown) console.log(`no expectation: ${name}`);
console.log(`${held} held, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`);
process.exitCode = failed.length + unknown.length > 0 ? 1 : 0;
if (process.connected) process.disconnect();
