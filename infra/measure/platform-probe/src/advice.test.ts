import { describe, expect, it } from '@jest/globals';
import { adviceFor } from './advice.ts';
import type { ExitReport, PairReport, ProbeReport, RequestReport } from './report.ts';

const exit = (more: Partial<ExitReport>): ExitReport => ({
  exit: 'direct',
  address: 'direct',
  ms: 1,
  clockAheadSeconds: 0,
  problem: null,
  ...more,
});
const request = (outcome: string): RequestReport => ({
  ...{ status: 200, ms: 1, bytes: 1, requests: 1, reason: null },
  outcome,
});
const pair = (more: Partial<PairReport>): PairReport => ({
  exit: 'direct',
  address: 'direct',
  strategy: 'web',
  video: 'abcdefghij0',
  code: null,
  player: request('ok'),
  tracks: 1,
  captions: request('ok'),
  isGated: false,
  usedToken: false,
  ...more,
});
const report = (more: Partial<ProbeReport>): ProbeReport => ({
  origin: 'https://www.youtube.com',
  exits: [exit({})],
  pairs: [pair({})],
  findings: [],
  skipped: [],
  tokenProvider: { state: 'none', version: null },
  ...more,
});

describe('the advice', () => {
  it.each<[string, Partial<ProbeReport>, string]>([
    ['a clock ahead', { exits: [exit({ clockAheadSeconds: 400 })] }, 'clock is 400 s ahead of'],
    ['a clock behind', { exits: [exit({ clockAheadSeconds: -7_200 })] }, 'clock is 7200 s behind'],
    ['TLS that is not trusted', { exits: [exit({ problem: 'certificate' })] }, "set this machine's clock"],
    ['no tunnel', { exits: [exit({ problem: 'proxy' })] }, 'opens no tunnel'],
    ['no answer', { exits: [exit({ problem: 'unreachable' })] }, 'does not answer through direct'],
    [
      'a consent page',
      { pairs: [pair({ code: 'upstream_error', player: request('consent_page') })] },
      'an exit in another country',
    ],
    [
      'a client that is refused in words',
      { pairs: [pair({ code: 'upstream_error', player: request('client_refused') })] },
      'refuses the client of web',
    ],
    ['a row that needs a token', { skipped: ['tv'] }, 'Without a token provider tv cannot be used'],
    [
      'an address that the machine does not have',
      { exits: [exit({ problem: 'address' })] },
      'ip route add local PREFIX dev lo, and sysctl net.ipv6.ip_nonlocal_bind=1',
    ],
    [
      'tunnels that break',
      { pairs: [pair({ code: 'upstream_error', player: request('network'), captions: null })] },
      'Answers through direct break off',
    ],
    [
      'a provider that gives no token',
      {
        pairs: [pair({ code: 'upstream_error', captions: null, isGated: true })],
        tokenProvider: { state: 'answers', version: '1' },
      },
      'gave none for web',
    ],
    [
      'a provider whose tokens are refused',
      {
        pairs: [pair({ code: 'po_token_required', isGated: true, usedToken: true })],
        tokenProvider: { state: 'answers', version: '1' },
      },
      'gives no token that the platform accepts',
    ],
    [
      'nothing that is known',
      { pairs: [pair({ code: 'upstream_error', player: request('too_large'), captions: null })] },
      'for a reason that is not known',
    ],
  ])('after %s says so', (_what, more, sentence) => {
    const advice = adviceFor(report(more));
    expect(advice).toHaveLength(1);
    expect(advice[0]).toContain(sentence);
  });

  it('is about the client, not the address, if another client is served through it', () => {
    const blocked = pair({ code: 'rate_limited', player: request('try_again_later'), strategy: 'android' });
    const [advice, ...others] = adviceFor(report({ pairs: [blocked, pair({ strategy: 'web' })] }));
    expect(advice).toContain('refuses only android through direct');
    expect(others).toEqual([]);
  });

  const list = { exit: 'direct', kind: 'listing', items: 0 } as const;
  const refused = { code: 'upstream_error', player: request('http_status'), captions: null };
  const pairs = ['android', 'visionos', 'web'].map((strategy) => pair({ ...refused, strategy }));

  it('is about the exit if all clients are refused and no list is read through it', () => {
    const findings = [{ ...list, code: 'upstream_error' }];
    const [advice, ...others] = adviceFor(report({ pairs, findings }));
    expect(advice).toContain('Through direct something else answers');
    expect(others).toEqual([]);
  });

  it('is about the clients if all are refused and a list is read', () => {
    const [advice, ...others] = adviceFor(report({ pairs, findings: [{ ...list, code: null, items: 3 }] }));
    expect(advice).toContain('refuses the client of android, visionos, web');
    expect(others).toEqual([]);
  });

  it('of an exit that is blocked says nothing about layouts of lists', () => {
    const blocked = pair({ code: 'ip_blocked', player: request('http_429'), captions: null });
    const advice = adviceFor(report({ pairs: [blocked], findings: [{ ...list, code: 'ip_blocked' }] }));
    expect(advice).toHaveLength(1);
  });

  it('is one sentence for all exits and strategies with the same trouble', () => {
    const blocked = { code: 'ip_blocked', player: request('bot_check') };
    const pairs = [pair({ ...blocked, strategy: 'android' }), pair(blocked), pair({ exit: 'source-1' })];
    expect(adviceFor(report({ pairs }))).toEqual([
      'The platform blocks the address of direct: use a residential proxy (PLATFORM_PROXY_URLS).',
    ]);
  });
});
