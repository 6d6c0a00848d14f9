import { describe, expect, it } from '@jest/globals';
import { createStatementNames } from './sql.ts';

describe('names of statements', () => {
  it('are the same for the same text and others for another', () => {
    const nameOf = createStatementNames();
    expect(nameOf({ sql: 'SELECT 1' })).toBe(createStatementNames()({ sql: 'SELECT 1' }));
    expect(nameOf({ sql: 'SELECT 1' })).not.toBe(nameOf({ sql: 'SELECT 2' }));
  });

  it('are as short as Postgres wants them', () => {
    expect(createStatementNames()({ sql: 'SELECT 1' })).toHaveLength(32);
  });

  it('are given to a bounded number of statements', () => {
    const nameOf = createStatementNames(1);
    const first = nameOf({ sql: 'SELECT 1' });
    expect(nameOf({ sql: 'SELECT 2' })).toBe('');
    expect(nameOf({ sql: 'SELECT 1' })).toBe(first);
  });
});
