import { describe, expect, it } from '@jest/globals';
import { createAfterAnswer } from './after-answer.ts';

describe('afterAnswer', () => {
  it('starts the work later, and reports a failure to the log only', async () => {
    const errors: unknown[] = [];
    const done: string[] = [];
    const { run, drain } = createAfterAnswer((error) => errors.push(error));
    run(async () => void done.push('one'));
    run(async () => {
      throw new Error('redis is away');
    });
    expect(done).toEqual([]);
    await drain();
    expect(done).toEqual(['one']);
    expect(errors).toEqual([new Error('redis is away')]);
  });
});
