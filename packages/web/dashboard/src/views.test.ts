import { describe, expect, it } from '@jest/globals';
import { entries, isIn } from './views.ts';

const MAX_VIEWS = 9;
const entriesAt = (view: string) => entries.filter((entry) => isIn(entry, view)).map(({ name }) => name);

describe('the side bar', () => {
  it('has at most nine views with the documentation', () => {
    expect(entries.length + 1).toBeLessThanOrEqual(MAX_VIEWS);
  });

  it.each([
    ['/', 'Overview'],
    ['/jobs/new', 'Jobs'],
    ['/keys', 'Access'],
    ['/connections', 'Access'],
    ['/webhooks/a-delivery', 'Access'],
    ['/receivers', 'Access'],
    ['/billing/ledger', 'Billing'],
    ['/requests', 'Billing'],
    ['/requests/a-request', 'Billing'],
  ])('marks one entry at %s: %s', (view, name) => {
    expect(entriesAt(view)).toEqual([name]);
  });

  it('marks none at an address that begins like another one', () => {
    expect(entriesAt('/keysmith')).toEqual([]);
    expect(entriesAt('/connect')).toEqual([]);
  });
});
