import { z } from 'zod';
import { uuid } from './ids.ts';

/** Live receivers of an account. */
export const MAX_RECEIVERS = 10;

/** The receivers that a job or a monitor names: its events go to them and to no others. None: to all but those that are `named_only`. */
export const receiverIds = z.array(uuid).max(MAX_RECEIVERS);
