import { Agent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { isIP, Socket, type LookupFunction } from 'node:net';

/** Milliseconds within which a connection must be made. */
const connectWithinMs = 2_000;

/** Keep-alive time of an idle connection, in milliseconds, unless the server sets a shorter one. */
const keepIdleMs = 30_000;

/** Idle connections are closed this many milliseconds before the server does, so that no request is lost. */
const closeEarlierMs = 1_000;

/** Keep-alive connections to a server. */
export type Connections = Agent;

/**
 * @param target - of the requests that will use them
 * @param ip - the IP address of its host name; `undefined` if the host is one
 * @param maxSockets - requests beyond this wait for a free connection
 */
export function openConnections(
  { protocol, hostname }: { readonly protocol: string; readonly hostname: string },
  ip: string | undefined,
  maxSockets: number,
): Connections {
  const options = {
    keepAlive: true,
    maxSockets,
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
  // Node's own implementation would read the headers again; `readHead` already has.
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

/** What a response says about its connection. */
export interface ResponseHead {
  /** Whether the server closes it. */
  readonly closes: boolean;
  /** Length of the body; `undefined` if it isn't known. */
  readonly bytes: number | undefined;
}

/** Reads the headers that concern the connection, and shortens its idle time to that of the server. */
export function readHead({ rawHeaders, socket }: IncomingMessage): ResponseHead {
  let closes = false;
  let bytes: number | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const { length } = rawHeaders[i] ?? '';
    // Lengths first: comparing them is much cheaper.
    if (length !== 10 && length !== 14) continue;
    const name = rawHeaders[i]?.toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    if (name === 'connection') closes = value.toLowerCase().includes('close');
    else if (name === 'keep-alive') shorten(socket, value);
    else if (name === 'content-length') bytes = Number(value);
  }
  return { closes, bytes };
}

function shorten(socket: Socket, keepAlive: string): void {
  const seconds = Number(/^timeout=(\d+)/.exec(keepAlive)?.[1] ?? Infinity);
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
