import { billing } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { customerOf } from '../application/customer-of.ts';
import type { Deps } from '../deps.ts';

export const openPortal = onCommand(
  billing.openPortal,
  async (deps: Pick<Deps, 'db' | 'processor'>, { accountId }) =>
    deps.processor.openPortal(await customerOf(deps, accountId)),
);
