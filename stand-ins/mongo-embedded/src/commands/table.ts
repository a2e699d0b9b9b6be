import type { Handler } from './command.ts';
import { create, createIndexes, drop, dropDatabase, dropIndexes, listCollections, listIndexes } from './collections.ts';
import {
  buildInfo,
  endSessions,
  getParameter,
  hello,
  killAllSessions,
  listDatabases,
  ping,
  refreshSessions,
} from './diagnostics.ts';
import { explain } from './explain.ts';
import { findAndModify } from './find-and-modify.ts';
import { aggregate, count, distinct, find, getMore, killCursors } from './read.ts';
import { insert, remove, update } from './write.ts';

/** How a command takes part in storage and transactions. */
export interface Command {
  run: Handler;
  /** Whether it may change what is stored. */
  writes?: true;
  /** Whether it may run inside a transaction. */
  transactional?: true;
}

/** The commands of the profile, apart from the two that end a transaction. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  insert: { run: insert, writes: true, transactional: true },
  find: { run: find, transactional: true },
  getMore: { run: getMore, transactional: true },
  killCursors: { run: killCursors, transactional: true },
  update: { run: update, writes: true, transactional: true },
  delete: { run: remove, writes: true, transactional: true },
  findAndModify: { run: findAndModify, writes: true, transactional: true },
  count: { run: count },
  distinct: { run: distinct, transactional: true },
  aggregate: { run: aggregate, transactional: true },
  explain: { run: explain },
  createIndexes: { run: createIndexes, writes: true },
  listIndexes: { run: listIndexes },
  dropIndexes: { run: dropIndexes, writes: true },
  create: { run: create, writes: true },
  listCollections: { run: listCollections },
  drop: { run: drop, writes: true },
  dropDatabase: { run: dropDatabase, writes: true },
  listDatabases: { run: listDatabases },
  endSessions: { run: endSessions },
  killSessions: { run: endSessions },
  killAllSessions: { run: killAllSessions },
  refreshSessions: { run: refreshSessions },
  hello: { run: hello },
  ping: { run: ping },
  buildInfo: { run: buildInfo },
  getParameter: { run: getParameter },
};

/** Older and differently cased names that drivers use. */
const ALIASES: Readonly<Record<string, string>> = {
  ismaster: 'hello',
  isMaster: 'hello',
  buildinfo: 'buildInfo',
  findandmodify: 'findAndModify',
};

/** The profile's name of a command. */
export function canonicalName(name: string): string {
  return ALIASES[name] ?? name;
}
