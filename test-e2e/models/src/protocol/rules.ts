/** The rules of the protocol; each can be switched off. */
export const rules = {
  /** Rows of a reservation get no turn before the ledger holds their credits. */
  beginsWhenHeld: true,
  /** A call that finds an unfinished opening finishes it first, whatever rows it has. */
  finishesOpenings: true,
  /** A repeat of a reservation gets the same missing rows, even if another call deleted them. */
  answersAlike: true,
  /** Begun rows of a paused batch continue, and are charged if they are delivered. */
  goesOnWhenBegun: true,
  /** A batch that is stopped before its first row stays stopped. */
  stopsBeforeItsRows: true,
  /** Of several rows of an account that wait for one new track, one pays. */
  onePays: true,
  /** A day belongs to a slot, whichever keys use it. */
  daysBelongToSlots: true,
  /** Each reservation uses the current cap of its key. */
  asksForTheCapOfNow: true,
  /** Charges that a restored ledger lost are made again. */
  chargesAgain: true,
  /** For a batch that the fetcher lost, or may have lost, the ledger is asked for paid items. */
  asksWhatIsPaid: true,
  /** Every end of a job's creation answers its key. */
  answersKeys: true,
  /** Of several answers about one opening, the last request's counts. */
  hearsTheLastAnswer: true,
};
export type Rules = Readonly<typeof rules>;
export type Rule = keyof Rules;
