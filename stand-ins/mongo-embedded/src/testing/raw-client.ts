import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { BSON } from 'mongodb';
import type { Document } from 'mongodb';

/** A connection that sends exactly the given bytes: for explicit sessions, and for malformed messages. */
export interface RawClient {
  socket: Socket;
  /** Sends a command and waits for its reply, including errors. */
  command(command: Document): Promise<Document>;
  close(): Promise<void>;
}

/** An OP_MSG with one body. @param flags of the message */
export function opMsg(command: Document, flags = 0): Buffer {
  return message(2013, Buffer.concat([int32(flags), Buffer.from([0]), BSON.serialize(command)]));
}

/** Any message: its header, then the content. */
export function message(opCode: number, content: Uint8Array): Buffer {
  return Buffer.concat([int32(16 + content.length), int32(1), int32(0), int32(opCode), content]);
}

/** Four bytes, little-endian. */
export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** Connects to the server of a URI such as `mongodb://127.0.0.1:27018/…`. */
export async function connectRaw(uri: string): Promise<RawClient> {
  const { hostname, port } = new URL(uri);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  return {
    socket,
    command: async (command) => {
      socket.write(opMsg(command));
      while (received.length < 4 || received.length < received.readInt32LE(0)) {
        const [chunk] = (await once(socket, 'data')) as [Buffer];
        received = Buffer.concat([received, chunk]);
      }
      const length = received.readInt32LE(0);
      const answer = BSON.deserialize(received.subarray(21, length));
      received = received.subarray(length);
      return answer;
    },
    close: async () => {
      if (socket.destroyed) return;
      socket.destroy();
      await once(socket, 'close');
    },
  };
}
