/** No connection was made. */
const noConnection = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/** A connection broke. We can't know whether the request was processed. */
const brokenConnection = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Whether nothing was sent: such a request can be retried on another server, safe or not. */
export function isUnreachable(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === 'connect' || (code !== undefined && noConnection.has(code));
}

/** Whether the connection broke during the request: only a safe one can be retried. */
export function isBroken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && brokenConnection.has(code);
}

/** Node can't send such a request, whatever the server. */
const unsuitable = new Set([
  'ERR_INVALID_URL',
  'ERR_UNESCAPED_CHARACTERS',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_HTTP_INVALID_HEADER_VALUE',
]);

/** Whether the request itself can't be sent, so that the server isn't to blame. */
export function isUnsuitable(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && unsuitable.has(code);
}
