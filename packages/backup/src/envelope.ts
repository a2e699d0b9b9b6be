import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/**
 * Wraps the compressed parts: a first line that identifies the file, and at the end the SHA-256 of everything before it
 * and an end mark. A file without its mark is truncated; one with a different checksum was changed.
 */
export const firstLine = Buffer.from('CLINIC-BACKUP 1\n');
export const endMark = Buffer.from('CLINIC-BACKUP-END\n');
const SUM_BYTES = 32;
export const trailerBytes = SUM_BYTES + endMark.length;

/** Stream transform that adds the envelope. */
export function envelope(): Transform {
  const sum = createHash('sha256').update(firstLine);
  let begun = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum.update(chunk);
      if (!begun) this.push(firstLine);
      begun = true;
      done(null, chunk);
    },
    flush(done) {
      if (!begun) this.push(firstLine);
      this.push(sum.digest());
      done(null, endMark);
    },
  });
}
