import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { openLine as open } from '../application/open-line.ts';
import type { Deps } from '../deps.ts';

export const openLine = onCommand(transcriptFetcher.openLine, (deps: Deps, request, context) =>
  open(deps, request, context),
);
