// The signed list of a release's images: a folder with `release.json`, its detached Ed25519 signature and the bills of
// materials.
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../log.ts';

/** Names of the files, in the folder of the release. */
export const listFile = 'release.json';
export const signatureFile = 'release.json.sig';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const releaseList = z.strictObject({
  version: z.string(),
  /** The full hash of the commit that the images were built from. */
  commit: z.string(),
  /** The previous release, for a rollback. */
  before: z.string(),
  images: z.array(
    z.strictObject({
      /** Without registry and version: `svc-clinic`. */
      name: z.string(),
      /** The id that the engine computes from the content; the same in every registry. */
      id: digest,
      /** CycloneDX, and the digest of its file. */
      sbom: z.strictObject({ file: z.string(), sha256: digest }),
    }),
  ),
});

/** What a release consists of. */
export type ReleaseList = z.infer<typeof releaseList>;

/** @returns `sha256:…` */
export const digestOf = (content: string | Buffer): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Reads an Ed25519 key in PEM. @throws UserError if the file has none */
export function readKey(file: string, kind: 'private' | 'public'): KeyObject {
  const setting = kind === 'private' ? 'RELEASE_KEY_FILE' : 'RELEASE_PUBLIC_KEY_FILE';
  try {
    const pem = readFileSync(file);
    const key = kind === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
    throw new Error(`it has a key of the type ${key.asymmetricKeyType}`);
  } catch (error) {
    throw new UserError(
      `${setting} must be a file with a ${kind} Ed25519 key: ${file} can't be used (${(error as Error).message}). docs/releasing.md says how to make one.`,
    );
  }
}

/** Writes the list and its signature. */
export function writeList(folder: string, list: ReleaseList, key: KeyObject): void {
  const text = Buffer.from(`${JSON.stringify(list, null, 2)}\n`);
  writeFileSync(join(folder, listFile), text);
  writeFileSync(join(folder, signatureFile), sign(null, text, key));
}

/**
 * Reads a list after checking its signature and the bills of materials.
 *
 * @throws UserError that says what was changed
 */
export function readList(folder: string, key: KeyObject): ReleaseList {
  const text = readFileSync(join(folder, listFile));
  if (!verify(null, text, key, readFileSync(join(folder, signatureFile))))
    throw new UserError(`${join(folder, listFile)} is not what the key's owner signed. Don't deploy this release.`);
  const list = releaseList.parse(JSON.parse(text.toString()));
  for (const { name, sbom } of list.images)
    if (digestOf(readFileSync(join(folder, sbom.file))) !== sbom.sha256)
      throw new UserError(`The bill of materials of ${name} was changed after it was signed.`);
  return list;
}
