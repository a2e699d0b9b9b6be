import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/**
 * Around the compressed parts: a first line that tells what the file is, and in the end the SHA-256 of all before it and a
 * mark. A file without its mark was cut off, one whose sum is another was changed.
 */
export const firstLine = Buffer.from('CLINIC-BACKUP 1\n');
export const endMark = Buffer.from('CLINIC-BACKUP-END\n');
const SUM_BYTES = 32;
export const trailerBytes = SUM_BYTES + endMark.length;

/** Puts the envelope around what goes through it. */
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
