import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Player } from '../player.ts';
import { readCase, type Script } from '../scripts.ts';
import {
  assertDelivered,
  assertRefused,
  type Expectation,
  type Expectations,
  readFormats,
} from './expect-answer.ts';

type Servers = { readonly platform: Script; readonly exits?: Script };
type Check = (player: Player, videos: readonly string[], servers: Servers) => Promise<void>;

type Logged = { readonly kind: string; readonly given?: string };

const PASSWORD = 'pass-of-the-exit';
/** Circuits that a case opened are tried again by then. */
const WELL_AGAIN_MS = 60_000;
const CIRCUITS_REST_MS = 35_000;
const WELL = { http: 'ok', socks: 'ok', addresses: ['127.0.0.2'], uses: 5, every: 1 };

/** Reads until it is delivered: nothing was kept about the video. */
const assertWellAgain = async (player: Player, videoId: string): Promise<void> => {
  const end = Date.now() + WELL_AGAIN_MS;
  let answer = await player.read(videoId);
  while (answer.status !== 200 && Date.now() < end) {
    await delay(2_000);
    answer = await player.read(videoId);
  }
  assertDelivered(answer);
};

/** `DATE+120` is the date two minutes from now. */
const dated = <Case>(given: Case): Case =>
  JSON.parse(
    JSON.stringify(given).replaceAll(/DATE\+(\d{1,6})/g, (_, seconds) =>
      new Date(Date.now() + Number(seconds) * 1_000).toUTCString(),
    ),
  );

/** Plays a case while its exits, its blocks and its consent page are set, and takes them away afterwards. */
const during =
  (folder: string, name: string, { platform, exits }: Servers, check: Check): Expectation =>
  async (player) => {
    const { videos, exit, block, blocked, consent } = dated(readCase(folder, name));
    const own = ['127.0.0.1'];
    await exits?.tell('clear', {});
    await exits?.tell('mode', { ...WELL, ...exit });
    // Tunnels of before would go on as they were opened.
    await exits?.tell('drop', {});
    if (block) await platform.tell('block', { addresses: blocked ?? own, ...block });
    if (consent) await platform.tell('consent', { addresses: own, ...consent });
    try {
      await check(player, Object.keys(videos), { platform, ...(exits && { exits }) });
    } finally {
      await exits?.tell('mode', WELL);
      await platform.tell('block', {});
      await platform.tell('consent', {});
    }
  };

const allDelivered: Check = async (player, videos) => {
  for (const video of videos) assertDelivered(await player.read(video));
};

const assertFaultOfRoute = (answer: Answer, code: string): void => {
  assertRefused(answer, { status: 502, code, retryable: true });
  assert.doesNotMatch(answer.text, new RegExp(PASSWORD));
};

/** A passing error for all of its videos; once the exit is well they are delivered. */
const passes =
  (mode: string): Check =>
  async (player, [video = ''], { exits }) => {
    assertFaultOfRoute(await player.read(video), 'upstream_error');
    const logged: Logged[] = (await exits?.tell('log')) ?? [];
    const tunnels = logged.filter(({ kind }) => kind === 'connect');
    assert.ok(tunnels.length <= 60, `${tunnels.length} tunnels while the exit is ${mode}`);
    await exits?.tell('mode', WELL);
    await assertWellAgain(player, video);
  };

const blockedEach: Check = async (player, videos) => {
  for (const video of videos) assertFaultOfRoute(await player.read(video), 'ip_blocked');
};

/** Through one proxy with one address. */
export const fixedProxy = (folder: string, servers: Servers): Expectations => {
  const at = (name: string, check: Check) => ({ [name]: during(folder, name, servers, check) });
  return {
    ...at('e13-http10', allDelivered),
    ...at('e11-close-each', allDelivered),
    ...at('e14-cut', async (player, videos) => {
      for (const video of videos) assert.equal((await readFormats(player, video, []))[0].body.cues.length, 60);
    }),
    ...at('e07-407', passes('407')),
    ...at('e08-502', passes('502')),
    ...at('e10-portal', passes('portal')),
    ...at('e12b-drop', passes('drop')),
  };
};
export const fixedProxyUrl = ({ ports: [http] }: Script): string => `http://user:${PASSWORD}@127.0.0.1:${http}`;

/** Through sessions, each with an address of its own. */
export const rotatingProxy = (folder: string, servers: Servers): Expectations => {
  const names = [
    'e15-session-expires',
    'e16-geo-sessions',
    'e27-429-rotating',
    'e40-legal-rotating',
    'e42-content-rotating',
  ];
  return Object.fromEntries(names.map((name) => [name, during(folder, name, servers, allDelivered)]));
};
export const rotatingProxyUrl = ({ ports: [http] }: Script): string =>
  `http://user-session-{session}:${PASSWORD}@127.0.0.1:${http}`;

/** By the machine's own address; each waits for the circuits that the one before has opened. */
export const ownAddress = (folder: string, servers: Servers): Expectations => {
  const at = (name: string, check: Check) => ({
    [name]: async (player: Player) => {
      await delay(CIRCUITS_REST_MS);
      await during(folder, name, servers, check)(player);
    },
  });
  return {
    ...at('e18-consent-save', allDelivered),
    ...at('e20-consent-old', allDelivered),
    ...at('e21-sorry-german', blockedEach),
    ...at('e23-sorry-stub', blockedEach),
    ...at('e25-429-date', async (player, [video = '']) => {
      const answer = await player.read(video);
      assertFaultOfRoute(answer, 'ip_blocked');
      const wait = answer.body.retry_after;
      assert.ok(wait >= 80 && wait <= 130, `${wait} s`);
    }),
  };
};

const proxyOf = (folder: string, name: string): string => readCase(folder, name).settings.PLATFORM_PROXY_URLS;

/** Addresses of proxies that work, beside each other. */
export const proxyUrls = (folder: string, { ports: [http, socks] }: Script): string => {
  const special = proxyOf(folder, 'e01-special-password');
  return [
    special.replace(':HTTP', `:${http}`),
    special.replace('http:', 'socks5:').replace(':HTTP', `:${socks}`),
    proxyOf(folder, 'e05-http-ipv6').replace(':HTTP', `:${http}`),
    `socks5://user:pass@[::1]:${socks}`,
  ].join();
};

/** Reads until each exit was used; `given` is what the proxy got. */
const reaches =
  (exits: Script, kind: string, given: string, videos: readonly string[]): Expectation =>
  async (player) => {
    for (const video of videos) assertDelivered(await player.read(video));
    const seen = (await exits.tell('log')) as Logged[];
    assert.ok(
      seen.some((one) => one.kind === kind && one.given === given),
      JSON.stringify([...new Set(seen.map((one) => `${one.kind} ${one.given}`))]),
    );
  };

export const proxyAddresses = (exits: Script): Expectations => ({
  'e01-special-password': async (player) => {
    const plain = Array.from({ length: 8 }, (_, number) => `gu_0000000${number}`);
    const password = 'us@er:p@ss:w%rd,#?/é';
    await reaches(exits, 'connect', password, ['ge010000000', ...plain])(player);
    await reaches(exits, 'socks-auth', password, [])(player);
  },
  'e05-http-ipv6': reaches(exits, 'connect', 'user:pass', ['ge050000000']),
  'e04 (socks5 by IPv6)': reaches(exits, 'socks-auth', 'user:pass', []),
});
