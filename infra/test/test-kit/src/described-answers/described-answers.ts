import { createAnswerCheck } from './check-answer.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { watchServer } from './seen-answers.ts';

const SHOWN_CHARACTERS = 500;

/** Checks every answer of servers in this process against the API description. */
export const describedAnswers = (document: object) => {
  const check = createAnswerCheck(document as OpenApiDocument);
  let breaches: string[] = [];
  return {
    /** Gives what ends the watching. */
    watch: (url: string): (() => void) =>
      watchServer(Number(new URL(url).port), (answer) => {
        const { method, url: target, status, body } = answer;
        for (const breach of check(answer)) {
          breaches.push(
            `${method} ${target} ${status}: ${breach}\n${body.toString().slice(0, SHOWN_CHARACTERS)}`,
          );
        }
      }),
    /** Throws if an answer since the last look was not as the description says. */
    assertDescribed(): void {
      const reported = breaches;
      breaches = [];
      if (reported.length > 0) throw new Error(`The API description says otherwise:\n${reported.join('\n\n')}`);
    },
  };
};
