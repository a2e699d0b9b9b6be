/** The person whose records were viewed. */
export interface LookedAt {
  /** Lower case; empty if only the account is known. */
  readonly email: string;
  /** The account, if the record has one. */
  readonly id?: string | undefined;
}

/** Not a name, so that neither JSON nor the database has it, but copies of the row do. */
const owners = Symbol('whose record a row shows');

/**
 * Marks a row, in its wire shape, with the person it belongs to: the account isn't on the wire, and the address there may
 * be somebody else's by now. Who of the staff looked is noted for this person.
 */
export function ownedBy<Row extends object>(person: LookedAt | readonly LookedAt[], row: Row): Row {
  return Object.assign(row, { [owners]: person });
}

/** An answer that doesn't say whose data it shows, with the person. */
export class About<Answer> {
  readonly person: LookedAt;
  readonly answer: Answer;

  constructor(person: LookedAt, answer: Answer) {
    this.person = person;
    this.answer = answer;
  }
}

/** What a call whose contract says `whose: 'told'` answers. @param person - whose data `answer` shows */
export function about<Answer>(person: LookedAt, answer: Answer): About<Answer> {
  return new About(person, answer);
}

/**
 * The people to whom a row, or what it holds at `path`, belongs: as marked by {@link ownedBy}, otherwise by the address that
 * is there.
 */
export function ownersOf(value: unknown, path: readonly string[]): readonly LookedAt[] {
  if (typeof value === 'string') return path.length === 0 ? [{ email: value.toLowerCase() }] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each: unknown) => ownersOf(each, path));
  const marked = (value as { readonly [owners]?: LookedAt | readonly LookedAt[] })[owners];
  if (marked !== undefined) return [marked].flat();
  const [name, ...rest] = path;
  return name === undefined ? [] : ownersOf((value as Readonly<Record<string, unknown>>)[name], rest);
}
