import { deleteFromAccount } from './delete-from-account.ts';
import { getAccount } from './get-account.ts';
import { putInAccount } from './put-webhook.ts';

export const accountRoutes = { getAccount, putInAccount, deleteFromAccount };
