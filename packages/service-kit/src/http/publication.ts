import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { publicationOf, publicationPath } from '@clinic/contracts/publication';
import type { CallTable } from '@clinic/contracts/calls';
import { Router } from 'express';
import type { BaseSettings } from '../settings/settings.ts';

/**
 * Publishes the service's calls for gateways, which build their routing from them: a new call or service needs no
 * change elsewhere.
 *
 * The version defaults to the program's package version.
 */
export function publicationRoute(
  name: string,
  calls: CallTable,
  { SERVICE_VERSION: version = versionOfProgram(), COMMIT: commit }: Pick<BaseSettings, 'SERVICE_VERSION' | 'COMMIT'>,
): Router {
  const publication = {
    ...publicationOf(name, version, Object.entries(calls)),
    ...(commit !== undefined && { commit }),
  };
  return Router().get(publicationPath, (_request, response) => {
    response.set('Cache-Control', 'no-store').json(publication);
  });
}

/** Version of the package that the running program belongs to. */
function versionOfProgram(): string {
  for (let folder = path.dirname(process.argv[1] ?? process.cwd()); ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (existsSync(file)) {
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: string };
      if (version !== undefined) return version;
    }
    if (folder === path.dirname(folder)) return '0.0.0';
  }
}
