import { RequestError } from '@nats-io/nats-core';
import type { ServiceError } from '@tds/contracts';

/** Whether a request ended because there is nobody who receives the command. */
export const isWithoutReceiver = (cause: unknown): boolean =>
  cause instanceof RequestError && cause.isNoResponders();

/** Whether a call failed before anybody worked for it: then certainly nothing was begun. Of any other failure the outcome is unknown. */
export const hasBegunNothing = ({ data }: ServiceError): boolean => data.nothingBegun === true;
