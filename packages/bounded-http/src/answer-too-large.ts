export class AnswerTooLarge extends Error {
  constructor(mostBytes: number) {
    super(`more than ${mostBytes} bytes`);
  }
}
