import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Channel } from './channel.ts';

/**
 * Appends each message as a line of JSON to `messages.ndjson` in a folder, for a program that sends them another way,
 * e.g. by SMS.
 */
export function fileChannel(folder: string): Channel {
  return {
    async send({ messageId, to, language, subject, text }) {
      await mkdir(folder, { recursive: true });
      const line = JSON.stringify({ at: new Date().toISOString(), messageId, to, language, subject, text });
      await appendFile(join(folder, 'messages.ndjson'), `${line}\n`, { mode: 0o600, flush: true });
    },
    close: () => undefined,
  };
}
