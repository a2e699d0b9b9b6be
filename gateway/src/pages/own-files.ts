import { personalDataPath } from '@clinic/contracts/personal-data-calls';
import { deployedPath } from '@clinic/contracts/uses';
import { Router } from 'express';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { setCommonHeaders } from '../proxy/headers.ts';
import { deployedOf, personalDataOf } from '../registry/deployed.ts';
import type { LiveRegistry } from '../registry/registry.ts';
import type { Services } from '../registry/services.ts';
import { robotsOf, sitemapOf } from './page-head.ts';
import type { Site } from './site.ts';

/** Small files that the gateway generates from what remotes and services publish; Express answers 304 if the ETag matches. */
export function ownFiles(site: Site, registry: LiveRegistry, services: Services, publicUrl: string): Router {
  const files = Router({ caseSensitive: true, strict: true });
  const add = (path: string, type: string, content: (req: GatewayRequest) => string): void =>
    void files.get(path, (req, res) => {
      setCommonHeaders(res, req);
      res.set('Cache-Control', 'no-cache').type(type).send(content(req));
    });
  files.get('/registry.json', (req, res, next) => {
    const page = new URL(req.url ?? '', publicUrl).searchParams.get('page');
    if (page === null) next();
    else site.answerRegistry(req, res, page);
  });
  add('/registry.json', 'application/json', (req) => JSON.stringify(site.publishedFor(req)));
  add(personalDataPath, 'application/json', () => JSON.stringify(personalDataOf(services)));
  add(deployedPath, 'application/json', () => JSON.stringify(deployedOf(services)));
  add('/sitemap.xml', 'application/xml', () => sitemapOf(registry.current, publicUrl));
  add('/robots.txt', 'text/plain', () => robotsOf(publicUrl));
  return files;
}
