import type { ServerResponse } from 'node:http';
import type { Registry } from '@clinic/contracts/remotes';
import { cookieNames } from '@clinic/service-kit/session-token';
import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import { sendText, sendUnknown, unknownStatus } from '../server/answers.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import type { RemoteRegistry, Variant } from '../registry/registry.ts';
import type { Services } from '../services/services.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Address } from '../registry/address-book.ts';
import { HtmlPages } from './html-pages.ts';
import { hasSecret, ShellPage } from './shell-page.ts';

/** What the site is made of. */
export interface SiteParts {
  readonly registry: RemoteRegistry;
  readonly services: Services;
  /** Which releases of shell and remotes visitors get. */
  readonly deployments: Deployments;
}

/** The web application's pages: the shell's page, and what the remotes publish. */
export class Site {
  readonly #context: Context;
  readonly #parts: SiteParts;
  readonly #shellPage: ShellPage;
  readonly #htmlPages: HtmlPages;

  constructor(context: Context, parts: SiteParts) {
    this.#context = context;
    this.#parts = parts;
    this.#shellPage = new ShellPage(context.settings, parts.deployments.shell);
    this.#htmlPages = new HtmlPages(context, parts.deployments.remotes, parts.services);
  }

  /** The registry as a visitor's pages read it, with the version of the shell. */
  publishedFor(req: GatewayRequest): Registry {
    const [shell] = this.#parts.deployments.shell.versions;
    return { ...this.#variantFor(req).registry, shell: shell || undefined };
  }

  /** Answers with the registry of the page at a path, as its scripts need it. */
  answerRegistry(req: Request, res: Response, path: string): void {
    const variant = this.#variantFor(req);
    this.#shellPage.sendRegistry(req, res, variant.addresses.find(path), variant);
  }

  /** Answers with a page, a redirect, or 404. */
  readonly answer = async (req: Request, res: Response): Promise<void> => {
    const variant = this.#variantFor(req, res);
    const address = variant.addresses.find(req.pathname);
    if (address.kind === 'redirect') {
      const query = (req.url ?? '').slice(req.pathname.length);
      res.writeHead(302, { Location: address.to + query, 'Cache-Control': 'no-cache' }).end();
      return;
    }
    if (address.kind === 'unknown' && !req.accepts('html')) return sendUnknown(req, res);
    if (this.#parts.deployments.shell.page === undefined)
      return sendText(req, res, 503, 'The clinic is starting. Try again in a moment.');
    const byCookie = this.#mayBeHtml(address, req);
    const isRead = byCookie && address.kind === 'page' && !hasSession.test(req.headers.cookie ?? '');
    const html = isRead ? await this.#htmlPages.find(address.remote, address.page.path, req.url ?? '') : undefined;
    this.#shellPage.send(req, res, { address, variant, status: this.#statusOf(address, req), html, byCookie });
  };

  /** Whether visitors without a session get the page as HTML. */
  #mayBeHtml(address: Address, req: GatewayRequest): boolean {
    return (
      address.kind === 'page' &&
      address.page.access === 'everyone' &&
      // A developer's local build would be read as the deployed one, and its banner come with the first use only.
      !this.#context.settings.REMOTE_OVERRIDES &&
      address.remote.html?.[address.page.path] !== undefined &&
      !hasSecret(address, req.url) &&
      this.#shellPage.takesHtml
    );
  }

  /** @param res - set for a page, see {@link Deployments.of} */
  #variantFor(req: GatewayRequest, res?: ServerResponse): Variant {
    const { registry, deployments } = this.#parts;
    return registry.variant(deployments.of(req, res).map(({ remote }) => remote));
  }

  #statusOf(address: Address, req: GatewayRequest): number {
    const { registry, services } = this.#parts;
    // A developer's local build may have pages that the deployed one lacks.
    if (address.kind !== 'unknown' || this.#context.settings.REMOTE_OVERRIDES) return 200;
    // It may belong to a remote or a service that hasn't responded yet.
    return registry.current.away.length > 0 || services.mayOwn(req.segment) ? 503 : unknownStatus(req);
  }
}

/** Any cookie of a session, also of one that has ended: the shell finds out. */
const hasSession = new RegExp(`(?:^|[; ])(?:__Host-)?(?:${Object.values(cookieNames).join('|')})=`);
