import type { Request, RequestHandler, Response } from 'express';
import { sendUnknown } from '../server/answers.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { onlyReading } from '../server/request-rules.ts';
import type { HashedFiles } from './hashed-files.ts';
import type { Upstream } from '../proxy/upstream.ts';

/**
 * Forwards requests for the files of a front-end.
 *
 * @param path - of the file; default: the address below the front-end's folder
 */
export function filesOf(files: HashedFiles, upstream: Upstream, path?: string): RequestHandler {
  return (req, res) => sendFile(files, upstream, req, res, path ?? withoutQuery(req.url));
}

/** Forwards requests for the remotes' files: `/<name>/…`, below their common folder. */
export function filesOfRemotes(files: HashedFiles, remotes: Deployments['remotes']): RequestHandler {
  return (req, res) => {
    const path = withoutQuery(req.url);
    const [, name = ''] = path.split('/', 2);
    const upstream = remotes.get(name)?.upstream;
    if (upstream) sendFile(files, upstream, req, res, path.slice(1 + name.length) || '/');
    else sendUnknown(req, res);
  };
}

function sendFile(files: HashedFiles, upstream: Upstream, req: Request, res: Response, path: string): void {
  req.target = upstream.name;
  onlyReading(req, res, () => {
    req.url = path;
    files.send(upstream, req, res);
  });
}

/** No file depends on the query, and it may reveal something about the visitor. */
function withoutQuery(url = ''): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
