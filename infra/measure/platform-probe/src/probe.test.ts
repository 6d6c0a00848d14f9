import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type FaultInput, startPlatformSimulator } from '@tds/simulators/platform';
import { startExitGateway } from '@tds/simulators/platform/testing';
import { adviceFor } from './advice.ts';
import { printReport } from './print.ts';
import { probe } from './probe.ts';
import { delivers } from './report.ts';
import { readProbeSettings } from './settings.ts';

const simulator = await startPlatformSimulator();
const gateway = await startExitGateway();
afterEach(() => {
  simulator.faults.clear();
  gateway.failWith(null);
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

const PASSWORD = 'hunter2';
const VIDEO = 'manualEn001';

const ask = async (environment: NodeJS.ProcessEnv = {}, video = VIDEO) => {
  const settings = readProbeSettings({ PLATFORM_ORIGIN: simulator.origin, ...environment });
  const report = await probe(settings, [video]);
  const results = report.pairs.map(({ strategy, code }) => `${strategy} ${code ?? 'delivered'}`);
  return { report, results, advice: adviceFor(report).join('\n') };
};

describe('a probe', () => {
  it('asks every strategy, and a feed, a listing and a search', async () => {
    const { report, results, advice } = await ask();
    expect(results).toEqual([
      'android delivered',
      'visionos delivered',
      'web delivered',
      'watch_page delivered',
    ]);
    const [first] = report.pairs;
    expect(first).toMatchObject({
      exit: 'direct',
      address: 'direct',
      tracks: 1,
      isGated: false,
      usedToken: false,
    });
    for (const request of [first?.player, first?.captions]) {
      expect(request).toMatchObject({ status: 200, outcome: 'ok', requests: 1 });
      expect(request?.bytes).toBeGreaterThan(1_000);
    }
    expect(report.findings.map(({ kind, code, items }) => [kind, code, items > 0])).toEqual([
      ['feed', null, true],
      ['listing', null, true],
      ['search', null, true],
    ]);
    expect(advice).toBe('Everything that was asked is delivered.');
  });

  it('goes through each kind of exit, and shows no address and no password', async () => {
    const { report } = await ask({
      PLATFORM_SOURCE_ADDRESSES: '127.0.0.5',
      PLATFORM_PROXY_URLS: [
        `http://user:${PASSWORD}@${gateway.http}`,
        `socks5://user-{session}:${PASSWORD}@${gateway.socks}`,
      ].join(','),
    });
    expect(report.exits.map(({ exit, address, problem }) => [exit, address, problem])).toEqual([
      ['source-1', 'source', null],
      ['proxy-1', 'proxy', null],
      ['proxy-2', 'session', null],
    ]);
    expect(report.pairs.map(({ code }) => code)).toEqual(Array(12).fill(null));
    const shown = printReport(report) + JSON.stringify(report);
    for (const secret of [PASSWORD, gateway.http, gateway.socks]) expect(shown).not.toContain(secret);
  });

  it('uses the rows of the file, and the provider of tokens', async () => {
    const { report, results } = await ask({ PO_TOKEN_PROVIDER_URL: simulator.origin }, 'tokenXpe_01');
    expect(new Set(report.pairs.map(({ isGated, usedToken }) => `${isGated} ${usedToken}`))).toEqual(
      new Set(['true true']),
    );
    expect(results).toHaveLength(4);
    expect(report.tokenProvider).toEqual({ state: 'answers', version: 'simulated' });
  });

  it('names settings that are wrong, and no value', () => {
    const wrong = () => readProbeSettings({ PLATFORM_PROXY_URLS: `ftp://user:${PASSWORD}@one` });
    expect(wrong).toThrow('PLATFORM_PROXY_URLS');
    expect(wrong).not.toThrow(PASSWORD);
  });
});

describe('what is wrong is said in a sentence, and what is to be done', () => {
  it.each<[string, FaultInput, NodeJS.ProcessEnv, string]>([
    ['a blocked address', { fault: 'block' }, {}, 'blocks the address of direct: use a residential proxy'],
    ['a captcha', { fault: 'captcha' }, {}, 'blocks the address of direct: use a residential proxy'],
    ['gated captions', { fault: 'token_required' }, {}, 'run a token provider (PO_TOKEN_PROVIDER_URL)'],
    [
      'refused tokens',
      { fault: 'empty' },
      { PO_TOKEN_PROVIDER_URL: 'SIMULATOR' },
      'gives no token that the platform accepts',
    ],
    [
      'a provider that is down',
      { fault: 'slow', latencyMs: 0 },
      { PO_TOKEN_PROVIDER_URL: 'http://127.0.0.1:1' },
      'The provider of tokens does not answer',
    ],
    [
      'a refused client',
      { fault: 'server_error', match: { client: 'VISIONOS' } },
      {},
      'refuses the client of visionos: update its row',
    ],
    [
      'unreadable lists',
      { fault: 'garbage', match: { endpoint: 'search' } },
      {},
      'Some lists cannot be read through direct: search',
    ],
  ])('%s', async (_what, fault, environment, sentence) => {
    simulator.faults.add(fault);
    const given = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, value?.replace('SIMULATOR', simulator.origin)]),
    );
    const { advice } = await ask(given);
    expect(advice).toContain(sentence);
  });

  it('a proxy that refuses the password, and is asked nothing more', async () => {
    gateway.failWith((client) => client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    const { report, advice } = await ask({
      PLATFORM_PROXY_URLS: `http://user:${PASSWORD}@${gateway.http}`,
    });
    expect(advice).toContain('The proxy of proxy-1 refuses its user or password');
    expect([report.pairs, delivers(report)]).toEqual([[], false]);
  });

  it('a rotating exit whose addresses are all blocked', async () => {
    simulator.faults.add({ fault: 'block' });
    const { report, advice } = await ask({
      PLATFORM_PROXY_URLS: `http://user-{session}:${PASSWORD}@${gateway.http}`,
    });
    expect(advice).toContain('blocks the addresses of proxy-1: ask the seller for residential addresses');
    expect(delivers(report)).toBe(false);
  });

  it('a video without captions', async () => {
    expect((await ask({}, 'private_001')).advice).toContain('probe with another video');
  });
});
