/** The last attempt began what others see and was cut off: it may have happened, and may not be begun again. */
export class NoAttemptLeft extends Error {
  override readonly name = 'NoAttemptLeft';

  constructor(attempts: number) {
    super(`all ${attempts} attempts have begun, and nobody knows how the last one ended`);
  }
}
