import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RemoteDescriptor } from '@clinic/contracts/remotes';
import { type RemoteUses, usesFile } from '@clinic/contracts/uses';
import { z } from 'zod';
import { remoteDescriptor } from '@clinic/contracts/schemas/remote-descriptor';
import { UserError } from '../log.ts';

/** A remote's build in a folder. */
export interface RemoteBuild {
  readonly folder: string;
  readonly descriptor: RemoteDescriptor;
  readonly uses: RemoteUses | undefined;
}

/** @throws UserError if there is no build of this remote that a gateway would accept */
export function readRemoteBuild(name: string, folder: string): RemoteBuild {
  const file = join(folder, 'remote.json');
  if (!existsSync(file))
    throw new UserError(`${file} doesn't exist: build ${name} first, or name the folder of its build.`);
  const { success, data, error } = remoteDescriptor.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!success) throw new UserError(`A gateway would refuse ${file}: ${z.prettifyError(error)}`);
  if (data.name !== name) throw new UserError(`${file} belongs to ${data.name}, not to ${name}.`);
  const uses = join(folder, usesFile);
  return {
    folder,
    descriptor: data,
    uses: existsSync(uses) ? (JSON.parse(readFileSync(uses, 'utf8')) as RemoteUses) : undefined,
  };
}

/** @returns one line for each file that browsers would refuse to run, or that is missing */
export function integrityFaults({ folder, descriptor: { integrity, hashes } }: RemoteBuild): string[] {
  const named = { ...integrity, ...(hashes && { [hashes.file]: hashes.integrity }) };
  const listed = Object.entries(named).flatMap(([file, digest]) => {
    const path = join(folder, file);
    if (!existsSync(path)) return [`${file} is missing`];
    const algorithm = digest.split('-', 1)[0] ?? '';
    const actual = createHash(algorithm).update(readFileSync(path)).digest('base64');
    return digest === `${algorithm}-${actual}` ? [] : [`${file} isn't the file that was built: its digest differs`];
  });
  const unlisted = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(?:js|css)$/.test(file) && !Object.hasOwn(integrity, file),
  );
  return [...listed, ...unlisted.map((file) => `${file} has no digest, so browsers would refuse it`)];
}
