import { parseBody, parseQuery, splitQuery } from '../fields/parse-fields.ts';
import { routes, routeTable } from '../routes/index.ts';

const attempt = (work: () => unknown) => {
  try {
    work();
  } catch {
    // Refused.
  }
};

/** The schema of every field of every route. */
export const fields = routeTable.flatMap((row) => [
  ...Object.entries(row.query).map(([name, { schema }]) => ({ where: `${row.id}?${name}`, schema })),
  ...Object.entries(row.body ?? {}).map(([name, { schema }]) => ({ where: `${row.id}.${name}`, schema })),
  ...Object.entries(row.params).map(([name, { schema }]) => ({ where: `${row.id}/${name}`, schema })),
]);

/** For counted steps. */
export const works = {
  ...Object.fromEntries(
    fields.map(({ where, schema }) => [
      where,
      (texts: readonly string[]) => {
        for (const text of texts)
          for (const value of [text, [text], { [text]: text }]) attempt(() => schema.safeParse(value));
      },
    ]),
  ),
  query: ([search = '']: readonly string[]) =>
    attempt(() => parseQuery(routes.getTranscript, splitQuery(search))),
  body: ([text = '']: readonly string[]) => attempt(() => parseBody(routes.createJob.body, text)),
  /** Each as the value of each field of a body. */
  values: (texts: readonly string[]) => {
    for (const { body } of routeTable)
      for (const name of Object.keys(body ?? {}))
        for (const text of texts) attempt(() => parseBody(body ?? {}, `{"${name}":${text}}`));
  },
};
