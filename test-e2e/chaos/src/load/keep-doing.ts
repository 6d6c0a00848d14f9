import { sleep } from '#support';

const STEP_MS = 100;

/** Repeats an act, with a pause after each, until the run is over. It learns how many came before. */
export const keepDoing = async (
  act: (turn: number) => Promise<unknown>,
  everyMs: number,
  isOver: () => boolean,
): Promise<void> => {
  for (let turn = 0; !isOver(); turn += 1) {
    await act(turn);
    for (let waited = 0; waited < everyMs && !isOver(); waited += STEP_MS) await sleep(STEP_MS);
  }
};
