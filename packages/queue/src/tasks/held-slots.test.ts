import { describe, expect, it } from '@jest/globals';
import { defineContract } from '@tds/contracts';
import { z } from 'zod';
import { checkSlots } from './progress.ts';

const shape = { payload: z.object({}), leaseMs: 10_000, backoffMs: [], concurrency: 8 };
const { limited, endless } = defineContract('status', {
  tasks: { limited: { ...shape, timeLimitMs: 60_000 }, endless: { ...shape, timeLimitMs: null } },
});

describe('the check of slots', () => {
  it.each([
    ['no slot is held', limited, 0],
    ['a handler that overran its limit is just being given up', limited, 65_000],
    ['what has no limit takes its time', endless, 179_000],
  ])('is content while %s', (_what, task, heldMs) => {
    expect(() => checkSlots([{ task, heldForMs: () => heldMs }])).not.toThrow();
  });

  it.each([
    [limited, 71_000],
    [endless, 181_000],
  ])('complains of slots that are not released: %o', (task, heldMs) => {
    const held = { task, heldForMs: () => heldMs };
    const complaint = `all 8 slots of ${task.wireName} are held for ${heldMs / 1_000} s`;
    expect(() => checkSlots([{ task: limited, heldForMs: () => 0 }, held])).toThrow(complaint);
  });
});
