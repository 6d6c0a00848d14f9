import type { Route } from '@tds/http-api';

type PageQuery = Readonly<Record<string, unknown>> & { readonly limit: number; readonly offset: number };
type Shown = { readonly shown: number; readonly total: number };

/** The paging fields of a list. `next` repeats the query for the following page, up to the route's largest offset. */
export const listPage = (
  { path, query: fields }: Pick<Route, 'path' | 'query'>,
  query: PageQuery,
  { shown, total }: Shown,
) => {
  const { limit, offset } = query;
  const after = offset + shown;
  const hasMore = shown > 0 && after < total;
  const isReachable = fields.offset?.schema.safeParse(String(after)).success === true;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, offset: after }))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  return {
    limit,
    offset,
    total,
    has_more: hasMore,
    next: hasMore && isReachable ? `${path}?${parameters}` : null,
  };
};
