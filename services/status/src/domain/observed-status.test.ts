import { describe, expect, it } from '@jest/globals';
import { observeStatus, type Report, SILENT_AFTER_MS } from './observed-status.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const route = (strategy: string, healthy: boolean, exit = 'direct') => ({ strategy, exit, healthy });
const report = (given: Partial<Report> = {}): Report => ({
  observedAt: ago(1_000),
  strategies: [],
  capacity: 'open',
  ...given,
});
const check = (passed: boolean[], ageMs = 1_000, translation: 'served' | 'refused' | null = null) => ({
  checkedAt: ago(ageMs),
  routes: passed.map((one, index) => ({ strategy: `client ${index}`, passed: one })),
  translation,
});

describe('how new work fares', () => {
  it('is unknown before anybody has said anything, which impairs nothing', () => {
    expect(observeStatus([], null, now)).toEqual({
      relay: 'unknown',
      translation: 'unknown',
      capacity: 'unknown',
      strategies: [],
      canary: { state: 'unknown', checkedAt: null },
      impaired: [],
    });
  });

  it('is impaired where all who fetched have fallen silent, however healthy they were', () => {
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

  it('is fine as long as any instance sees a healthy strategy, and says which ones are not', () => {
    const reports = [
      report({ strategies: [route('android', false), route('web', false)] }),
      report({ strategies: [route('android', true, 'proxy-1'), route('web', false, 'proxy-1')] }),
    ];
    expect(observeStatus(reports, null, now)).toMatchObject({
      relay: 'degraded',
      strategies: [
        { name: 'android', state: 'degraded' },
        { name: 'web', state: 'down' },
      ],
      impaired: [],
    });
  });

  it('takes a route for healthy where one instance has used it and another still stands before its open circuit', () => {
    const reports = [
      report({ strategies: [route('android', false)] }),
      report({ strategies: [route('android', true)] }),
    ];
    expect(observeStatus(reports, null, now).strategies).toEqual([{ name: 'android', state: 'operational' }]);
  });

  it('is impaired without a healthy strategy, and names the ways out that lead nowhere', () => {
    const reports = [report({ strategies: [route('android', false), route('web', false)] })];
    expect(observeStatus(reports, null, now)).toMatchObject({
      relay: 'down',
      impaired: ['relay', 'strategies'],
    });
  });

  it.each([
    ['open', 'operational', []],
    ['limited', 'degraded', ['free_pool']],
    ['spent', 'down', ['capacity']],
  ] as const)('knows a capacity that is %s by the newest word', (capacity, state, impaired) => {
    const reports = [report({ capacity, observedAt: ago(1) }), report({ observedAt: ago(2) })];
    expect(observeStatus(reports, null, now)).toMatchObject({ capacity: state, impaired });
  });

  it.each([
    ['all known videos came', [true, true], 'operational', []],
    ['some did', [true, false], 'degraded', []],
    ['none did', [false, false], 'down', ['canary']],
  ] as const)('tells of the canary: %s', (_, passed, state, impaired) => {
    expect(observeStatus([], check([...passed]), now)).toMatchObject({ canary: { state }, impaired });
  });

  it('calls a strategy impaired by which no known video came, before its circuits have opened', () => {
    const reports = [report({ strategies: [route('client 0', true), route('client 1', true)] })];
    const states = (ageMs: number) =>
      observeStatus(reports, check([true, false], ageMs), now).strategies.map(({ state }) => state);
    expect(states(1)).toEqual(['operational', 'degraded']);
    expect(states(SILENT_AFTER_MS + 1)).toEqual(['operational', 'operational']);
  });

  it('believes no check that is old', () => {
    const old = check([false], SILENT_AFTER_MS + 1, 'refused');
    expect(observeStatus([], old, now)).toMatchObject({
      canary: { state: 'unknown', checkedAt: old.checkedAt.toISOString() },
      translation: 'unknown',
      impaired: [],
    });
  });

  it('knows translations by the check of known videos', () => {
    expect(observeStatus([], check([true], 1, 'served'), now).translation).toBe('operational');
    expect(observeStatus([], check([true], 1, 'refused'), now).translation).toBe('degraded');
    expect(observeStatus([], check([true], 1), now).translation).toBe('unknown');
  });
});
