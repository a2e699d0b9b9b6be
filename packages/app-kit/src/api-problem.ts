import { problemKinds, type Problem, type ProblemCode } from '@clinic/contracts';

/** A rejected or failed call: the server's problem, or `unavailable` if no response came. */
export class ApiProblem extends Error {
  readonly problem: Problem;
  /** The request was accepted, but the response was empty, so its outcome is unknown. */
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
 * @param cause - the underlying error, for the log
 * @param emptyAnswer - see {@link ApiProblem.emptyAnswer}
 */
export function localProblem(
  code: ProblemCode,
  detail: string,
  requestId: string,
  cause?: unknown,
  emptyAnswer = false,
): ApiProblem {
  const { status, title } = problemKinds[code];
  return new ApiProblem({ type: `/problems/${code}`, title, status, code, detail, requestId }, { cause, emptyAnswer });
}

/** Whether retrying later makes sense: nobody answered, or a server is briefly unavailable. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'unavailable';
}

/** Whether the server rejects the session for good: nobody is signed in, or the account has been locked. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 401 || error.status === 403);
}

/** Whether the server doesn't know who the caller is. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
