/**
 * Who may move what to which status. Each entity's table is beside its domain's calls: services reject changes by it and
 * status selectors offer them by it, so the two can't disagree. docs/product.md shows the tables.
 */

/** For each status, the statuses it can change to and who may do it. */
export type TransitionTable<State extends string, Actor extends string> = Readonly<
  Record<State, Readonly<Partial<Record<State, readonly Actor[]>>>>
>;

/** Where a state leads. One that this build doesn't know, from a newer release, leads nowhere here. */
function targetsOf<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  from: State,
): TransitionTable<State, Actor>[State] {
  return Object.hasOwn(table, from) ? table[from] : ({} as TransitionTable<State, Actor>[State]);
}

/**
 * The states a person may choose from here.
 *
 * @param table - the entity's transition table
 * @param from - the current state
 * @param actors - all relations of the person to this record
 * @returns in the table's order; empty if the state is final for this person
 */
export function nextStates<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  from: State,
  actors: readonly Actor[],
): State[] {
  const targets = Object.entries(targetsOf(table, from)) as [State, readonly Actor[]][];
  return targets.filter(([, allowed]) => allowed.some((actor) => actors.includes(actor))).map(([state]) => state);
}

/** Whether the state is final for everybody. */
export function isFinal<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  state: State,
): boolean {
  return Object.keys(targetsOf(table, state)).length === 0;
}

/**
 * Whether a change is allowed, impossible for everyone (a conflict with the record's state), or not allowed for this
 * person.
 */
export function judgeTransition<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  from: State,
  to: State,
  actors: readonly Actor[],
): 'allowed' | 'impossible' | 'forbidden' {
  const allowed = targetsOf(table, from)[to];
  if (!allowed) return 'impossible';
  return allowed.some((actor) => actors.includes(actor)) ? 'allowed' : 'forbidden';
}
