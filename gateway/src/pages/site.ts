import type { ServerResponse } from 'node:http';
import { galleryPage, shellPages } from '@clinic/contracts/pages';
import type { Registry } from '@clinic/contracts/remotes';
import { cookieNames } from '@clinic/service-kit/session-token';
import type { Logger } from 'pino';
import { sendText, sendUnknown, unknownStatus } from '../server/answers.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { setCommonHeaders } from '../proxy/headers.ts';
import { pagePolicies, type PagePolicies } from './page-policy.ts';
import { LiveRegistry, type Variant } from '../registry/registry.ts';
import type { SegmentClaims } from '../registry/segment-claims.ts';
import type { Upstreams } from '../proxy/upstreams.ts';
import type { GatewaySettings } from '../settings.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { LiveCanary } from '../deployments/front-end.ts';
import type { Address } from './address-book.ts';
import { HtmlPages, type PageHtml } from './html-pages.ts';
import { hasSecret, ShellPage, type PageConfig } from './shell-page.ts';

export interface SiteOptions {
  readonly settings: GatewaySettings;
  readonly claims: SegmentClaims;
  /** Where pages come from that are shown as HTML, and their data. */
  readonly upstreams: Pick<Upstreams, 'remotes' | 'services'>;
  readonly htmlWithinMs: number | undefined;
  /** Which releases of shell and remotes visitors get. */
  readonly deployments: Deployments;
  readonly log: Logger;
  /** Whether an address that nobody owns may belong to a service that hasn't published yet. */
  readonly mayBeService: (segment: string) => boolean;
  /** Called after pages have come or gone, or segments have changed owners. */
  readonly onChange: () => void;
}

/** The web application's pages: the shell's page, and what the remotes publish. */
export class Site {
  readonly #shellPage: ShellPage;
  readonly #htmlPages: HtmlPages;
  readonly #mayBeService: SiteOptions['mayBeService'];
  readonly #registry: LiveRegistry;
  /** The shell's own pages. */
  readonly #ownPages: readonly string[];
  readonly #deployments: Deployments;
  readonly #hasLocalBuilds: boolean;

