import type { ByteBudget } from '../budget.ts';

/** The bytes of one day, for all callers together. */
export const memoryByteBudget = (bytes: number): ByteBudget => {
  let balance = bytes;
  return {
    remaining: async () => balance,
    async spend(spending) {
      balance = Math.max(0, balance - spending);
    },
  };
};
