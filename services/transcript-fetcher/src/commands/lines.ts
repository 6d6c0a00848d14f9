import { transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import { listChanges } from '../application/changes.ts';
import { settleNow } from '../application/credits.ts';
import { openLine as open } from '../application/open-line.ts';
import type { Deps } from '../deps.ts';
import {
  disownLine as disown,
  lineVersions as find,
  haltLine as halt,
  listLines as list,
} from '../store/lines.ts';

export const openLine = onCommand(transcriptFetcher.openLine, (deps: Deps, request, context) =>
  open(deps, request, context),
);

/** Rows that have begun continue, and are charged if they are delivered. */
export const haltLine = onCommand(transcriptFetcher.haltLine, async (deps: Deps, { as, ...ids }) => {
  const { version, settlement } = await halt(deps.sql, ids, as);
  if (version === null) throw serviceError('job_not_found');
  crashPoint('line-halted');
  void settleNow(deps, settlement);
  return { version };
});

/** For a line whose job no longer exists: nothing more begins, and nothing of it is charged. */
export const disownLine = onCommand(transcriptFetcher.disownLine, async (deps: Deps, ids) => {
  const { settlement } = await halt(deps.sql, ids, 'stopped');
  await disown(deps.sql, ids);
  void settleNow(deps, settlement);
  return {};
});

export const readChanges = onCommand(transcriptFetcher.readChanges, (deps: Deps, { lineId, after }) =>
  listChanges(deps, lineId, after),
);

export const lineVersions = onCommand(transcriptFetcher.lineVersions, async ({ sql }: Deps, { lineIds }) => ({
  lines: await find(sql, lineIds),
}));

export const listLines = onCommand(transcriptFetcher.listLines, async ({ sql }: Deps, { after, limit }) => ({
  lines: await list(sql, after, limit),
}));
