import { webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';

export const readAppDocument = onCommand(
  webhookDispatcher.readAppDocument,
  async ({ documents }: Deps, { url }, { record }) => {
    const document = await documents.read(url);
    record.add({ status: document?.status ?? null });
    return { document };
  },
);
