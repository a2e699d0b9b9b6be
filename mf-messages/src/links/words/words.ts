import type { ApiProblem } from '@clinic/app-kit';
import type { MessageKind } from '@clinic/svc-messages/contract/kinds';

interface Titled {
  readonly title: string;
  readonly text: string;
}

/** What the pages say that messages link to. */
export interface LinkWords {
  /** When a visit is: a date and a time of day, by the clinic's clock. */
  readonly when: (date: string, time: string) => string;
  /** A kind of message. @param kind - may be one that only a later release knows */
  readonly kind: (kind: string) => string;
  readonly loading: string;
  /** Ends a sentence. */
  readonly stop: string;
  readonly retry: string;
  /** Above an error: nothing has been changed, or nobody knows, as the answer was lost. */
  readonly unchanged: (problem: ApiProblem) => string;
  /** What the service says, or what its code means. */
  readonly error: (problem: ApiProblem) => string;
  /** Why a link can't be used, by the code of the problem; `failed` for any other, after which it may still be good. */
  readonly dead: Readonly<
    Record<'not_found' | 'too_late' | 'transition_refused' | 'failed', (problem: ApiProblem) => Titled>
  >;
  readonly visit: {
    readonly title: string;
    readonly cancel: VisitWords;
    readonly move: VisitWords;
    readonly arrive: VisitWords;
    readonly come: VisitWords;
    readonly noFreeTimes: string;
    readonly newTime: string;
    readonly choose: string;
    readonly keep: string;
    readonly mine: string;
    readonly bookAnother: string;
    readonly instead: (phone: string) => string;
  };
  readonly unsubscribe: {
    readonly title: string;
    readonly question: string;
    /** Before the name of the kind. */
    readonly willStop: string;
    readonly stop: string;
    readonly done: string;
    /** Before the name of the kind. */
    readonly stopped: string;
    readonly again: string;
    readonly preferences: string;
    readonly instead: string;
    readonly notifications: string;
  };
}

interface VisitWords {
  readonly question: string;
  readonly press: string;
  readonly done: string;
  /** Above the visit that was changed. */
  readonly result: string;
}

/** Names of kinds in another language than the screens'. */
export type KindNames = Readonly<Record<MessageKind, string>>;
