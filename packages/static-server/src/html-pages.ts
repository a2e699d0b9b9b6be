import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { compileFunction } from 'node:vm';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { versionOf, type Build } from './build-files.ts';
import type { LiveBuild } from './live-build.ts';

/** The bundle of a build that renders its pages as HTML (webpack-config, html-plugin.ts); it isn't served. */
export const htmlBundle = '/html.cjs';

/** Bytes of a visit: mostly the services' answers that the gateway passes along. */
const maxVisitBytes = 2 * 1024 * 1024;

/** Milliseconds after which a rendering counts as failed: it has nothing to wait for. */
const renderWithinMs = 3_000;

type Render = (visit: Visit) => Promise<object>;

interface Visit {
  /** Of the build that is to render it. */
  readonly version: string;
  /** The installation's configuration: bundles read it once. */
  readonly config: string;
}

/**
 * Renders pages of the builds that a server holds, for gateways. Files wait meanwhile: the longest page, 24 doctors, takes 5 ms of
 * the processor, and 50 the first time; gateways ask for it every four seconds at most.
 */
export class HtmlPages {
  readonly #build: LiveBuild;
  readonly #onError: (error: unknown) => void;
  /** Running bundles by build, with the configuration that they have read. */
  readonly #running = new WeakMap<Build, { readonly config: string; readonly render: Render }>();

  /** @param onError - called with what a page throws */
  constructor(build: LiveBuild, onError: (error: unknown) => void) {
    this.#build = build;
    this.#onError = onError;
  }

  /** Answers a gateway's request for a page: 404 without that build or its HTML, 500 if the page can't be rendered. */
  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const text = await readText(req);
    if (text === undefined) return end(res, 413, '');
    try {
      const visit = visitOf(text);
      if (!visit) return end(res, 400, '');
      const render = this.#renderOf(visit);
      if (!render) return end(res, 404, '');
      const rendered = await Promise.race([render(visit), delay(renderWithinMs, undefined, { ref: false })]);
      if (rendered === undefined) throw new Error(`not rendered within ${renderWithinMs} ms`);
      end(res, 200, JSON.stringify(rendered));
    } catch (error) {
      this.#onError(error);
      end(res, 500, '');
    }
  }

  #renderOf({ version, config }: Visit): Render | undefined {
    const build = this.#build.builds.find((one) => versionOf(one) === version);
    const code = build?.get(htmlBundle)?.representations.identity?.body.toString();
    if (!build || code === undefined) return undefined;
    const running = this.#running.get(build);
    if (running?.config === config) return running.render;
    const render = run(code);
    this.#running.set(build, { config, render });
    return render;
  }
}

function run(code: string): Render {
  const module = { exports: {} as { readonly render: Render } };
  const bundle = compileFunction(code, ['module', 'exports', 'require'], { filename: 'html.cjs' }) as (
    ...given: unknown[]
  ) => void;
  bundle(module, module.exports, createRequire(import.meta.url));
  return module.exports.render;
}

function visitOf(text: string): Visit | undefined {
  const visit: unknown = JSON.parse(text);
  if (typeof visit !== 'object' || visit === null) return undefined;
  const { version, config } = visit as Partial<Record<keyof Visit, unknown>>;
  return typeof version === 'string' && typeof config === 'string' ? { ...visit, version, config } : undefined;
}

async function readText(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxVisitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function end(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(text);
}