  constructor({ settings, claims, upstreams, htmlWithinMs, deployments, log, mayBeService, onChange }: SiteOptions) {
    this.#mayBeService = mayBeService;
    this.#ownPages = settings.NODE_ENV === 'production' ? shellPages : [...shellPages, galleryPage];
    this.#hasLocalBuilds = settings.REMOTE_OVERRIDES;
    this.#deployments = deployments;
    const { shell, remotes } = deployments;
    const config = pageConfigOf(settings);
    this.#shellPage = new ShellPage(config, policiesOf(settings), settings.PUBLIC_URL, () => shell.page);
    this.#htmlPages = new HtmlPages({
      ...upstreams,
      publicUrl: settings.PUBLIC_URL,
      config: JSON.stringify(config),
      withinMs: htmlWithinMs,
      log,
    });
    this.#registry = new LiveRegistry({
      remotes,
      shellPages: this.#ownPages,
      claims,
      demo: settings.DEMO_MODE,
      log,
      onChange: () => {
        this.#shellPage.forget();
        onChange();
      },
    });
  }

  get registry(): Registry {
    return this.#registry.current;
  }

  /** The registry as a visitor's pages read it, with the version of the shell. */
  publishedFor(req: GatewayRequest): Registry {
    const [shell] = this.#deployments.shell.versions;
    return { ...this.#variantOf(this.#deployments.of(req)).registry, shell: shell || undefined };
  }

  /** Answers with the registry of the page at a path, as its scripts need it. */
  answerRegistry(req: GatewayRequest, res: ServerResponse, path: string): void {
    const variant = this.#variantOf(this.#deployments.of(req));
    const shared = this.#deployments.live.length === 0;
    this.#shellPage.sendRegistry(req, res, { address: variant.addresses.find(path), variant, shared });
  }

  /** Whether the shell has been read. */
  get ready(): boolean {
    return this.#deployments.shell.page !== undefined;
  }

  /** The route paths of all pages and redirects. */
  get paths(): string[] {
    return [
      ...this.#ownPages,
      ...[...this.registry.remotes, ...this.#deployments.live.map(({ remote }) => remote)].flatMap(
        ({ pages, redirects }) => [...pages.map(({ path }) => path), ...redirects.map(({ from }) => from)],
      ),
    ];
  }

  /** The route path of the page at a path, e.g. `/appoinment/:_id`; `undefined` if there is none. */
  pageAt(path: string): string | undefined {
    const address = this.#variantOf([]).addresses.find(path);
    if (address.kind === 'page') return address.page.path;
    return address.kind === 'shell' ? address.path : undefined;
  }

  /** Call this after others have claimed or released segments. */
  share(): void {
    this.#registry.share();
  }

  /** Call this after visitors get other releases. */
  claim(): void {
    this.#registry.claim();
  }

  /** Answers with a page, a redirect, or 404. */
  readonly answer = (req: GatewayRequest, res: ServerResponse): void => {
    const variant = this.#variantOf(this.#deployments.of(req, res));
    const address = variant.addresses.find(req.pathname);
    if (address.kind === 'redirect') {
      setCommonHeaders(res, req);
      const query = (req.url ?? '').slice(req.pathname.length);
      res.writeHead(302, { Location: address.to + query, 'Cache-Control': 'no-cache' }).end();
      return;
    }
    if (address.kind === 'unknown' && !acceptsPages(req)) return sendUnknown(req, res);
    if (!this.ready) return sendText(req, res, 503, 'The clinic is starting. Try again in a moment.');
    const shared = this.#deployments.live.length === 0;
    const byCookie = this.#mayBeHtml(address, req);
    const answer = { address, variant, shared, status: this.#statusOf(address, req), byCookie };
    const send = (html?: PageHtml): void => this.#shellPage.send(req, res, { ...answer, html });
    if (!byCookie || address.kind !== 'page' || hasSession.test(req.headers.cookie ?? '')) return send();
    void this.#htmlPages.find(address.remote, address.page.path, req.url ?? '').then(send);
  };

  /** Whether visitors without a session get the page as HTML. */
  #mayBeHtml(address: Address, req: GatewayRequest): boolean {
    return (
      address.kind === 'page' &&
      address.page.access === 'everyone' &&
      // A developer's local build would be read as the deployed one, and its banner come with the first use only.
      !this.#hasLocalBuilds &&
      address.remote.html?.[address.page.path] !== undefined &&
      !hasSecret(address, req.url) &&
      this.#shellPage.takesHtml
    );
  }

  #variantOf(canaries: readonly LiveCanary[]): Variant {
    return this.#registry.variant(canaries.map(({ remote }) => remote));
  }

  #statusOf(address: Address, req: GatewayRequest): number {
    // A developer's local build may have pages that the deployed one lacks.
    if (address.kind !== 'unknown' || this.#hasLocalBuilds) return 200;
    // It may belong to a remote or a service that hasn't responded yet.
    return this.registry.away.length > 0 || this.#mayBeService(req.segment) ? 503 : unknownStatus(req);
  }
}

/** Any cookie of a session, also of one that has ended: the shell finds out. */
const hasSession = new RegExp(`(?:^|[; ])(?:__Host-)?(?:${Object.values(cookieNames).join('|')})=`);

/** Whether the emulator proves who people are. */
function hasEmulator({ DEMO_MODE, AUTH_EMULATOR_URL }: GatewaySettings): boolean {
  return DEMO_MODE && AUTH_EMULATOR_URL !== undefined;
}

function pageConfigOf(settings: GatewaySettings): PageConfig {
  return {
    demoMode: settings.DEMO_MODE,
    emulator: hasEmulator(settings),
    firebase: {
      apiKey: settings.FIREBASE_API_KEY,
      authDomain: settings.FIREBASE_AUTH_DOMAIN,
      projectId: settings.FIREBASE_PROJECT_ID,
    },
    clinicTimeZone: settings.CLINIC_TZ,
    currency: settings.CURRENCY,
    remoteOverrides: settings.REMOTE_OVERRIDES,
    development: settings.NODE_ENV !== 'production',
  };
}

function policiesOf(settings: GatewaySettings): PagePolicies {
  const emulator = hasEmulator(settings);
  return pagePolicies({
    authDomain: emulator ? undefined : settings.FIREBASE_AUTH_DOMAIN,
    allowLocal: settings.REMOTE_OVERRIDES,
    remotes: [...settings.REMOTES.keys()],
    trustedTypes: settings.TRUSTED_TYPES ?? (emulator ? 'enforce' : 'report'),
  });
}

function acceptsPages(req: GatewayRequest): boolean {
  const { accept } = req.headers;
  return accept === undefined || accept.includes('text/html') || accept.includes('*/*');
}
