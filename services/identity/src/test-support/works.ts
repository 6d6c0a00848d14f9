import { quoteText } from '../domain/mail-text.ts';

/** For counted steps. */
export const works = { 'a quoted text': quoteText };
