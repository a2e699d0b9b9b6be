import { personalDataPath, type PersonalDataCalls } from '@clinic/contracts/personal-data-calls';
import type { Registry } from '@clinic/contracts/remotes';
import { deployedPath, type Deployed } from '@clinic/contracts/uses';
import { serviceWindow } from '@clinic/contracts/window/services';
import { Router } from 'express';
import type { GatewayRequest } from '../server/gateway-request.ts';
import type { RemoteRegistry } from '../registry/registry.ts';
import type { OwnedCall, Services } from '../services/services.ts';
import { escapeHtml, isListed } from './page-head.ts';
import type { Site } from './site.ts';

/** Small files that the gateway generates from what remotes and services publish; Express answers 304 if the ETag matches. */
export function generatedFiles(site: Site, registry: RemoteRegistry, services: Services, publicUrl: string): Router {
  const files = Router({ caseSensitive: true, strict: true });
  const add = (path: string, type: string, content: (req: GatewayRequest) => string): void =>
    void files.get(path, (req, res) => {
      res.set('Cache-Control', 'no-cache').type(type).send(content(req));
    });
  files.get('/registry.json', (req, res, next) => {
    const { page } = req.query;
    if (typeof page === 'string') site.answerRegistry(req, res, page);
    else next();
  });
  add('/registry.json', 'application/json', (req) => JSON.stringify(site.publishedFor(req)));
  add(personalDataPath, 'application/json', () => JSON.stringify(personalDataOf(services)));
  add(deployedPath, 'application/json', () => JSON.stringify(deployedOf(services)));
  add('/sitemap.xml', 'application/xml', () => sitemapOf(registry.current, publicUrl));
  add('/robots.txt', 'text/plain', () => robotsOf(publicUrl));
  return files;
}

/** The services' calls now, for checks before a deployment. */
function deployedOf(services: Services): Deployed {
  const { calls } = services;
  return {
    contracts: serviceWindow,
    services: services.all.flatMap((service) => {
      if (!service.publication) return [];
      const { name, version, contractVersion, segments } = service.publication;
      return {
        name,
        version,
        contractVersion,
        segments: segments.filter((segment) => services.find(segment) === service),
        calls: calls
          .filter((owned) => owned.service === service)
          .map(({ call: { id, method, path } }) => ({ id, method, path })),
      };
    }),
    unknown: services.unpublished,
  };
}

/** The services' calls about a person's data, and about who looked at it. */
function personalDataOf({ calls, unpublished }: Services): PersonalDataCalls {
  const describe = ({ service, call: { id, method, path } }: OwnedCall) => ({
    service: service.name,
    id,
    method,
    path,
  });
  return {
    calls: calls.flatMap((owned) =>
      owned.call.personalData ? [{ ...describe(owned), personalData: owned.call.personalData }] : [],
    ),
    looks: calls.filter(({ call }) => call.looks).map(describe),
    unknown: unpublished,
  };
}

/** `/sitemap.xml`: the public pages (https://www.sitemaps.org/protocol.html). */
function sitemapOf({ remotes }: Registry, publicUrl: string): string {
  const pages = remotes.flatMap((remote) => remote.pages.filter(isListed));
  const urls = pages.map(({ path }) => `  <url><loc>${escapeHtml(publicUrl + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`;
}

/** `/robots.txt` (RFC 9309): search engines have no use for personal pages. */
function robotsOf(publicUrl: string): string {
  return `User-agent: *\nDisallow: /dash\nDisallow: /appoinment/\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
}
