import { isDuplicateKey } from '@clinic/service-kit';
import { MongoBulkWriteError } from 'mongodb';

/** Whether everything that couldn't be stored is there already. */
export function storedAlready(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicateKey(error);
  const failures = [error.writeErrors].flat();
  return failures.length > 0 && failures.every(({ code }) => code === 11_000) && !error.result.getWriteConcernError();
}
