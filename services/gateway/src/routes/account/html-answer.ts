import type { Route } from '@tds/http-api';
import { pageHeaders } from '../../pages/index.ts';
import { type AnswerTo, createAnswers } from '../serve/index.ts';

/** A page for people, as the answer of a row that describes one. */
export const htmlAnswer = <R extends Route>(row: R, html: string): AnswerTo<R> => ({
  ...(createAnswers(row as Route, 200).composed('text/html; charset=utf-8' as never, html) as AnswerTo<R>),
  headers: pageHeaders,
});
