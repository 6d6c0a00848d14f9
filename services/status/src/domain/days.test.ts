import { describe, expect, it } from '@jest/globals';
import { type Change, statusDays, toIncidents } from './days.ts';

const at = (text: string) => new Date(`2026-01-${text}:00.000Z`);
const change = (when: string, ...impaired: Change['impaired']): Change => ({ changedAt: at(when), impaired });

describe('incidents', () => {
  it('begin with the first impairment, end when nothing is impaired, and name all that was', () => {
    const changes = [
      change('10T10:00', 'canary'),
      change('10T10:05', 'canary', 'strategies'),
      change('10T10:20', 'canary'),
      change('10T10:30'),
      change('11T08:00', 'relay'),
    ];
    expect(toIncidents(changes)).toEqual([
      { beganAt: '2026-01-11T08:00:00.000Z', endedAt: null, impaired: ['relay'] },
      {
        beganAt: '2026-01-10T10:00:00.000Z',
        endedAt: '2026-01-10T10:30:00.000Z',
        impaired: ['canary', 'strategies'],
      },
    ]);
  });

  it('are reported once if the same impairments are saved again', () => {
    expect(toIncidents([change('10T10:00'), change('10T11:00'), change('10T12:00')])).toEqual([]);
    expect(
      toIncidents([change('10T10:00', 'relay'), change('10T11:00', 'relay'), change('10T12:00')]),
    ).toHaveLength(1);
  });
});

describe('the bars of ninety days', () => {
  const now = at('15T12:00');
  const barsOf = (...given: Parameters<typeof statusDays>) =>
    new Map(statusDays(...given).map((one) => [one.day, one]));

  it('are ninety, end today, and are unknown without observations', () => {
    const days = statusDays([], [], now);
    expect([days.length, days[0]?.day, days[89]?.day]).toEqual([90, '2025-10-18', '2026-01-15']);
    expect(new Set(days.map(({ state }) => state))).toEqual(new Set(['unknown']));
  });

  it('distinguish good days, impaired days and outages', () => {
    const slots = [
      { day: '2026-01-12', observedSlots: 144, outageSlots: 0 },
      { day: '2026-01-13', observedSlots: 144, outageSlots: 23 },
      { day: '2026-01-14', observedSlots: 30, outageSlots: 24 },
    ];
    const bars = barsOf(slots, [], now);
    expect(bars.get('2026-01-12')).toMatchObject({ state: 'operational', impairedMinutes: 0 });
    expect(bars.get('2026-01-13')).toMatchObject({ state: 'impaired', impairedMinutes: 230 });
    expect(bars.get('2026-01-14')).toMatchObject({ state: 'outage', impairedMinutes: 240 });
  });

  it('split an incident at midnight, and count an open one until now', () => {
    const incidents = toIncidents([
      change('12T23:50', 'canary'),
      change('13T00:05'),
      change('15T11:30', 'relay'),
    ]);
    const bars = barsOf([], incidents, now);
    expect(bars.get('2026-01-12')).toMatchObject({ state: 'impaired', impairedMinutes: 10 });
    expect(bars.get('2026-01-13')).toMatchObject({ state: 'impaired', impairedMinutes: 5 });
    expect(bars.get('2026-01-15')).toMatchObject({ impairedMinutes: 30 });
  });
});
