import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { publicationOf, publicationPath } from '@clinic/contracts/publication';
import type { CallTable } from '@clinic/contracts/calls';
import { Router } from 'express';

/**
 * Publishes what the service answers, for gateways: they compose their routing from it, so that a new call or a new
 * service changes nothing else.
 *
 * @param version - of this deployment; the program's package tells when it is left out
 */
export function publicationRoute(name: string, calls: CallTable, version = versionOfProgram()): Router {
  const publication = publicationOf(name, version, Object.entries(calls));
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
