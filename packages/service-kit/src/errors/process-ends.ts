/** Work in hand was cut off because this process ends: it has not failed, and somebody else goes on with it. */
export class ProcessEnds extends Error {
  override readonly name = 'ProcessEnds';

  constructor() {
    super('the process ends');
  }
}
