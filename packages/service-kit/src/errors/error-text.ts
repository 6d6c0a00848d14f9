import { redactText } from '../log/secret-text.ts';

const MAX_CHARACTERS = 500;

/** An error in one line for a row's `last_error`: without secrets, bounded. */
export const errorText = (thrown: unknown): string =>
  redactText(Error.isError(thrown) ? `${thrown.name}: ${thrown.message}` : String(thrown), MAX_CHARACTERS);
