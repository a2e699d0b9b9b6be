import { problemKinds, type Problem, type ProblemCode } from '@clinic/contracts';

/** A refused or failed call, as every caller sees it: the server's problem, or `unavailable` when no answer came. */
export class ApiProblem extends Error {
  readonly problem: Problem;
  /** The request was accepted, but the answer was empty: nobody can say what became of it. */
  readonly emptyAnswer: boolean;

  constructor(problem: Problem, options?: ErrorOptions & { readonly emptyAnswer?: boolean }) {
    super(problem.detail ?? problem.title, options);
    this.name = 'ApiProblem';
    this.problem = problem;
    this.emptyAnswer = options?.emptyAnswer ?? false;
  }

  get code(): ProblemCode {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }

  /** The message for a field of the form, by its dotted path. */
  fieldError(field: string): string | undefined {
    return this.problem.errors?.find((error) => error.field === field)?.message;
  }
}

/**
 * A problem that no server sent.
 *
 * @param cause - what happened, for the log
 * @param emptyAnswer - see {@link ApiProblem.emptyAnswer}
 */
export function localProblem(code: ProblemCode, detail: string, requestId: string, cause?: unknown, emptyAnswer = false): ApiProblem {
  const { status, title } = problemKinds[code];
  return new ApiProblem({ type: `/problems/${code}`, title, status, code, detail, requestId }, { cause, emptyAnswer });
}

/** Whether waiting and trying again is worth it: nobody answered, or someone is away for a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'unavailable';
}

/** Whether the server refuses the session for good: nobody is signed in, or the account has been locked. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 401 || error.status === 403);
}

/** Whether the server does not know who is asking. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
