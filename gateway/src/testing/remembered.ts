import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publicationOf } from '@clinic/contracts/publication';
import { clinicCalls } from '@clinic/svc-clinic/contract';
import { identityCalls } from '@clinic/svc-identity/contract/calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract';

const tables = { identity: identityCalls, clinic: clinicCalls, pharmacy: pharmacyCalls };

/** A gateway's folder of publications. */
export interface PublicationsFolder extends Disposable {
  readonly path: string;
  remove(): void;
}

export function emptyFolder(): PublicationsFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'clinic-publications-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { path: folder, remove, [Symbol.dispose]: remove };
}

/** The folder of a gateway that already knows the clinic's own services. */
export function rememberedClinic(): PublicationsFolder {
  const folder = emptyFolder();
  for (const [name, table] of Object.entries(tables))
    writeFileSync(
      path.join(folder.path, `${name}.json`),
      JSON.stringify(publicationOf(name, 'an earlier version', Object.entries(table))),
    );
  return folder;
}
