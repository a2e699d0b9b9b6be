import { Agent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { isIP, Socket, type LookupFunction } from 'node:net';

/** Milliseconds within which a connection must be made. */
const connectWithinMs = 2_000;

/** Keep-alive time of an idle connection, in milliseconds, unless the server sets a shorter one. */
const keepIdleMs = 30_000;

/** Idle connections are closed this many milliseconds before the server does, so that no request is lost. */
const closeEarlierMs = 1_000;

/**
 * Opens keep-alive connections to a server: any number, because requests that wait for a free one wouldn't be measured.
 *
 * @param ip - the IP address of its host name; `undefined` if the host is one
 */
export function openConnections({ protocol, hostname }: URL, ip: string | undefined): Agent {
  const options = {
    keepAlive: true,
    // By default Node takes it from each request's Host, which the client chose.
    servername: isIP(hostname) === 0 ? hostname : '',
    ...(ip !== undefined && { lookup: always(ip) }),
  };
  const agent = protocol === 'https:' ? new SecureAgent(options) : new Agent(options);
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = create(...args);
    if (socket instanceof Socket) limit(socket);
    return socket;
  };
  // By default Node looks for the server's idle time in the headers, which `followKeepAlive` has read.
  agent.keepSocketAlive = (socket) => {
    if (socket instanceof Socket) socket.unref();
    return true;
  };
  return agent;
}

/** Sets the connect timeout, then the idle time: on `timeout` an agent closes an idle connection. */
function limit(socket: Socket): void {
  const timer = setTimeout(
    () => socket.destroy(Object.assign(new Error('connect timeout'), { code: 'ETIMEDOUT', syscall: 'connect' })),
    connectWithinMs,
  );
  const stop = (): void => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
  socket.setTimeout(keepIdleMs);
}

/** Whether a server closes the connection after its response. */
export function closesConnection({ headers: { connection } }: IncomingMessage): boolean {
  return connection !== undefined && connection !== 'keep-alive' && connection.toLowerCase().includes('close');
}

/** Shortens a connection's idle time to what its server allows. */
export function followKeepAlive({ headers, socket }: IncomingMessage): void {
  const seconds = Number(/^timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1] ?? Infinity);
  const idleMs = Math.max(1, seconds * 1000 - closeEarlierMs);
  if (idleMs < (socket.timeout ?? Infinity)) socket.setTimeout(idleMs);
}

function always(ip: string): LookupFunction {
  const family = ip.includes(':') ? 6 : 4;
  return (_host, options, found) => {
    if (options.all) found(null, [{ address: ip, family }]);
    else found(null, ip, family);
  };
}
