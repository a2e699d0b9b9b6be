import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PageFact } from '@clinic/contracts/pages';
import type { RegisteredRemote } from '@clinic/contracts/remotes';
import { releasesHeader } from '@clinic/service-kit/deployments/gateway-report';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Upstream } from '../proxy/upstream.ts';
import { pageFact } from '@clinic/contracts/schemas/remote-descriptor';
import type { Services } from '../services/services.ts';
import type { ReplicaResponse } from '../replicas/replica.ts';
import { Troubles } from '../troubles.ts';
import { pageConfigOf } from './page-config.ts';

/** A public page as its remote renders it: HTML without scripts. */
export interface PageHtml {
  readonly html: string;
  /** What its data is about, for search engines. */
  readonly facts: readonly PageFact[];
  /** Addresses of the calls whose answers it has. */
  readonly calls: readonly string[];
}

/** Milliseconds for which a rendered page is given to visitors. With the time until it is there, its lists are at most 5 s old. */
const freshMs = 4_000;

/** Milliseconds until each part must be there, for the next visitor. */
const partWithinMs = 1_000;

/** Pages in memory, 350 kB each with their compressed forms, and being rendered: searches mustn't fill a gateway. */
const mostPages = 64;
const mostRendering = 16;

/** Rounds of calls that a page may ask for. */
const mostRounds = 3;

/** Characters of a page: more than four times the longest. */
const maxHtmlLength = 512 * 1024;

/** Longest address for which a page is rendered, with its query. */
const maxUrlLength = 1_000;

/** What runs, or loads something that isn't the page's own: elements and attributes, and addresses in attributes. */
const active =
  /<\/?(?:script|style|link|meta|base|iframe|frame|object|embed|template|noscript)\b|\s(?:on\w+|style|srcdoc)=/i;
const activeAddress = /\s(?:href|xlink:href|action|formaction)="\s*javascript:/i;

/** What of a page isn't inert. People's own words aren't looked at: in texts and values, brackets and quotes are escaped. */
function activeIn(html: string): string | undefined {
  const bare = html.replaceAll(/="[^"]*"/g, '=').replaceAll(/>[^<]*/g, '>');
  return (active.exec(bare) ?? activeAddress.exec(html))?.[0];
}

