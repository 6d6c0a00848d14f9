/** A task that was saved with a lease of this process. */
export type PreLeasedTask = {
  readonly id: string;
  readonly payload: unknown;
  readonly headers: unknown;
  readonly isPartitioned?: boolean;
};

/**
 * Slots of this process's worker pool, for tasks that are about to be saved. Such a task is pre-leased: its first attempt
 * begins here right after the commit, without a claim. If the process dies in between, the lease runs out.
 */
export type TaskSlots = {
  readonly count: number;
  readonly leaseMs: number;
  /** After the commit, for at most `count` tasks. */
  begin(saved: PreLeasedTask): void;
  /** Frees the slots in which nothing was begun. */
  giveBack(): void;
};

export const noSlots: TaskSlots = {
  count: 0,
  leaseMs: 0,
  begin: ({ id }) => {
    throw new Error(`there is no slot for task ${id}`);
  },
  giveBack: () => {},
};
