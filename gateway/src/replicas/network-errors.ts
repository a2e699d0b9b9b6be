/** No connection was made. */
const noConnection = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/** A connection broke. We can't know whether the request was processed. */
const brokenConnection = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET']);

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
