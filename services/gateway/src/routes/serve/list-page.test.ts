import { describe, expect, it } from '@jest/globals';
import { parseQuery, routes, routeTable, splitQuery } from '@tds/http-api';
import { listPage } from './route-answer.ts';

const fields = ['limit', 'offset', 'total', 'has_more', 'next'];

describe('a list', () => {
  it('has one form of paging on every route with an offset', () => {
    const lists = routeTable.filter(({ id, query }) => 'offset' in query && id !== 'listVideos');
    expect(lists.map(({ id }) => id).sort()).toEqual(
      [
        'getUsage',
        'listAudit',
        'listDeliveries',
        'listJobVideos',
        'listJobs',
        'listLibrary',
        'listMatches',
        'listMonitorMatches',
        'listMonitors',
        'listMonitorVideos',
        'listPurchases',
        'listRequests',
        'searchLibrary',
      ].sort(),
    );
    for (const row of lists) {
      const text = JSON.stringify(
        row.responses[200]?.schema?.toJSONSchema({ io: 'input', unrepresentable: 'any' }),
      );
      for (const field of fields)
        expect([row.id, text]).toEqual([row.id, expect.stringContaining(`"${field}"`)]);
    }
  });

  it('is read completely by following next, with the filters of the first page', () => {
    const rows = Array.from({ length: 7 }, (_, at) => at);
    const read: number[] = [];
    for (let search = '?limit=3&status=failed', turns = 0; turns < 4; turns += 1) {
      const query = parseQuery(routes.listJobs, splitQuery(search.slice(1)));
      const shown = rows.slice(query.offset, query.offset + query.limit);
      read.push(...shown);
      const page = listPage(routes.listJobs, query, { count: shown.length, total: rows.length });
      expect(page).toMatchObject({ limit: 3, offset: query.offset, total: 7, has_more: read.length < 7 });
      if (page.next === null) break;
      expect(page.next).toBe(`/v1/jobs?limit=3&offset=${query.offset + 3}&status=failed`);
      search = page.next.replace('/v1/jobs', '');
    }
    expect(read).toEqual(rows);
  });

  it('has no next page that its route rejects', () => {
    const page = listPage(routes.listDeliveries, { limit: 100, offset: 9_950 }, { count: 100, total: 20_000 });
    expect(page).toMatchObject({ has_more: true, next: null });
  });
});
