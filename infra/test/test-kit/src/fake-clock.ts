export interface FakeClock {
  /** To be passed wherever a clock is an argument. */
  readonly now: () => Date;
  advance(ms: number): void;
  set(time: Date | string): void;
}

/** A clock that stands still until the test moves it. */
export const fakeClock = (start: Date | string = '2026-01-15T12:00:00.000Z'): FakeClock => {
  let timeMs = new Date(start).getTime();
  return {
    now: () => new Date(timeMs),
    advance: (ms) => {
      timeMs += ms;
    },
    set: (time) => {
      timeMs = new Date(time).getTime();
    },
  };
};
