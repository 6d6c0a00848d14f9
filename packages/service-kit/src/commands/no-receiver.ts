import { RequestError } from '@nats-io/nats-core';
import type { ServiceError } from '@tds/contracts';

/** Whether a call failed because nobody was there to receive the command: then certainly nothing was begun. */
export const hadNoReceiver = ({ cause }: ServiceError): boolean =>
  cause instanceof RequestError && cause.isNoResponders();
