import { Command, InvalidArgumentError } from '@commander-js/extra-typings';

export { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';

/**
 * A command of the repository as it is typed, `npm run bench --`. If options cannot be read, it writes a sentence to stderr
 * and the process ends with 1; `--help` lists the options and ends with 0.
 */
export const command = (typed: string, description: string) =>
  new Command(typed).description(description).showHelpAfterError('--help lists what there is.');

/** The value of an option that is a whole number from 0 on. */
export const count = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
};
