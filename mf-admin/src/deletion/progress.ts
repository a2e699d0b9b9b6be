import { ApiProblem } from '@clinic/app-kit';
import { titleOf, type DataHolder, type DataHolders, type Person } from './data-holders.ts';

export type StepState =
  | { readonly is: 'waiting' | 'working' | 'done' }
  /** What was cancelled, or what somebody still has to do by hand. */
  | { readonly is: 'done'; readonly note: string }
  | { readonly is: 'failed'; readonly reason: string };

/** A step of a deletion. */
export interface Step {
  /** `lock`, `account`, or the name of a service. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly state: StepState;
}

/** The steps in order. */
export type Progress = readonly Step[];

/** Whether nothing is left to do. */
export const isDone = (progress: Progress): boolean => progress.every(({ state }) => state.is === 'done');

export const stateOf = (progress: Progress, id: string): StepState | undefined =>
  progress.find((step) => step.id === id)?.state;

/** The steps of a deletion, as they are shown and run. */
export class Steps {
  #progress: Progress;
  readonly #onChange: (progress: Progress) => void;

  /** @param onChange - called with every change of the progress */
  constructor(names: readonly (readonly [id: string, name: string])[], onChange: (progress: Progress) => void) {
    this.#onChange = onChange;
    this.#progress = names.map(([id, name]) => ({ id, name, state: { is: 'waiting' } }));
    onChange(this.#progress);
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Puts more steps before the last one. */
  add(names: readonly (readonly [id: string, name: string])[]): void {
    const more = names.map(([id, name]): Step => ({ id, name, state: { is: 'waiting' } }));
    this.#show([...this.#progress.slice(0, -1), ...more, ...this.#progress.slice(-1)]);
  }

  /** Runs a step, whose result is a note for people. @returns whether it is done */
  async run(id: string, work: () => Promise<string | undefined>): Promise<boolean> {
    this.#set(id, { is: 'working' });
    try {
      const note = await work();
      this.#set(id, note === undefined ? { is: 'done' } : { is: 'done', note });
      return true;
    } catch (error) {
      console.error('Could not delete', id, error);
      this.#set(id, { is: 'failed', reason: error instanceof ApiProblem ? error.message : 'Something went wrong.' });
      return false;
    }
  }

  /** Marks a step as one that can't be run now. */
  fail(id: string, reason: string): void {
    this.#set(id, { is: 'failed', reason });
  }

  #set(id: string, state: StepState): void {
    this.#show(this.#progress.map((step) => (step.id === id ? { ...step, state } : step)));
  }

  #show(progress: Progress): void {
    this.#progress = progress;
    this.#onChange(progress);
  }
}

/** The steps of the services, before the account's. */
export const stepsOf = ({ known, unknown }: DataHolders): readonly (readonly [string, string])[] => [
  ...known.map(({ service, name }) => [service, name] as const),
  ...unknown.map((service) => [service, titleOf(service)] as const),
];

/** Why a service that has never published its calls keeps a deletion open. */
export const unknownReason = 'This part of the clinic hasn’t started yet. Try again in a moment.';

/**
 * Has a service erase a person, with as many calls as it takes.
 *
 * @returns how much was cancelled, in words; undefined if nothing was
 * @throws ApiProblem
 */
export async function eraseFrom(
  { erase, cancels: [one, many] }: DataHolder,
  person: Person,
): Promise<string | undefined> {
  let cancelled = 0;
  for (;;) {
    const answer = await erase(person);
    cancelled += answer.cancelled;
    if (answer.done) break;
  }
  return cancelled === 0 ? undefined : `${cancelled} ${cancelled === 1 ? one : many} cancelled`;
}
