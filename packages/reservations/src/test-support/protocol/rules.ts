/** The rules that the protocol rests on, each with what it would be without them: a broken twin. */
export const rules = {
  /** Rows of a round are given no turn before the ledger has said which of them it holds. */
  beginsWhenHeld: true,
  /** Whoever finds a line in the middle of an opening finishes that one first, whosever rows it has. */
  finishesOpenings: true,
  /** Whoever asks for a round hears which rows it lacks, also where somebody else has let them go. */
  answersAlike: true,
  /** What has begun goes on when its line is halted, and is charged if it is delivered. */
  goesOnWhenBegun: true,
  /** A line that is stopped before its first row stays stopped. */
  stopsBeforeItsRows: true,
  /** Of several rows of an account that wait for one new track, one pays. */
  onePays: true,
  /** A day belongs to a slot, whichever keys stand in it. */
  daysBelongToSlots: true,
  /** Each round asks for the cap that its key has then. */
  asksForTheCapOfNow: true,
  /** What a ledger that went back has lost is charged again. */
  chargesAgain: true,
  /** Of a line that the fetcher has forgotten, or may have, what is paid is asked of the ledger. */
  asksWhatIsPaid: true,
  /** Whatever ends the creation of a job answers its key. */
  answersKeys: true,
  /** Of several answers about one opening, the last one asked for is heard. */
  hearsTheLastAnswer: true,
};
export type Rules = Readonly<typeof rules>;
export type Rule = keyof Rules;
