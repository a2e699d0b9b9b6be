import { createHash } from 'node:crypto';
import { hasRole, type Caller, type Look } from '@clinic/contracts';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { Page, Streamed, type ListAnswer } from '../answers.ts';
import { accountsOfEmails } from '../contacts.ts';
import type { ServiceContext } from '../context.ts';
import { isDuplicateKey } from '../error-mapping.ts';
import type { ExportedThing } from '../export-person.ts';
import { looksOf, type LookRecord } from './look-record.ts';

/** Whose records were read. */
export interface LookedAt {
  /** Lower case. */
  readonly email: string;
  /** The account, where the record has it. */
  readonly id?: string | undefined;
}

type LooksContext = Pick<ServiceContext, 'db' | 'log'>;

/** A look that isn't written yet. */
interface Pending extends LookedAt {
  readonly at: Date;
  readonly by: LookRecord['by'];
  readonly what: string;
  readonly how: Look['how'];
}

/** Looks written by one command, and those that may wait for it. */
const batchSize = 200;
const mostWaiting = 5_000;

/** Looks of this hour that are known to be written: opening the same record again costs nothing. */
const rememberAtMost = 10_000;

/** People noted for one list answer; a longer search isn't about a person any more. */
const mostPerAnswer = 1_000;

/** Writes looks behind the answers they are about: an answer never waits for it, and never fails because of it. */
class LookWriter {
  readonly #context: LooksContext;
  readonly #waiting = new Map<string, Pending>();
  readonly #written = new Map<string, Look['how']>();
  #writing: Promise<void> | undefined;
  #dropped = 0;

  constructor(context: LooksContext) {
    this.#context = context;
  }

  add(look: Pending): void {
    const key = `${look.by.id} ${look.id ?? look.email} ${hourOf(look.at)}`;
    const known = this.#waiting.get(key)?.how ?? this.#written.get(key);
    if (known === 'exported' || (known !== undefined && look.how !== 'exported')) return;
    if (this.#waiting.size >= mostWaiting && !this.#waiting.has(key)) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.set(key, look);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves once everything noted so far is written, or has been given up. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What the same answer notes shares a command.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, batchSize);
      for (const [key] of batch) this.#waiting.delete(key);
      try {
        await this.#write(batch.map(([, look]) => look));
        if (this.#written.size >= rememberAtMost) this.#written.clear();
        for (const [key, { how }] of batch) this.#written.set(key, how);
      } catch (error) {
        this.#dropped += batch.length;
        this.#context.log.error({ reason: (error as Error).message, looks: batch.length }, 'who read records could not be written');
      }
    }
    if (this.#dropped > 0) this.#context.log.error({ looks: this.#dropped }, 'looks at records were lost');
    this.#dropped = 0;
  }

  async #write(looks: readonly Pending[]): Promise<void> {
    const unknown = looks.filter(({ id }) => id === undefined).map(({ email }) => email);
    const accounts = await accountsOfEmails(this.#context, unknown);
    const writes = looks.map((look) => writeOf(look, look.id ?? accounts.get(look.email) ?? look.email));
    try {
      await looksOf(this.#context).bulkWrite(writes, { ordered: false });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another replica inserted one of them at the same moment; the second time it is found.
      await looksOf(this.#context).bulkWrite(writes, { ordered: false });
    }
  }
}

/** An export counts for more than what was opened or searched in the same hour. */
function writeOf({ at, by, email, what, how }: Pending, whose: string): AnyBulkWriteOperation<LookRecord> {
  const _id = createHash('sha256').update(`${by.id} ${whose} ${hourOf(at)}`).digest('base64url');
  const first = { at, by, whose, email };
  const update = how === 'exported' ? { $setOnInsert: first, $set: { what, how } } : { $setOnInsert: { ...first, what, how } };
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

const hourOf = (at: Date): string => at.toISOString().slice(0, 13);

const writers = new WeakMap<Db, LookWriter>();

function writerOf(context: LooksContext): LookWriter {
  const known = writers.get(context.db);
  if (known) return known;
  const writer = new LookWriter(context);
  writers.set(context.db, writer);
  return writer;
}

/** Resolves once all looks noted so far are written or given up; before the database is let go. */
export async function looksWritten(db: Db): Promise<void> {
  await writers.get(db)?.settled();
}

interface LookRequest {
  readonly caller: Caller;
}

interface ListRequest extends LookRequest {
  /** `email` names a person, `q` is a search. */
  readonly query: { readonly email?: string | undefined; readonly q?: string | undefined };
}

/** Notes who read whose records. People who read their own, and people without a staff role, are never noted. */
export interface LookNotes {
  /** One record of a person was opened. */
  opened(request: LookRequest, what: string, person: LookedAt): void;
  /**
   * A list was answered: noted for the person that `email` names, and for everybody found by `q`, once there is a row.
   *
   * @param personOf - whose record a row is
   * @returns the answer, to be sent in its place
   */
  listed<Element>(request: ListRequest, what: string, answer: ListAnswer<Element>, personOf: (row: Element) => LookedAt): ListAnswer<Element>;
  /** A copy of a person's data was made, if there were any. @returns the answer, to be sent in its place */
  exported(request: LookRequest, what: string, answer: ListAnswer<ExportedThing>, person: LookedAt): ListAnswer<ExportedThing>;
}

/**
 * Who of the staff read a person's records, kept for the person and for admins (docs/privacy.md). Notes are written behind
 * the answer, one a person, caller and hour.
 */
export function noteLooks(context: LooksContext): LookNotes {
  const writer = writerOf(context);
  const note = ({ id, role, email: by }: Caller, what: string, how: Look['how'], person: LookedAt): void => {
    const own = person.id === undefined ? person.email === by : person.id === id;
    if (own || person.email === '' || isErasedEmail(person.email)) return;
    writer.add({ email: person.email, id: person.id, at: new Date(), by: { id, role, email: by }, what, how });
  };
  return {
    opened({ caller }, what, person) {
      if (isStaff(caller)) note(caller, what, 'opened', person);
    },
    listed({ caller, query: { email, q } }, what, answer, personOf) {
      const searched = q !== undefined && q !== '';
      if (!isStaff(caller) || (email === undefined && !searched)) return answer;
      const how = searched ? 'searched' : 'opened';
      let noted = 0;
      return tapped(answer, (row) => {
        if (noted === 0 && email !== undefined) note(caller, what, how, { email });
        if (searched && noted < mostPerAnswer) note(caller, what, how, personOf(row));
        noted += 1;
      });
    },
    exported({ caller }, what, answer, person) {
      if (!isStaff(caller)) return answer;
      let noted = false;
      return tapped(answer, () => {
        if (!noted) note(caller, what, 'exported', person);
        noted = true;
      });
    },
  };
}

const isStaff = (caller: Caller): boolean => hasRole(caller, ['admin', 'doctor', 'pharmacist']);

/** The same answer; `onRow` sees each row before it is sent. */
function tapped<Element>(answer: ListAnswer<Element>, onRow: (row: Element) => void): ListAnswer<Element> {
  if (answer instanceof Page) {
    answer.rows.forEach(onRow);
    return answer;
  }
  async function* rows({ rows: source }: Streamed<Element>): AsyncGenerator<Element> {
    for await (const row of source) {
      onRow(row);
      yield row;
    }
  }
  return new Streamed(rows(answer), answer.close);
}
