import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import type { Request, Response } from 'express';
import type { FrontEnd } from '../deployments/front-end.ts';
import { bestEncoding } from '../server/best-encoding.ts';
import type { Address } from '../registry/address-book.ts';
import type { Variant } from '../registry/registry.ts';
import type { GatewaySettings } from '../settings.ts';
import { pageConfigOf } from './page-config.ts';
import { pagePolicies } from './page-policy.ts';
import type { PageHtml } from './html-pages.ts';
import { dataBlock, describePage } from './page-head.ts';
import { pageAsHtml, takesHtml, withoutHtmlParts } from './page-frame.ts';
import { firstFilesOf, lateFilesOf, registryFor } from './page-registry.ts';

interface PageAnswer {
  /** The requested one; an unknown one gets the same page with another status. */
  readonly address: Address;
  readonly variant: Variant;
  readonly status: number;
  /** What the visitor sees before any script runs; `undefined`: nothing. */
  readonly html: PageHtml | undefined;
  /** Whether others get the page as HTML, or without it, because of their cookies. */
  readonly byCookie: boolean;
}

/** A page as it is sent, in all encodings. */
interface Rendered {
  readonly etag: string;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

/** What has been rendered of a variant: by route path, and each page as HTML for as long as that is kept. */
interface Kept {
  readonly pages: Map<string, Rendered>;
  readonly asHtml: WeakMap<PageHtml, Rendered>;
}

/** Parameters of an address that let whoever has them act: of an invitation's link, and of Firebase's. */
const secretParameter = /[?&](?:invitation|oobCode)=/i;

const secretPage = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** Whether an address lets whoever has it act. */
export const hasSecret = (address: Address, url = ''): boolean => Object.keys(headersOfSecret(address, url)).length > 0;

/**
 * Headers of pages whose address lets whoever has it act: links of messages, of invitations and of account mails. Browsers
 * don't pass it on, and nobody keeps it. Pages that sign in still say from which site, which Firebase's API key may need.
 */
function headersOfSecret(address: Address, url = ''): Readonly<Record<string, string>> {
  if (address.kind === 'page' && /:(?:token|secret)\b/.test(address.page.path))
    return { ...secretPage, 'Referrer-Policy': 'no-referrer' };
  return secretParameter.test(url) ? { ...secretPage, 'Referrer-Policy': 'strict-origin' } : {};
}

/** The shell's page, rendered per address and variant, and kept in memory, compressed. */
export class ShellPage {
  readonly #settings: GatewaySettings;
  readonly #policies: Readonly<Record<string, string>>;
  /** Its page is the build that visitors get. */
  readonly #shell: Pick<FrontEnd, 'page'>;
  /** Variants are replaced when the shell or the registry changes. */
  readonly #kept = new WeakMap<Variant, Kept>();

  constructor(settings: GatewaySettings, shell: Pick<FrontEnd, 'page'>) {
    this.#settings = settings;
    this.#policies = pagePolicies(settings);
    this.#shell = shell;
  }

