/** What the processor answers instead of an object. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly more: object;

  constructor(
    status: number,
    code: string,
    message: string,
    type = 'invalid_request_error',
    more: object = {},
  ) {
    super(message);
    this.more = more;
    this.status = status;
    this.code = code;
    this.type = type;
  }
}

const NOT_FOUND = 404;
const BAD_REQUEST = 400;

export const notFound = (name: string, id: string): ApiError =>
  new ApiError(NOT_FOUND, 'resource_missing', `No such ${name}: '${id}'`);

export const badRequest = (code: string, message: string): ApiError => new ApiError(BAD_REQUEST, code, message);
