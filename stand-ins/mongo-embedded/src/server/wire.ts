import { decode, documentLength } from '../bson/decode.ts';
import type { Doc } from '../bson/values.ts';
import { CommandError, MalformedMessage } from '../errors.ts';

/** Maximum message size, as in MongoDB. */
export const MAX_MESSAGE_BYTES = 48_000_000;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const HEADER_BYTES = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** The protocol requires unknown flags among the first 16 to be rejected. */
const REQUIRED_FLAGS = 0xffff & ~(CHECKSUM_PRESENT | MORE_TO_COME);

/** A client's message. */
export interface Message {
  requestId: number;
  /** The command with its arguments. */
  body: Doc;
  sequences: Map<string, Buffer[]>;
  /** False if the client doesn't wait for a reply (write concern 0). */
  wantsReply: boolean;
  /** Error of a command with invalid values. */
  rejection?: CommandError;
  /** True for the first message of a connection, which uses the protocol's older format and expects it in the reply. */
  legacy: boolean;
}

/** Splits a byte stream into messages. */
export class MessageReader {
  private chunks: Buffer[] = [];
  private buffered = 0;

  /**
   * Adds received bytes.
   * @returns the messages that are now complete
   * @throws MalformedMessage if the bytes violate the protocol
   */
  push(chunk: Buffer): Message[] {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    const messages: Message[] = [];
    while (this.buffered >= HEADER_BYTES) {
      let [bytes] = this.chunks;
      if (!bytes || bytes.length < HEADER_BYTES) bytes = this.join();
      const length = bytes.readInt32LE(0);
      if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) throw new MalformedMessage(`message of ${length} bytes`);
      if (this.buffered < length) break;
      bytes = this.join();
      messages.push(parseMessage(bytes.subarray(0, length)));
      this.chunks = length < bytes.length ? [bytes.subarray(length)] : [];
      this.buffered -= length;
    }
    return messages;
  }

  private join(): Buffer {
    const [first, ...others] = this.chunks;
    if (first && others.length === 0) return first;
    const joined = Buffer.concat(this.chunks);
    this.chunks = [joined];
    return joined;
  }
}

function parseMessage(bytes: Buffer): Message {
  try {
    const opCode = bytes.readInt32LE(12);
    if (opCode === OP_MSG) return parseOpMsg(bytes);
    if (opCode === OP_QUERY) return parseOpQuery(bytes);
    throw new MalformedMessage(`operation code ${opCode}`);
  } catch (error) {
    // The parser read past the end of the message.
    if (error instanceof RangeError) throw new MalformedMessage('message is cut off', { cause: error });
    throw error;
  }
}

function parseOpMsg(bytes: Buffer): Message {
  const flags = bytes.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_FLAGS) !== 0) throw new MalformedMessage(`flags ${flags}`);
  const end = bytes.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const content = bytes.subarray(0, end);
  const sequences = new Map<string, Buffer[]>();
  let body: Doc | undefined;
  let rejection: CommandError | undefined;
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = content[at++];
    if (kind === 0) {
      if (body) throw new MalformedMessage('two bodies');
      const length = documentLength(content, at);
      try {
        body = decode(content.subarray(at, at + length));
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        rejection = error;
        body = new Map();
      }
      at += length;
    } else if (kind === 1) {
      const size = content.readInt32LE(at);
      if (size < 5 || at + size > end) throw new MalformedMessage('document sequence has a wrong length');
      parseSequence(content.subarray(at + 4, at + size), sequences);
      at += size;
    } else throw new MalformedMessage(`section of kind ${kind}`);
  }
  if (!body) throw new MalformedMessage('no body');
  return {
    requestId: bytes.readInt32LE(4),
    body,
    sequences,
    wantsReply: (flags & MORE_TO_COME) === 0,
    legacy: false,
    ...(rejection ? { rejection } : {}),
  };
}

function parseSequence(bytes: Buffer, sequences: Map<string, Buffer[]>): void {
  const stop = bytes.indexOf(0);
  if (stop < 0) throw new MalformedMessage('document sequence has no name');
  const documents: Buffer[] = [];
  for (let at = stop + 1; at < bytes.length;) {
    const length = documentLength(bytes, at);
    documents.push(bytes.subarray(at, at + length));
    at += length;
  }
  sequences.set(bytes.toString('utf8', 0, stop), documents);
}

function parseOpQuery(bytes: Buffer): Message {
  const stop = bytes.indexOf(0, HEADER_BYTES + 4);
  if (stop < 0) throw new MalformedMessage('query has no namespace');
  const at = stop + 9;
  const body = decode(bytes.subarray(at, at + documentLength(bytes, at)));
  const db = bytes.toString('utf8', HEADER_BYTES + 4, stop).split('.')[0] ?? '';
  return {
    requestId: bytes.readInt32LE(4),
    body: new Map([...body, ['$db', db]]),
    sequences: new Map(),
    wantsReply: true,
    legacy: true,
  };
}

let lastRequestId = 0;

function header(length: number, responseTo: number, opCode: number, extra: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + extra);
  lastRequestId = (lastRequestId + 1) & 0x7fffffff;
  bytes.writeInt32LE(HEADER_BYTES + extra + length, 0);
  bytes.writeInt32LE(lastRequestId, 4);
  bytes.writeInt32LE(responseTo, 8);
  bytes.writeInt32LE(opCode, 12);
  return bytes;
}

/**
 * The bytes before a reply's document on the wire.
 * @param message the message to reply to
 * @param length size of the reply's document, in bytes
 */
export function replyHeader({ requestId, legacy }: Message, length: number): Buffer {
  // OP_MSG: no flags, one section of kind 0. OP_REPLY: flags, cursor id, starting position, one document.
  if (!legacy) return header(length, requestId, OP_MSG, 5);
  const bytes = header(length, requestId, OP_REPLY, 20);
  bytes.writeInt32LE(8, HEADER_BYTES);
  bytes.writeInt32LE(1, HEADER_BYTES + 16);
  return bytes;
}
