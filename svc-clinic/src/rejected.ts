import { ProblemError } from '@clinic/service-kit';

/** The problem of a request with one wrong field. @param message - what is wrong with it, for the user */
export function rejected(field: string, message: string): ProblemError {
  return new ProblemError('validation_failed', { errors: [{ field, message }] });
}
