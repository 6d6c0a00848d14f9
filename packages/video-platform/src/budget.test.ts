import { expect, it } from '@jest/globals';
import { secondsUntilRefill } from './budget.ts';

it('the budget refills after the rest of the UTC day, in whole seconds', () => {
  expect(secondsUntilRefill(new Date('2026-03-01T23:59:30.500Z'))).toBe(30);
  expect(secondsUntilRefill(new Date('2026-03-01T00:00:00Z'))).toBe(86_400);
});
