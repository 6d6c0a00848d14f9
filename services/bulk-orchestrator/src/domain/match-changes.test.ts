import { describe, expect, it } from '@jest/globals';
import type { BatchChange } from '@tds/contracts';
import { failedWith } from '../test-support/changes.ts';
import { matchChanges, type SavedRow } from './match-changes.ts';

const row = (given: Partial<SavedRow> = {}): SavedRow => ({
  position: 0,
  status: 'pending',
  operationId: 'now',
  tries: 1,
  waitingSince: null,
  ...given,
});
const moved = (state: 'fetching' | 'cancelled', operationId = 'now') =>
  ({ operationId, position: 0, state }) as BatchChange;
const delivered = (charge: 0 | 1, operationId = 'now') =>
  ({ operationId, position: 0, state: 'delivered', charge, cache: 'MISS' }) as BatchChange;
const failed = (operationId = 'now') =>
  failedWith('no_captions')({ operationId, position: 0, videoId: 'v' }, {} as never) as BatchChange;

describe('changes of a row', () => {
  it('begin it when its turn has come, under the same operation', () => {
    const { movedRows: changes } = matchChanges([row()], [moved('fetching')], false);
    expect(changes).toMatchObject([{ status: 'processing', operationId: 'now', isAttempt: false, tries: 1 }]);
  });

  it('return it to waiting if it was not begun, and cancel it in an ended job', () => {
    const [open, over] = [false, true].map(
      (isOver) => matchChanges([row()], [moved('cancelled')], isOver).movedRows[0],
    );
    expect(open).toMatchObject({ status: 'pending', operationId: null, isAttempt: false, tries: 1 });
    expect(over).toMatchObject({ status: 'cancelled', operationId: null });
  });

  it.each([
    ['failed', failed('past')],
    ['cancelled', moved('cancelled', 'past')],
    ['fetching', moved('fetching', 'past')],
  ])('of an earlier attempt (%s) change nothing', (_state, changes) => {
    expect(matchChanges([row()], [changes], false)).toEqual({ movedRows: [], endedRows: [] });
  });

  it.each([
    ['a row that waits', row({ operationId: null }), 0, true],
    ['a row that has failed', row({ operationId: null, status: 'error' }), 1, true],
    ['a row that was cancelled', row({ operationId: null, status: 'cancelled' }), 1, true],
    ['a row that was cached, if it was charged', row({ operationId: null, status: 'cached' }), 1, true],
    ['a row that was cached, if it was not', row({ operationId: null, status: 'cached' }), 0, false],
    ['a row that was fetched', row({ operationId: null, status: 'fetched' }), 1, false],
  ] as const)('of a delivery under a forgotten operation: %s', (_title, known, charge, isTaken) => {
    expect(matchChanges([known], [delivered(charge, 'forgotten')], false).endedRows).toHaveLength(
      isTaken ? 1 : 0,
    );
  });

  it('count once per row: the last, and a delivery before all others', () => {
    const changes = [moved('fetching'), delivered(1), failed()];
    const { movedRows: others, endedRows: ended } = matchChanges([row()], changes, false);
    expect([others, ended.map(({ outcome }) => outcome.state)]).toEqual([[], ['delivered']]);
    expect(matchChanges([row()], [moved('fetching'), failed()], false).endedRows).toHaveLength(1);
  });
});
