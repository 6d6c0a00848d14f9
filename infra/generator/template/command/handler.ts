import { exampleService } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';

export const exampleCommand = onCommand(
  exampleService.exampleCommand,
  async (_deps: Pick<Deps, never>, { accountId }) => ({
    accountId,
  }),
);
