/** Makes streams, and is the only one who may. */
export const PROVISIONER = 'provisioner';
/** May do everything: for people, tests and measures of a system that they run. */
export const OPERATOR = 'operator';

/** Where a user of the broker receives answers: from one callee, or from the broker itself. */
export const inboxOf = (user: string, callee?: string): string =>
  callee === undefined ? `_INBOX_${user}` : `_INBOX_${user}.${callee}`;
