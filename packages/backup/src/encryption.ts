import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { BackupError } from './errors.ts';

/**
 * Backups are age files (https://age-encryption.org/v1), which `age -d` can decrypt too. They are encrypted to
 * recipients, which are public keys. Reading them takes a recipient's identity, which the machine that makes backups
 * never needs.
 */

/** Recipients of a backup, or `off`: then anyone who has the file can read it. */
export type Encryption = { readonly recipients: readonly string[] } | 'off';

/** First bytes of every encrypted file. */
export const ageBeginning = Buffer.from('age-encryption.org/v1\n');

/** A key pair. */
export interface Key {
  /** Decrypts backups: `AGE-SECRET-KEY-1…`. */
  readonly identity: string;
  /** Public: `age1…`. */
  readonly recipient: string;
}

export async function makeKey(): Promise<Key> {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Formats a key like age-keygen. */
export function identityFile({ identity, recipient }: Key, madeAt: Date): string {
  return `# created: ${madeAt.toISOString().slice(0, 19)}Z\n# public key: ${recipient}\n${identity}\n`;
}

/** The lines of a file of recipients or identities, without comments. */
export function keyLines(text: string): readonly string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** @throws BackupError if one isn't a recipient */
export function checkRecipients(recipients: readonly string[], variable: string): void {
  for (const recipient of recipients) {
    if (recipient.startsWith('AGE-SECRET-KEY-'))
      throw new BackupError(
        `${variable} holds an identity, which decrypts backups: it must be the public key that belongs to it, age1…`,
      );
    attempt(
      () => new Encrypter().addRecipient(recipient),
      `${variable} is wrong: it must be age public keys, one per line, for example ${variable}=age1…`,
    );
  }
}

/** @throws BackupError if one isn't an identity; the message never contains one */
export function checkIdentities(identities: readonly string[], variable: string): void {
  for (const identity of identities)
    attempt(
      () => new Decrypter().addIdentity(identity),
      `${variable} is wrong: it must hold age identities, one per line, AGE-SECRET-KEY-1…`,
    );
}

function attempt(work: () => void, message: string): void {
  try {
    work();
  } catch (error) {
    throw new BackupError(message, { cause: error });
  }
}

/** Returns a stream transform that encrypts. */
export function encryptedTo(
  recipients: readonly string[],
): (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Buffer> {
  return async function* (source) {
    const encrypter = new Encrypter();
    for (const recipient of recipients) encrypter.addRecipient(recipient);
    yield* buffers(await encrypter.encrypt(ReadableStream.from(source)));
  };
}

/**
 * Decrypts a file.
 *
 * @param name - the file's name, for messages
 * @throws BackupError without the right identity, or if the file was changed or truncated: each chunk is authenticated
 *   before it is passed on
 */
export async function* decrypted(
  source: AsyncIterable<Uint8Array>,
  identities: readonly string[],
  name: string,
): AsyncGenerator<Buffer> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  let opened: ReadableStream<Uint8Array>;
  try {
    opened = await decrypter.decrypt(ReadableStream.from(source));
  } catch (error) {
    if (!/no identity matched/.test((error as Error).message)) throw unreadable(name, error);
    throw new BackupError(
      `${name} is encrypted for another key: BACKUP_IDENTITY_FILE must name the file with the identity that was made together with its recipient (age1…)`,
      { cause: error },
    );
  }
  try {
    yield* buffers(opened);
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, cause: unknown): BackupError {
  return new BackupError(
    `${name} is cut off, or has changed since it was made: it can't be decrypted to the end. Nothing from it was used. Use another backup`,
    { cause },
  );
}

async function* buffers(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
