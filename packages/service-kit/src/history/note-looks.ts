import { createHash } from 'node:crypto';
import { isAllowed, type Caller, type Look, type Route } from '@clinic/contracts';
import { erasedEmail, isErasedEmail } from '@clinic/contracts/erased-person';
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { staff } from '../auth/access-control.ts';
import { Page, Streamed } from '../http/answers.ts';
import { actorOf } from './actors.ts';
import { accountsOfEmails } from '../auth/contacts.ts';
import type { ServiceContext } from '../context.ts';
import { erasedAccounts } from '../database/user-lock.ts';
import { isDuplicateKey } from '../http/error-mapping.ts';
import { ProblemError } from '../http/problem-error.ts';
import { reasonOf } from '../observability/logged-error.ts';
import { looksOf, type LookRecord } from './look-record.ts';
import { About, ownersOf, type LookedAt } from './looked-at.ts';

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
        this.#context.log.error({ reason: reasonOf(error), looks: batch.length }, 'record views could not be written');
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

/** By database, so that all handlers and lists of a service write together, and stopping can wait for it. */
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

/** A request whose answer may be a view of somebody's records. */
interface LookRequest {
  readonly caller: Caller | undefined;
  /** As parsed. */
  readonly query?: unknown;
}

type ShowingCall = Pick<Route, 'path' | 'access' | 'shows'>;

/** Notes a response as a view if it is one. @returns the response to send instead */
export type NoteLooks = (call: ShowingCall, request: LookRequest, answer: unknown) => unknown;

/**
 * Records which staff viewed a person's records, for that person and for admins (docs/privacy.md), as each call's contract
 * says (`shows`). Writes in the background, one record per person, caller and hour. People's own views, and those of
 * callers without a staff role, don't count.
 */
export function noteLooks(context: LooksContext): NoteLooks {
  const writer = writerOf(context);
  return ({ path, access, shows }, { caller, query }, answer) => {
    if (!shows) return answer;
    const told = answer instanceof About ? answer : undefined;
    if (shows.whose === 'told' && !told) throw new Error(`${path} answers without saying whose data it shows (about)`);
    const shown: unknown = told ? told.answer : answer;
    const how = caller && howItLooks(access, shows, caller, query);
    if (!caller || how === undefined) return shown;
    const where = shows.whose === '' ? [] : shows.whose.split('.');
    const by = actorOf(caller);
    const note = (people: readonly LookedAt[]): void => {
      for (const person of people)
        if (!isOwn(person, caller) && !isNobody(person))
          writer.add({ ...person, at: new Date(), by, what: shows.what, how });
    };
    // A copy that holds nothing shows nothing; a single record is shown even if it has no history.
    return told
      ? onFirstRow(shown, () => note([told.person]))
      : tapped(shown, (row) => note(ownersOf(row, where)), mostPerAnswer);
  };
}

/** Notes a problem that tells staff of somebody's records, as an answer would be. */
export function noteTold(note: NoteLooks, call: ShowingCall, caller: Caller | undefined, error: unknown): void {
  const tells = error instanceof ProblemError ? error.extras.tells : undefined;
  if (tells) note({ ...call, shows: { what: tells.what, whose: 'told' } }, { caller }, new About(tells.of, undefined));
}

const isOwn = ({ id, email }: LookedAt, caller: Caller): boolean =>
  id === undefined ? email === caller.email : id === caller.id;

const isNobody = ({ id, email }: LookedAt): boolean => (id === undefined && email === '') || isErasedEmail(email);

/** How a response counts as a view; `undefined` if it doesn't. */
function howItLooks(
  access: Route['access'],
  { copy, narrowedBy, ownWork }: NonNullable<Route['shows']>,
  caller: Caller,
  query: unknown,
): Look['how'] | undefined {
  if (!isStaff(caller)) return undefined;
  if (copy) return 'exported';
  const sent = (name: string): boolean => {
    const value = (query as Readonly<Record<string, unknown>> | undefined)?.[name];
    return value !== undefined && value !== '';
  };
  if (sent('q')) return 'searched';
  if (narrowedBy && !narrowedBy.some(sent)) return undefined;
  if (ownWork && access.kind === 'restricted' && !isAllowed(caller, access)) return undefined;
  return 'opened';
}

const isStaff = (caller: Caller): boolean => isAllowed(caller, staff);

/** The same response, which calls `onShown` before its first row is sent, or at once if it isn't a list. */
function onFirstRow(answer: unknown, onShown: () => void): unknown {
  if (answer instanceof Page || answer instanceof Streamed) return tapped(answer, onShown, 1);
  onShown();
  return answer;
}

/** The same response, which passes its first rows to `onRow` before they are sent; one that isn't a list is a row. */
function tapped(answer: unknown, onRow: (row: unknown) => void, most: number): unknown {
  if (answer instanceof Streamed) {
    async function* rows({ rows: source }: Streamed<unknown>): AsyncGenerator {
      let sent = 0;
      for await (const row of source) {
        if (sent < most) onRow(row);
        sent += 1;
        yield row;
      }
    }
    return new Streamed(rows(answer), answer.close);
  }
  const shown: readonly unknown[] = answer instanceof Page ? answer.rows : Array.isArray(answer) ? answer : [answer];
  for (const row of shown.slice(0, most)) onRow(row);
  return answer;
}
