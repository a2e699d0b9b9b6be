import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'bson';
import { appointment, idOf, nextAppointment, spread } from './workload.ts';
import type { Appointment } from './workload.ts';

/** Measures how many 4 KB appends per second the disk confirms. */
export function measureFsync(folder: string): number {
  const path = join(folder, 'fsync');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4096);
  let count = 0;
  const start = performance.now();
  while (performance.now() - start < 1000) {
    writeSync(file, block);
    fdatasyncSync(file);
    count += 1;
  }
  closeSync(file);
  rmSync(path);
  return count / ((performance.now() - start) / 1000);
}

/**
 * The same rows and indexes in node:sqlite itself, synchronous=FULL and one transaction per write: what the storage can
 * do without a server, a protocol or documents around it.
 * @returns operations per second by name
 */
export function measureRaw(file: string, size: number, seconds: number): Map<string, number> {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;
    CREATE TABLE docs (rid INTEGER PRIMARY KEY, id BLOB UNIQUE, patient TEXT, created INTEGER, slot TEXT UNIQUE, doc BLOB);
    CREATE INDEX patient ON docs (patient, id); CREATE INDEX newest ON docs (created DESC, id DESC)`);
  const insert = db.prepare('INSERT INTO docs (id, patient, created, slot, doc) VALUES (?, ?, ?, ?, ?)');
  const put = (doc: Appointment): unknown =>
    insert.run(doc._id.id, doc.patient, doc.createdAt.getTime(), doc.slot, serialize(doc));
  db.exec('BEGIN');
  for (let at = 0; at < size; at += 1) put(appointment(at));
  db.exec('COMMIT');
  const byId = db.prepare('SELECT doc FROM docs WHERE id = ?');
  const byPatient = db.prepare('SELECT doc FROM docs WHERE patient = ?');
  const page = db.prepare('SELECT doc FROM docs WHERE (created, id) < (?, ?) ORDER BY created DESC, id DESC LIMIT 20');
  const replace = db.prepare('UPDATE docs SET doc = ? WHERE id = ?');
  const read = (row: unknown): Appointment => deserialize((row as { doc: Uint8Array }).doc) as Appointment;
  const bump = (number: number, by: number): void => {
    const { id } = idOf(number);
    const doc = read(byId.get(id));
    doc.amount += by;
    replace.run(serialize(doc), id);
  };
  const operations: Record<string, (step: number) => unknown> = {
    'find by _id': (step) => read(byId.get(idOf(spread(step, size)).id)),
    'find by index': (step) => byPatient.all(appointment(spread(step, size)).patient).map(read),
    'sorted page': (step) => {
      const { createdAt, _id } = appointment(spread(step, size));
      return page.all(createdAt.getTime(), _id.id).map(read);
    },
    update: (step) => bump(spread(step, size), 1),
    transaction: (step) => {
      db.exec('BEGIN');
      bump(spread(step * 2, size), -1);
      bump(spread(step * 2 + 1, size), 1);
      db.exec('COMMIT');
    },
    insert: () => put(nextAppointment()),
  };
  const result = new Map<string, number>();
  for (const [name, operation] of Object.entries(operations)) {
    const start = performance.now();
    let step = 0;
    while (performance.now() - start < seconds * 1000) operation(step++);
    result.set(name, step / ((performance.now() - start) / 1000));
  }
  db.close();
  return result;
}
