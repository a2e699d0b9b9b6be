import type { Problem, problemKinds, ProblemCode } from '@clinic/contracts';

/** Problems that arise in the browser. The services' own table of all of them stays out of the first load. */
const localKinds = {
  forbidden: { status: 403, title: 'You don’t have permission to do this' },
  proof_needed: { status: 403, title: 'Confirm it’s you' },
  second_factor_needed: { status: 401, title: 'Enter the code from your authenticator app' },
  unavailable: { status: 503, title: 'This service isn’t available right now' },
} as const satisfies Partial<typeof problemKinds>;

/** Whether a response is a problem of one of our servers, which may know codes that this build doesn't. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, status, title } = value as Partial<Problem>;
  return typeof code === 'string' && typeof status === 'number' && typeof title === 'string';
}

/** A rejected or failed call: the server's problem, or `unavailable` if no response came. */
export class ApiProblem extends Error {
  readonly problem: Problem;
  /** The request was accepted, but the response was empty, so its outcome is unknown. */
  readonly emptyAnswer: boolean;
  /** It took so long that another attempt would keep the person waiting for nothing. */
  slow = false;

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
  code: keyof typeof localKinds,
  detail: string,
  requestId: string,
  cause?: unknown,
  emptyAnswer = false,
): ApiProblem {
  const { status, title } = localKinds[code];
  return new ApiProblem({ type: `/problems/${code}`, title, status, code, detail, requestId }, { cause, emptyAnswer });
}

/** Whether to retry later: nobody answered, or a server is briefly unavailable. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'unavailable';
}

/**
 * Whether to try again at once: the failure is {@link isPassing passing} and came quickly. A hanging service hangs
 * again.
 */
export function isWorthRetrying(error: unknown): boolean {
  return isPassing(error) && !(error as ApiProblem).slow;
}

/** Whether the server rejects the session for good: nobody is signed in, or the account has been locked. */
export function isRejection(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 401 || error.status === 403);
}

/** Whether the server doesn't know who the caller is. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
