import { InvalidArgumentError } from '@commander-js/extra-typings';

/** The value of an option that is a whole number from 0 on. */
export const count = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
};
