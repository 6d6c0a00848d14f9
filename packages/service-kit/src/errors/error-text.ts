import { redactText } from '../log/secret-text.ts';

const MAX_CHARACTERS = 500;

/** An error in one line for a row's `last_error`: without secrets, bounded. */
export const errorText = (thrown: unknown): string =>
  redactText(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown), MAX_CHARACTERS);
