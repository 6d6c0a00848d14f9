import { Command } from '@commander-js/extra-typings';

/**
 * A command of the repository as it is typed, `npm run bench --`. Where options cannot be read, a sentence goes to stderr
 * and the process ends with 1; with `--help` they are listed, and it ends with 0.
 */
export const command = (typed: string, description: string) =>
  new Command(typed).description(description).showHelpAfterError('--help lists what there is.');
