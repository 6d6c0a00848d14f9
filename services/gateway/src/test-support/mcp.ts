import request from 'supertest';

export const message = (method: string, params?: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method },
  ...(params && { params }),
});

/** Posts messages to the assistant route with the headers of a caller. */
export const mcpOf = (url: string) => {
  const post = (headers: object, body: unknown) =>
    request(url)
      .post('/v1/mcp')
      .set(headers as never)
      .send(body as object);
  return {
    post,
    callTool: (headers: object, name: string, given?: unknown) =>
      post(headers, message('tools/call', { name, arguments: given })),
  };
};
