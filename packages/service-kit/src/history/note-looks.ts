import { createHash } from 'node:crypto';
import { hasRole, type Caller, type Look } from '@clinic/contracts';
import { erasedEmail, isErasedEmail } from '@clinic/contracts/erased-person';
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { Page, Streamed, type ListAnswer } from '../http/answers.ts';
import { accountsOfEmails } from '../auth/contacts.ts';
import type { ServiceContext } from '../context.ts';
import { erasedAccounts } from '../database/user-lock.ts';
import { isDuplicateKey } from '../http/error-mapping.ts';
import type { ExportedThing } from '../privacy/export-person.ts';
import { looksOf, type LookRecord } from './look-record.ts';

/** The person whose records were viewed. */
export interface LookedAt {
  /** Lower case. */
  readonly email: string;
  /** The account, if the record has one. */
  readonly id?: string | undefined;
}

type LooksContext = Pick<ServiceContext, 'db' | 'log'>;

/** A view that hasn't been written yet. */
interface Pending extends LookedAt {
  readonly at: Date;
  readonly by: LookRecord['by'];
  readonly what: string;
  readonly how: Look['how'];
}

/** Views written per command, and the maximum waiting to be written. */
const batchSize = 200;
const mostWaiting = 5_000;

/** Views of this hour that have already been written: opening the same record again costs nothing. */
const rememberAtMost = 10_000;

/** People recorded per list response; a search with more results isn't about one person. */
const mostPerAnswer = 1_000;

/** Writes views in the background: a response never waits for it and never fails because of it. */
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

  /** Resolves once all views so far have been written or abandoned. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Views from the same response share a command.
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
        this.#context.log.error(
          { reason: (error as Error).message, looks: batch.length },
          'record views could not be written',
        );
      }
    }
    if (this.#dropped > 0) this.#context.log.error({ looks: this.#dropped }, 'record views were lost');
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
      // Another replica inserted one of them at the same moment; the retry finds it.
      await looksOf(this.#context).bulkWrite(writes, { ordered: false });
    }
    await this.#dropErased(looks);
  }

  /** A deletion first marks the account, then deletes its views: it finds these, or its mark is found here. */
  async #dropErased(looks: readonly Pending[]): Promise<void> {
    const accounts = looks.flatMap(({ id, by }) => (id === undefined ? [by.id] : [id, by.id]));
    const erased = await erasedAccounts(this.#context, [...new Set(accounts)]);
    if (erased.length > 0) await looksOf(this.#context).deleteMany({ whose: { $in: erased } });
    for (const id of erased)
      await looksOf(this.#context).updateMany({ 'by.id': id }, { $set: { 'by.email': erasedEmail(id) } });
  }
}

/** An export outranks opening or searching in the same hour. */
function writeOf({ at, by, email, what, how }: Pending, whose: string): AnyBulkWriteOperation<LookRecord> {
  const _id = createHash('sha256')
    .update(`${by.id} ${whose} ${hourOf(at)}`)
    .digest('base64url');
  const first = { at, by, whose, email };
  const update =
    how === 'exported' ? { $setOnInsert: first, $set: { what, how } } : { $setOnInsert: { ...first, what, how } };
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

/** Resolves once all views so far have been written or abandoned; call it before closing the database. */
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

/**
 * Records which staff view whose records. People's own views, and those of callers without a staff role, don't count.
 */
export interface LookNotes {
  /** A single record of a person was opened. */
  opened(request: LookRequest, what: string, person: LookedAt): void;
  /**
   * A list was returned: if it isn't empty, it counts for the person that `email` names, and for everyone `q` found.
   *
   * @param personOf - the person a row belongs to
   * @returns the response to send instead
   */
  listed<Element>(
    request: ListRequest,
    what: string,
    answer: ListAnswer<Element>,
    personOf: (row: Element) => LookedAt,
  ): ListAnswer<Element>;
  /** A person's data was exported, if there was any. @returns the response to send instead */
  exported(
    request: LookRequest,
    what: string,
    answer: ListAnswer<ExportedThing>,
    person: LookedAt,
  ): ListAnswer<ExportedThing>;
}

/**
 * Records which staff viewed a person's records, for that person and for admins (docs/privacy.md). Writes in the
 * background, one record per person, caller and hour.
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

/** The same response, which passes each row to `onRow` before it is sent. */
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
