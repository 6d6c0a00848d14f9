/** What a message says as the text of a JSON value: itself, or as a string where it is not JSON. */
export const jsonText = (body: string): string => {
  try {
    JSON.parse(body);
    return body;
  } catch {
    return JSON.stringify(body);
  }
};
