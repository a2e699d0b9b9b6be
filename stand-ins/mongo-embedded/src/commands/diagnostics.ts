import { Binary } from 'bson';
import { isDoc } from '../bson/values.ts';
import type { Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { SESSION_TIMEOUT_MINUTES } from '../storage/sessions.ts';
import { MAX_DOCUMENT_BYTES } from '../update/updater.ts';
import { MAX_MESSAGE_BYTES } from '../server/wire.ts';
import type { Handler } from './command.ts';

/** The emulated MongoDB version, and its wire version. */
const VERSION = '7.0.0';
const MAX_WIRE_VERSION = 21;

/** `hello`, and its older names: presents the server as the primary of a replica set of one. */
export const hello: Handler = ({ address, replicaSet }, { name }) => ({
  ...(name === 'hello' ? {} : { ismaster: true }),
  isWritablePrimary: true,
  helloOk: true,
  secondary: false,
  setName: replicaSet,
  setVersion: 1,
  hosts: [address],
  me: address,
  primary: address,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  maxMessageSizeBytes: MAX_MESSAGE_BYTES,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: SESSION_TIMEOUT_MINUTES,
  minWireVersion: 0,
  maxWireVersion: MAX_WIRE_VERSION,
  readOnly: false,
  ok: 1,
});

/** `ping` */
export const ping: Handler = () => ({ ok: 1 });

/** `buildInfo` */
export const buildInfo: Handler = () => ({
  version: VERSION,
  versionArray: [7, 0, 0, 0],
  gitVersion: 'clinic-mongo-embedded',
  modules: ['embedded'],
  bits: 64,
  debug: false,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  storageEngines: ['sqlite'],
  ok: 1,
});

/** `getParameter`: supports the only parameter that clients request. */
export const getParameter: Handler = (_, { args }) => {
  if (!args.has('featureCompatibilityVersion'))
    throw outsideProfile('getParameter of anything but featureCompatibilityVersion');
  return { featureCompatibilityVersion: { version: VERSION.slice(0, 3) }, ok: 1 };
};

/** `listDatabases` */
export const listDatabases: Handler = ({ catalogue }) => {
  const names = new Set(catalogue.list().map(({ db }) => db));
  return { databases: [...names].toSorted().map((name) => ({ name, empty: false })), ok: 1 };
};

/** The bytes that identify a session in an lsid. */
export function sessionId(lsid: Value | undefined): Buffer {
  const id = isDoc(lsid) ? lsid.get('id') : undefined;
  if (!(id instanceof Binary) || id.position !== 16)
    throw new CommandError(14, "BSON field 'OperationSessionInfo.lsid.id' must be a UUID");
  return Buffer.from(id.buffer.subarray(0, 16));
}

/** `endSessions` and `killSessions` */
export const endSessions: Handler = ({ sessions, snapshots }, { name, args }) => {
  const list = args.get(name);
  if (!Array.isArray(list)) throw new CommandError(14, `BSON field '${name}' must be an array`);
  const ids = list.map(sessionId);
  snapshots.endOf(ids);
  sessions.end(ids);
  return { ok: 1 };
};

/** `killAllSessions`: aborts every open transaction. */
export const killAllSessions: Handler = ({ sessions, snapshots }) => {
  snapshots.clear();
  sessions.abortAll();
  return { ok: 1 };
};

/** `refreshSessions` */
export const refreshSessions: Handler = ({ sessions }, { args }) => {
  const list = args.get('refreshSessions');
  if (Array.isArray(list)) for (const lsid of list) sessions.get(sessionId(lsid));
  return { ok: 1 };
};