/** Whether the path is what it says: not one that `..` leads to another, such as a service's own addresses. */
function isPlain(address: string): boolean {
  return new URL(address, 'http://gateway').pathname === /^[^?#]*/.exec(address)?.[0];
}

const rendered = z.union([
  z.object({
    needs: z
      .array(
        z
          .string()
          .regex(/^\/[^/\\]/)
          .refine(isPlain)
          .max(2_000),
      )
      .min(1)
      .max(20),
  }),
  z.object({ html: z.string(), facts: z.array(pageFact).max(200) }),
]);

/** What pages read of an answer besides its body. */
const passedHeaders = new Set(['content-type', 'link', 'x-total-count', 'x-total-count-relation']);

/** Public pages as HTML, which their remotes have built or render on request (docs/decisions/0021). */
export class HtmlPages {
  readonly #context: Context;
  readonly #remotes: Deployments['remotes'];
  readonly #services: Services;
  readonly #kept = new LRUCache<string, Promise<PageHtml | undefined>>({ max: mostPages });
  readonly #troubles: Troubles<string>;
  #rendering = 0;

  constructor(context: Context, remotes: Deployments['remotes'], services: Services) {
    this.#context = context;
    this.#remotes = remotes;
    this.#services = services;
    this.#troubles = new Troubles(context.log, 'page without HTML');
  }

  /**
   * A page as HTML.
   *
   * @param page - its route path
   * @param url - the requested path and query
   * @returns `undefined` if the remote has none, or none in time
   */
  async find(remote: RegisteredRemote, page: string, url: string): Promise<PageHtml | undefined> {
    const how = remote.html?.[page];
    if (how === undefined || url.length > maxUrlLength) return undefined;
    const key = `${remote.name} ${remote.version} ${how === 'rendered' ? url : page}`;
    const kept = this.#kept.get(key);
    if (kept) return this.#inTime(kept);
    if (this.#rendering >= mostRendering) return undefined;
    this.#rendering += 1;
    const found = this.#make(remote, page, url).finally(() => (this.#rendering -= 1));
    this.#kept.set(key, found, { ttl: freshMs });
    // A built page never changes.
    if (how !== 'rendered')
      void found.then((made) => made && this.#kept.peek(key) === found && this.#kept.set(key, found, { ttl: 0 }));
    return this.#inTime(found);
  }

  #inTime(page: Promise<PageHtml | undefined>): Promise<PageHtml | undefined> {
    return Promise.race([page, delay(this.#context.htmlWithinMs, undefined, { ref: false })]);
  }

  /** Never fails: without HTML, visitors get the page that scripts draw. */
  async #make(remote: RegisteredRemote, page: string, url: string): Promise<PageHtml | undefined> {
    const { name, version } = remote;
    try {
      const how = remote.html?.[page];
      const made = typeof how === 'object' ? await this.#read(name, how) : await this.#render(remote, page, url);
      if (made.html.length > maxHtmlLength) throw new Error('the HTML is too long');
      const found = activeIn(made.html);
      if (found !== undefined) throw new Error(`the HTML has ${found}`);
      this.#troubles.end(`${name} ${page}`);
      return made;
    } catch (error) {
      this.#troubles.begin(`${name} ${page}`, (error as Error).message, { remote: name, version, page });
      return undefined;
    }
  }

  /** The file of a page that is always the same. */
  async #read(name: string, { file, integrity }: { readonly file: string; readonly integrity: string }) {
    const upstream = this.#remotes.get(name)?.upstream;
    const { text } = await this.#ask(upstream, `/${file}`);
    const [algorithm = '', digest] = integrity.split(/-(.*)/s);
    if (createHash(algorithm).update(text).digest('base64') !== digest) throw new Error(`${file} was altered`);
    return { html: text, facts: [], calls: [] };
  }

  /** Renders a page, for which its remote's server asks for the answers of public calls. */
  async #render({ name, version }: RegisteredRemote, page: string, url: string): Promise<PageHtml> {
    const { settings } = this.#context;
    const config = JSON.stringify(pageConfigOf(settings));
    const answers: Record<string, object> = {};
    for (let round = 0; round <= mostRounds; round += 1) {
      const visit = JSON.stringify({ version, page, url, origin: settings.PUBLIC_URL, config, answers });
      const { text } = await this.#ask(this.#remotes.get(name)?.upstream, '/html', visit);
      const made = rendered.parse(JSON.parse(text));
      if ('html' in made) return { ...made, calls: Object.keys(answers) };
      await Promise.all(
        made.needs.map(async (address) => {
          answers[address] = await this.#call(address);
        }),
      );
    }
    throw new Error('it asks for data without end');
  }

  /** A call as somebody without a session makes it, so that nothing private comes into a page. */
  async #call(address: string): Promise<object> {
    const service = this.#services.find(/^\/([^/?]*)/.exec(address)?.[1] ?? '');
    const { status, text, headers } = await this.#ask(service?.upstream, address);
    const passed = Object.entries(headers).filter(([name]) => passedHeaders.has(name));
    return { status, headers: Object.fromEntries(passed), body: text };
  }

  async #ask(upstream: Upstream | undefined, path: string, body?: string): Promise<ReplicaResponse> {
    const [shown] = path.split('?');
    if (!upstream) throw new Error(`nobody has ${shown}`);
    const headers = {
      accept: 'application/json, text/html',
      ...(body !== undefined && { [releasesHeader]: 'read', 'content-type': 'application/json' }),
    };
    const withinMs = Math.max(partWithinMs, this.#context.htmlWithinMs);
    return await upstream.ask({ path, headers, withinMs, body }, (answer) => {
      if (answer.status !== 200) throw new Error(`${shown}: status ${answer.status}`);
      return answer;
    });
  }
}
