import { randomFillSync } from 'node:crypto';
import { ObjectId } from 'mongodb';

const randomBytes = 5;

/**
 * An unguessable id. The driver's own ids share five bytes per process, so somebody who has one could guess its
 * neighbours and learn from the response (403 or 404) which of them exist. The timestamp in front and the counter at
 * the end are kept.
 */
export function newId(): ObjectId {
  const bytes = Buffer.from(new ObjectId().id);
  randomFillSync(bytes, 4, randomBytes);
  return new ObjectId(bytes);
}
