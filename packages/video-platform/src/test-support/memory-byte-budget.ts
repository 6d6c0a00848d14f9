import type { ByteBudget } from '../budget.ts';

/** The bytes of one day, for all callers together. */
export const memoryByteBudget = (bytes: number): ByteBudget => {
  let left = bytes;
  return {
    remaining: async () => left,
    async spend(spent) {
      left = Math.max(0, left - spent);
    },
  };
};
