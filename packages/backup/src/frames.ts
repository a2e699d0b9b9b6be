import { BSON, type Document } from 'mongodb';
import { BackupError } from './errors.ts';

/**
 * The parts of a backup, inside its compression: a letter, the length of the payload (4 bytes, little endian), and the
 * payload. `C` starts a collection (BSON: db, name, options, indexes), `D` has some of its documents, as consecutive
 * BSON, `F` an account file (length of its name, name, content), and `M`, which comes last, the manifest (JSON).
 */
export type FrameType = 'C' | 'D' | 'F' | 'M';

export interface Frame {
  readonly type: FrameType;
  readonly payload: Buffer;
}

const HEADER_BYTES = 5;
/** A document has at most 16 MB, and account files are smaller than this. */
export const LARGEST_FRAME = 64 * 1024 * 1024;

const isFrameType = (letter: string): letter is FrameType => letter.length === 1 && 'CDFM'.includes(letter);

export function frame(type: FrameType, ...parts: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(type, 'latin1');
  header.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    1,
  );
  return Buffer.concat([header, ...parts]);
}

/** Reassembles frames from a stream's chunks. @throws BackupError for an invalid frame */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const pieces: Buffer[] = [];
  let available = 0;
  let needed = HEADER_BYTES;
  let type: FrameType | undefined;
  for await (const piece of source) {
    pieces.push(piece);
    available += piece.length;
    while (available >= needed) {
      const all = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      const taken = all.subarray(0, needed);
      pieces.splice(0, pieces.length, all.subarray(needed));
      available -= needed;
      if (type === undefined) {
        const letter = taken.toString('latin1', 0, 1);
        const length = taken.readUInt32LE(1);
        if (!isFrameType(letter) || length > LARGEST_FRAME)
          throw new BackupError("the backup has a part this program doesn't recognise");
        type = letter;
        needed = length;
      } else {
        yield { type, payload: taken };
        type = undefined;
        needed = HEADER_BYTES;
      }
    }
  }
  if (available > 0 || type !== undefined) throw new BackupError('the backup ends in the middle of a part');
}

const LENGTH_BYTES = 4;
const SHORTEST_DOCUMENT = 5;

/** The documents of a `D` frame. */
export function* documentsIn(payload: Buffer): Generator<Buffer> {
  for (let at = 0; at < payload.length;) {
    const length = payload.length - at < LENGTH_BYTES ? 0 : payload.readInt32LE(at);
    if (length < SHORTEST_DOCUMENT || at + length > payload.length)
      throw new BackupError('the backup has an invalid document');
    yield payload.subarray(at, at + length);
    at += length;
  }
}

/** Decodes a collection's description and keeps the type of each number. */
export function decodeExactly(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes, {
    promoteValues: false,
    promoteLongs: false,
    promoteBuffers: false,
    bsonRegExp: true,
  });
}

const NAME_LENGTH_BYTES = 2;

export function accountsFrame(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(NAME_LENGTH_BYTES);
  length.writeUInt16LE(Buffer.byteLength(name));
  return frame('F', length, Buffer.from(name), content);
}

export function accountsIn(payload: Buffer): { name: string; content: Buffer } {
  const end = NAME_LENGTH_BYTES + payload.readUInt16LE(0);
  return { name: payload.toString('utf8', NAME_LENGTH_BYTES, end), content: payload.subarray(end) };
}
