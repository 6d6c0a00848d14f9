/** A task that was saved with this process's lease. */
export type BornHeld = { readonly id: string; readonly payload: unknown; readonly headers: unknown };

/**
 * Places in this process for tasks that are about to be saved. Such a task is born held: its first attempt begins here
 * right after the commit, without a claim; a death in between leaves a lease that runs out.
 */
export type Places = {
  readonly count: number;
  readonly leaseMs: number;
  /** After the commit, for at most `count` tasks. */
  begin(saved: BornHeld): void;
  /** Frees the places in which nothing was begun. */
  giveBack(): void;
};

export const noPlaces: Places = {
  count: 0,
  leaseMs: 0,
  begin: ({ id }) => {
    throw new Error(`there is no place for task ${id}`);
  },
  giveBack: () => {},
};
