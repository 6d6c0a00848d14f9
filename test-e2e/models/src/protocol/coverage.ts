/** The cases that a run has covered: a run without them proves nothing. */
export const noCoverage = () => ({
  deliveries: 0,
  shared: 0,
  begunBeforeTheirStop: 0,
  refusedCreations: 0,
  retries: 0,
  takeovers: 0,
  lateCommands: 0,
  deaths: 0,
  forgottenBatches: 0,
  paidAlready: 0,
  chargedAgain: 0,
  releasedByComparison: 0,
  waivedBatches: 0,
  restores: 0,
});
export type Coverage = ReturnType<typeof noCoverage>;
