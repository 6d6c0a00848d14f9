import { describe, expect, it } from '@jest/globals';
import { observeStatus, type Report, SILENT_AFTER_MS } from './observed-status.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const route = (strategy: string, healthy: boolean, exit = 'direct') => ({ strategy, exit, healthy });
const report = (given: Partial<Report> = {}): Report => ({
  observedAt: ago(1_000),
  strategies: [],
  capacity: 'open',
  faults: null,
  ...given,
});
const check = (passed: boolean[], ageMs = 1_000, translation: 'served' | 'refused' | null = null) => ({
  checkedAt: ago(ageMs),
  routes: passed.map((one, index) => ({ strategy: `client ${index}`, passed: one })),
  translation,
});

describe('the observed status', () => {
  it('is unknown before the first report, and not impaired', () => {
    expect(observeStatus([], null, now)).toEqual({
      relay: 'unknown',
      translation: 'unknown',
      capacity: 'unknown',
      strategies: [],
      canary: { status: 'unknown', checked_at: null },
      impaired: [],
    });
  });

  it('is impaired if all fetchers are silent, even if they were healthy', () => {
    const silent = report({ observedAt: ago(SILENT_AFTER_MS + 1), strategies: [route('android', true)] });
    expect(observeStatus([silent], null, now)).toMatchObject({
      relay: 'down',
      capacity: 'unknown',
      strategies: [],
      impaired: ['relay'],
    });
    expect(observeStatus([silent, report()], null, now)).toMatchObject({
      relay: 'operational',
      impaired: [],
    });
  });

  it('is not impaired while any instance sees a healthy strategy, and names the others', () => {
    const reports = [
      report({ strategies: [route('android', false), route('web', false)] }),
      report({ strategies: [route('android', true, 'proxy-1'), route('web', false, 'proxy-1')] }),
    ];
    expect(observeStatus(reports, null, now)).toMatchObject({
      relay: 'degraded',
      strategies: [
        { name: 'android', status: 'degraded' },
        { name: 'web', status: 'down' },
      ],
      impaired: [],
    });
  });

  it('counts a route as healthy if one instance used it while the circuit of another is open', () => {
    const reports = [
      report({ strategies: [route('android', false)] }),
      report({ strategies: [route('android', true)] }),
    ];
    expect(observeStatus(reports, null, now).strategies).toEqual([{ name: 'android', status: 'operational' }]);
  });

  it('is impaired without a healthy strategy', () => {
    const reports = [report({ strategies: [route('android', false), route('web', false)] })];
    expect(observeStatus(reports, null, now)).toMatchObject({
      relay: 'down',
      impaired: ['relay', 'strategies'],
    });
  });

  it('follows what the fetches of customers got, although known videos pass and circuits are closed', () => {
    const healthy = { strategies: [route('android', true)] };
    const status = (...faults: Report['faults'][]) =>
      observeStatus(
        faults.map((share) => report({ ...healthy, faults: share })),
        check([true]),
        now,
      );
    expect(status('few', null)).toMatchObject({ relay: 'operational', impaired: [] });
    expect(status('few', 'some')).toMatchObject({ relay: 'degraded', impaired: [] });
    expect(status('few', 'most')).toMatchObject({ relay: 'degraded', impaired: [] });
    expect(status('most', null)).toMatchObject({
      relay: 'down',
      strategies: [{ name: 'android', status: 'down' }],
      impaired: ['relay', 'strategies'],
    });
  });

  it('names a strategy whose requests fail in part', () => {
    const routes = [{ ...route('android', true), faults: 'some' as const }, route('web', true)];
    expect(observeStatus([report({ strategies: routes })], null, now).strategies).toEqual([
      { name: 'android', status: 'degraded' },
      { name: 'web', status: 'operational' },
    ]);
  });

  it.each([
    ['open', 'operational', []],
    ['limited', 'degraded', ['free_pool']],
    ['spent', 'down', ['capacity']],
  ] as const)('takes a capacity that is %s from the newest report', (capacity, state, impaired) => {
    const reports = [report({ capacity, observedAt: ago(1) }), report({ observedAt: ago(2) })];
    expect(observeStatus(reports, null, now)).toMatchObject({ capacity: state, impaired });
  });

  it.each([
    ['all known videos passed', [true, true], 'operational', []],
    ['some did', [true, false], 'degraded', []],
    ['none did', [false, false], 'down', ['canary']],
  ] as const)('reports the canary: %s', (_, passed, state, impaired) => {
    expect(observeStatus([], check([...passed]), now)).toMatchObject({ canary: { status: state }, impaired });
  });

  it('reports a strategy as impaired if it fetched no known video, before its circuits open', () => {
    const reports = [report({ strategies: [route('client 0', true), route('client 1', true)] })];
    const states = (ageMs: number) =>
      observeStatus(reports, check([true, false], ageMs), now).strategies.map(({ status }) => status);
    expect(states(1)).toEqual(['operational', 'degraded']);
    expect(states(SILENT_AFTER_MS + 1)).toEqual(['operational', 'operational']);
  });

  it('ignores an old check', () => {
    const old = check([false], SILENT_AFTER_MS + 1, 'refused');
    expect(observeStatus([], old, now)).toMatchObject({
      canary: { status: 'unknown', checked_at: old.checkedAt.toISOString() },
      translation: 'unknown',
      impaired: [],
    });
  });

  it('takes translations from the check of known videos', () => {
    expect(observeStatus([], check([true], 1, 'served'), now).translation).toBe('operational');
    expect(observeStatus([], check([true], 1, 'refused'), now).translation).toBe('degraded');
    expect(observeStatus([], check([true], 1), now).translation).toBe('unknown');
  });
});
