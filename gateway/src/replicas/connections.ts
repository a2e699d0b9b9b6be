import { Agent, type AgentOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';

/** Milliseconds within which a connection must be made. */
const connectWithinMs = 2_000;

/** Keep-alive time of an idle connection, in milliseconds, unless the server sets a shorter one. */
const keepIdleMs = 30_000;

/** Keep-alive connections to a server. */
export type Connections = Agent;

/**
 * @param secure - TLS
 * @param ip - the IP address of the host name; `undefined` if the host is one. The name stays in the URL, for certificates
 * @param maxSockets - requests beyond this wait for a free connection
 */
export function openConnections(secure: boolean, ip: string | undefined, maxSockets: number): Connections {
  const options: AgentOptions = {
    keepAlive: true,
    timeout: keepIdleMs,
    maxSockets,
    ...(ip !== undefined && { lookup: always(ip) }),
  };
  const agent = secure ? new SecureAgent(options) : new Agent(options);
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = create(...args);
    if (!socket) return socket;
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('connect timeout'), { code: 'ETIMEDOUT', syscall: 'connect' })),
      connectWithinMs,
    );
    const stop = (): void => clearTimeout(timer);
    socket.once('connect', stop).once('close', stop);
    return socket;
  };
  return agent;
}

function always(ip: string): LookupFunction {
  const family = ip.includes(':') ? 6 : 4;
  return (_host, options, found) => {
    if (options.all) found(null, [{ address: ip, family }]);
    else found(null, ip, family);
  };
}
