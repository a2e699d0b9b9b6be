import type { Socket } from 'node:net';
import { toDouble } from '../bson/numbers.ts';
import { isNumber } from '../bson/values.ts';
import type { Batch } from './batch.ts';
import { MessageReader, replyHeader } from './wire.ts';
import type { Message } from './wire.ts';

/**
 * Serves one client: what it sends goes to the batch, answers go back. A message that breaks the protocol closes this
 * connection and no other.
 */
export function serve(socket: Socket, batch: Batch): void {
  const reader = new MessageReader();
  socket.setNoDelay(true);
  // A client that goes away is no error of the server.
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) batch.add(jobOf(message, socket));
    } catch {
      // Whatever was wrong with the bytes, where the next message starts is unknown now.
      socket.destroy();
    }
  });
}

function jobOf(message: Message, socket: Socket): Parameters<Batch['add']>[0] {
  const { body, sequences, refusal } = message;
  const limit = body.get('maxTimeMS');
  const milliseconds = isNumber(limit) ? toDouble(limit) : 0;
  return {
    body,
    sequences,
    ...(refusal ? { refusal } : {}),
    deadline: milliseconds > 0 ? Date.now() + milliseconds : Infinity,
    isWanted: () => !socket.destroyed,
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
