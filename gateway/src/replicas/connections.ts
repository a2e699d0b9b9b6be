import { Agent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { isIP, Socket, type LookupFunction } from 'node:net';

/** Milliseconds within which a connection must be made. */
const connectWithinMs = 2_000;

/** Keep-alive time of an idle connection, in milliseconds; where the server sets a shorter one, Node ends it a second earlier. */
const keepIdleMs = 30_000;

/**
 * Opens keep-alive connections to a server: any number, because requests that wait for a free one wouldn't be measured.
 *
 * @param ip - the IP address of its host name; `undefined` if the host is one
 */
export function openConnections({ protocol, hostname }: URL, ip: string | undefined): Agent {
  const options = {
    keepAlive: true,
    timeout: keepIdleMs,
    // By default Node takes it from each request's Host, which the client chose.
    servername: isIP(hostname) === 0 ? hostname : '',
    ...(ip !== undefined && { lookup: always(ip) }),
  };
  const agent = protocol === 'https:' ? new SecureAgent(options) : new Agent(options);
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = create(...args);
    if (socket instanceof Socket) limitConnect(socket);
    return socket;
  };
  return agent;
}

function limitConnect(socket: Socket): void {
  const timer = setTimeout(
    () => socket.destroy(Object.assign(new Error('connect timeout'), { code: 'ETIMEDOUT', syscall: 'connect' })),
    connectWithinMs,
  );
  const stop = (): void => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
}

/** Whether a server closes the connection after its response. */
export function closesConnection({ headers: { connection } }: IncomingMessage): boolean {
  return connection !== undefined && connection !== 'keep-alive' && connection.toLowerCase().includes('close');
}

function always(ip: string): LookupFunction {
  const family = ip.includes(':') ? 6 : 4;
  return (_host, options, found) => {
    if (options.all) found(null, [{ address: ip, family }]);
    else found(null, ip, family);
  };
}
