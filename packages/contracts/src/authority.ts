/**
 * Against what a service checks a field of a request that takes part in a decision. No request says anything about its own
 * authority: each such field is declared in the table of calls, and a test sends every call with each of them changed.
 *
 * - `session`: it must fit the session: the caller's own address, or one that the caller's role may name.
 * - `record`: it names a stored record, which must belong to the caller or be one their role may use; or it must fit that
 *   record as it is now: its status, its version, what the caller saw of it.
 * - `database`: it must fit other stored data, e.g. a doctor's free times, a price, the account of an address.
 * - `proof`: a token, code or signature; it must match what the service stored or signed.
 * - `filter`: it says only which records are asked for, of those that the session may see.
 * - `content`: it is stored or answered as it is, for whoever may make the call, and decides nothing.
 * - `ignored`: earlier front-ends send it, and nothing reads it.
 */
export type Checked = 'session' | 'record' | 'database' | 'proof' | 'filter' | 'content' | 'ignored';

/** The fields that take part in a decision, e.g. `body.patientemail`; an object's name declares all fields in it. */
export type Decides = Readonly<Record<`${'params' | 'query' | 'body'}.${string}`, Checked>>;

/** Whose personal data an answer shows: the service notes who of the staff looked (docs/privacy.md). */
export interface Shown {
  /** What the person reads that staff looked at, e.g. `appointments`. */
  readonly what: string;
  /**
   * Where the answer, or each of its rows, says whose it is: a path to an address such as `to.email`, or to the object that
   * `ownedBy` has marked; empty: the row itself. `told`: the answer doesn't say, so the handler must (`about`).
   */
  readonly whose: string;
  /** A list of everybody, unless one of these fields of the query is sent; then whoever is in the answer counts. */
  readonly narrowedBy?: readonly string[];
  /**
   * Whoever isn't let in by role works with these people: a doctor's list of their own patients. Only a search in it counts.
   */
  readonly ownWork?: true;
  /** A copy of all data of a person, instead of one opened record or a search. */
  readonly copy?: true;
}

/** Fields of the query that only say which records are asked for. */
export function filters(...names: readonly string[]): Decides {
  return Object.fromEntries(names.map((name) => [`query.${name}`, 'filter']));
}

/** What narrows a service's list of all events. */
export const eventFilters = filters('person', 'record', 'action', 'changes', 'from', 'until');

/** What narrows a report. */
export const periodFilters = filters('from', 'to');

/** Why nobody is told who read the list of who looked. */
export const lookers = 'who of the staff looked, not what they saw';
