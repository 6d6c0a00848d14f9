import { createWakeSignal } from '@tds/base';
import { createSemaphore } from '@tds/base/internals';

type TurnOptions<Row, Outcome> = {
  /** Saves outcomes, and claims up to `maxRows` rows. */
  readonly turn: (outcomes: readonly Outcome[], maxRows: number) => Promise<readonly Row[]>;
  /** Never rejects; null if there is nothing to save. */
  readonly work: (row: Row) => Promise<Outcome | null>;
  /** Rows that this process works on at the same time. */
  readonly concurrency: number;
};

/** Outcomes, and rows, in one turn. */
const MAX_ROWS_PER_TURN = 500;

/** Works on rows turn by turn: each saves the outcomes since the one before, and claims as many rows as there is room for. */
export const createTurns = <Row, Outcome>({ turn, work, concurrency }: TurnOptions<Row, Outcome>) => {
  const slots = createSemaphore(concurrency);
  const { wake, wait } = createWakeSignal();
  const outcomes: Outcome[] = [];
  const begin = async (row: Row): Promise<void> => {
    const outcome = await work(row);
    if (outcome !== null) outcomes.push(outcome);
    wake();
  };
  return {
    slots,
    wake,
    /** Resolves when a row has ended, or when it is woken. */
    wait,
    hasUnsaved: () => outcomes.length > 0,
    isIdle: () => outcomes.length === 0 && slots.free() === concurrency,
    /** Resolves to the number of claimed rows. If it throws, the outcomes are saved by the next turn. */
    async take(isClaiming: boolean): Promise<number> {
      const batch = outcomes.slice(0, MAX_ROWS_PER_TURN);
      const room = isClaiming ? Math.min(slots.free(), MAX_ROWS_PER_TURN) : 0;
      if (batch.length === 0 && room === 0) return 0;
      const claimed = await turn(batch, room);
      outcomes.splice(0, batch.length);
      for (const row of claimed) void slots.run(() => begin(row));
      return claimed.length;
    },
  };
};
