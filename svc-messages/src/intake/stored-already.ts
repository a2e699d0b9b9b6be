import { isDuplicateKey } from '@clinic/service-kit';
import { MongoBulkWriteError } from 'mongodb';

/** Whether an insert failed only for documents that are already stored. */
export function storedAlready(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicateKey(error);
  const failures = [error.writeErrors].flat();
  return failures.length > 0 && failures.every(({ code }) => code === 11_000) && !error.result.getWriteConcernError();
}