  /** Whether the shell can show pages as HTML. */
  get takesHtml(): boolean {
    return takesHtml(this.#shell.page ?? '');
  }

  send(req: Request, res: Response, { address, variant, status, html, byCookie }: PageAnswer): void {
    const path = address.kind === 'page' ? address.page.path : address.kind === 'shell' ? address.path : '';
    const compose = (): string => this.#compose(address, variant.registry, html);
    const { pages, asHtml } = this.#keptOf(variant);
    const rendered = html ? render(asHtml, html, compose) : render(pages, path, compose);
    respond(req, res, status, rendered, {
      ...this.#policies,
      'Content-Type': 'text/html; charset=utf-8',
      ...cachedFor(variant, byCookie),
      ...headersOfSecret(address, req.url),
    });
  }

  /** Answers with the registry of a page that came without it, as HTML. */
  sendRegistry(req: Request, res: Response, address: Address, variant: Variant): void {
    const key = `registry of ${address.kind === 'page' ? address.page.path : ''}`;
    const rendered = render(this.#keptOf(variant).pages, key, () =>
      JSON.stringify(registryFor(variant.registry, address, this.#shell.page ?? '')),
    );
    respond(req, res, 200, rendered, { 'Content-Type': 'application/json; charset=utf-8', ...cachedFor(variant) });
  }

  #keptOf(variant: Variant): Kept {
    const kept = this.#kept.get(variant) ?? { pages: new Map(), asHtml: new WeakMap() };
    this.#kept.set(variant, kept);
    return kept;
  }

  #compose(address: Address, registry: Registry, html: PageHtml | undefined): string {
    const shell = this.#shell.page;
    if (shell === undefined) throw new Error('the shell has not been read yet');
    const use = address.kind === 'page' ? 'remotes' : address.kind === 'shell' ? address.path : '';
    const libraries = address.kind === 'page' ? (address.remote.pageLibraries?.[address.page.path] ?? []) : [];
    const template = shell.replaceAll(/ *<link [^>]*data-for="([^"]*)"[^>]*>\n/g, (link, needed: string) =>
      needed === use || libraries.includes(needed) || (html && needed === 'html') ? link : '',
    );
    const head = [
      // A local build may stand in for the remote, which the gateway doesn't know.
      ...(address.kind === 'page' && !this.#settings.REMOTE_OVERRIDES
        ? preloadsOf(address.remote, address.page.path, html !== undefined)
        : []),
      ...(html ? [] : [dataBlock('registry', registryFor(registry, address, template))]),
      dataBlock('config', pageConfigOf(this.#settings)),
    ].join('\n    ');
    const page = describePage(template, address, this.#settings.PUBLIC_URL, html?.facts).replace(
      '</head>',
      () => `  ${head}\n  </head>`,
    );
    return html && address.kind === 'page'
      ? pageAsHtml(page, { ...address, registry, ...html })
      : withoutHtmlParts(page);
  }
}

/** What is kept, or what is composed now. */
function render<Key>(
  kept: { get(key: Key): Rendered | undefined; set(key: Key, rendered: Rendered): unknown },
  key: Key,
  compose: () => string,
): Rendered {
  const known = kept.get(key);
  if (known) return known;
  const identity = Buffer.from(compose());
  const rendered: Rendered = {
    // Weak, because it covers all three encodings.
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    identity,
    gzip: gzipSync(identity),
    br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  };
  kept.set(key, rendered);
  return rendered;
}

/** With these links a first visit takes two round trips instead of five: the page, then all its files at once. */
function preloadsOf(remote: RegisteredRemote, page: string, asHtml: boolean): string[] {
  const { baseUrl, integrity } = remote;
  return [...firstFilesOf(remote, page), ...(asHtml ? lateFilesOf(remote, page) : [])].map((file) => {
    // Without a matching digest, the browser would load the file again for the tag with the digest.
    const digest = integrity[file] === undefined ? '' : ` integrity="${integrity[file]}"`;
    return `<link rel="preload" href="${baseUrl}${file}" as="${file.endsWith('.css') ? 'style' : 'script'}"${digest}>`;
  });
}

/** A shared cache mustn't give one visitor's variant to another. */
function cachedFor({ sameForAll }: Variant, byCookie = false): Readonly<Record<string, string>> {
  return {
    'Cache-Control': sameForAll ? 'no-cache' : 'private, no-cache',
    Vary: sameForAll && !byCookie ? 'Accept-Encoding' : 'Accept-Encoding, Cookie',
  };
}

/** Express answers HEAD without a body, and 304 if the ETag matches. */
function respond(
  req: Request,
  res: Response,
  status: number,
  rendered: Rendered,
  headers: Readonly<Record<string, string>>,
): void {
  res.status(status).set({ ...headers, ETag: rendered.etag });
  const encoding = bestEncoding(req) ?? 'identity';
  if (encoding !== 'identity' && !req.fresh) res.set('Content-Encoding', encoding);
  res.send(rendered[encoding]);
}
