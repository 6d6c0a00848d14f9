import { readdirSync } from 'node:fs';
import path from 'node:path';
import { endingSignal } from '@tds/local';
import { localDir } from '@tds/servers';
import { command } from '@tds/servers/command';
import { addressTables } from './expectations/addresses.ts';
import { captions } from './expectations/captions.ts';
import {
  fixedProxy,
  fixedProxyUrl,
  ownAddress,
  proxyAddresses,
  proxyUrls,
  rotatingProxy,
  rotatingProxyUrl,
} from './expectations/exits.ts';
import type { Expectation, Expectations } from './expectations/expect-answer.ts';
import { facts } from './expectations/facts.ts';
import { fromFifty } from './expectations/from-fifty.ts';
import { languages } from './expectations/languages.ts';
import { dataApiListings, laterListings, listings } from './expectations/listings.ts';
import { monitors } from './expectations/monitors.ts';
import { passages } from './expectations/passages.ts';
import { blockedRoutes, players } from './expectations/players.ts';
import { starts } from './expectations/starts.ts';
import { states } from './expectations/states.ts';
import { tokens } from './expectations/tokens.ts';
import { createPlayer, type Player } from './player.ts';
import { startProduct } from './product.ts';
import { type Script, startExits, startPlatform, startTokens } from './scripts.ts';

const asked = command(
  'npm run test:field --',
  'Plays cases of the field, which a platform of their own serves, against a system of its own.',
)
  .argument('<folder>', 'has platform.mjs, exits.mjs, tokens.mjs, cases/, urls.json and texts.json')
  .argument('[names...]', 'beginnings of the names of cases')
  .parse();
const [folder, names] = asked.processedArgs;
const ending = endingSignal();

const CANARIES = [1, 2, 3, 4].map((number) => `fcanary000${number}`).join();

const isAsked = (name: string): boolean =>
  names.length === 0 || names.some((beginning: string) => name.startsWith(beginning));
const failed: string[] = [];
let held = 0;

const playEach = async (chosen: [string, Expectation][], player: Player = {} as Player): Promise<void> => {
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

const known = new Set<string>();

/** What a system is started with, beside the platform of the cases. */
type System = {
  readonly start?: (folder: string) => Promise<Script>;
  readonly settings?: (platform: string, beside: Script) => NodeJS.ProcessEnv;
};

/** Plays the cases one after the other against a new system. */
const play = async (
  toExpectations: (platform: Script, beside: Script) => Expectations,
  { start = startPlatform, settings = () => ({}) }: System = {},
): Promise<void> => {
  const platform = await startPlatform(folder);
  const beside = start === startPlatform ? platform : await start(folder);
  try {
    const expectations = toExpectations(platform, beside);
    for (const name of Object.keys(expectations)) known.add(name);
    const chosen = Object.entries(expectations).filter(([name]) => isAsked(name));
    if (chosen.length === 0 || ending.aborted) return;
    const origin = `http://127.0.0.1:${platform.ports[0]}`;
    const environment = {
      PLATFORM_ORIGIN: origin,
      CANARY_VIDEOS: CANARIES,
      ...settings(origin, beside),
    };
    const product = await startProduct(path.join(localDir, 'field'), environment);
    await playEach(chosen, createPlayer(product.endpoints, origin));
    await product.stop();
  } finally {
    platform.stop();
    beside.stop();
  }
};

await play(() => ({
  ...captions,
  ...facts,
  ...passages,
  ...players,
  ...languages,
  ...listings,
  ...laterListings,
  ...monitors,
  ...states(folder),
  ...fromFifty(folder),
  ...addressTables(folder),
  ...blockedRoutes,
}));
await play(() => dataApiListings, {
  settings: (origin) => ({ PLATFORM_DATA_API_ORIGIN: origin, PLATFORM_DATA_API_KEY: 'test' }),
});
await play(
  (platform, provider) => ({
    ...tokens(folder, { platform, tokens: provider }),
    ...ownAddress(folder, { platform }),
  }),
  {
    start: startTokens,
    settings: (_origin, { ports }) => ({ PO_TOKEN_PROVIDER_URL: `http://127.0.0.1:${ports[0]}` }),
  },
);
await play((platform, exits) => fixedProxy(folder, { platform, exits }), {
  start: startExits,
  settings: (_origin, exits) => ({ PLATFORM_PROXY_URLS: fixedProxyUrl(exits) }),
});
await play((platform, exits) => rotatingProxy(folder, { platform, exits }), {
  start: startExits,
  settings: (_origin, exits) => ({ PLATFORM_PROXY_URLS: rotatingProxyUrl(exits) }),
});
await play((_platform, exits) => proxyAddresses(exits), {
  start: startExits,
  settings: (_origin, exits) => ({ PLATFORM_PROXY_URLS: proxyUrls(folder, exits) }),
});
const beforeTheStart = Object.entries(starts(folder));
for (const [name] of beforeTheStart) known.add(name);
await playEach(beforeTheStart.filter(([name]) => isAsked(name)));

const unknown = readdirSync(path.join(folder, 'cases')).filter((name) => !known.has(name) && name !== 'u-urls');
for (const name of unknown) console.log(`no expectation: ${name}`);
console.log(`${held} held, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`);
process.exitCode = failed.length + unknown.length > 0 ? 1 : 0;
