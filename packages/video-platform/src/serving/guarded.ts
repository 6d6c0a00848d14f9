import { ServiceError } from '@tds/contracts';
import { platformError } from '../errors/platform-error.ts';

/** An error that nobody foresaw becomes `upstream_error`: no raw error leaves the package. */
export const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : platformError('upstream_error', { cause: thrown });
  }
};
