/** No connection came about. */
const noConnection = new Set([
  'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED',
]);

/** A connection broke. Whether the request was worked on, nobody knows. */
const brokenConnection = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET']);

/** Whether nothing has been sent: such a request can go to another server, whatever it asks for. */
export function isUnreachable(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === 'connect' || (code !== undefined && noConnection.has(code));
}

/** Whether the connection broke under the request: one that changes nothing can be sent a second time. */
export function isBroken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && brokenConnection.has(code);
}
