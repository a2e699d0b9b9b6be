import type { Socket } from 'node:net';
import { toDouble } from '../bson/numbers.ts';
import { isNumber } from '../bson/values.ts';
import type { Batch } from './batch.ts';
import { MessageReader, replyHeader } from './wire.ts';
import type { Message } from './wire.ts';

/** How long the cursor of a change stream waits, in milliseconds, if the client sets no limit. */
const AWAIT_MS = 1_000;

/**
 * Serves one client: passes its messages to the batch and sends the replies. A message that violates the protocol
 * closes only this connection.
 */
export function serve(socket: Socket, batch: Batch): void {
  const reader = new MessageReader();
  socket.setNoDelay(true);
  // A client that disconnects isn't a server error.
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) batch.add(jobOf(message, socket));
    } catch {
      // After malformed bytes, we can't know where the next message starts.
      socket.destroy();
    }
  });
}

function jobOf(message: Message, socket: Socket): Parameters<Batch['add']>[0] {
  const { body, sequences, rejection } = message;
  const limit = body.get('maxTimeMS');
  const milliseconds = isNumber(limit) ? toDouble(limit) : 0;
  // For a change stream's cursor, maxTimeMS limits the wait.
  const awaits = body.has('getMore');
  return {
    body,
    sequences,
    ...(rejection ? { rejection } : {}),
    deadline: milliseconds > 0 && !awaits ? Date.now() + milliseconds : Infinity,
    awaitUntil: Date.now() + (milliseconds > 0 ? milliseconds : AWAIT_MS),
    isNeeded: () => !socket.destroyed,
    answer: (bytes) => {
      if (!message.wantsReply || socket.destroyed) return;
      socket.cork();
      socket.write(replyHeader(message, bytes.length));
      socket.write(bytes);
      socket.uncork();
    },
    reject: () => socket.destroy(),
  };
}
