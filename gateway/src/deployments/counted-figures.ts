import type { ReportedFigures } from '@clinic/service-kit/deployments/gateway-report';

/** Most releases of a front-end counted in a day. Reports can only name versions that visitors get, so there are few. */
const mostCounted = 60;

/** What a page reports about a release. */
export type Reported = 'visit' | 'error';

type Counted = { -readonly [Field in keyof ReportedFigures]: ReportedFigures[Field] };

/** What visitors' pages report about a front-end's releases, counted by this process until it has been reported. */
export class CountedFigures {
  readonly #counted = new Map<string, Counted>();
  readonly #unreported = new Set<string>();

  /** @param canary - the canary's number if it is one, otherwise 0 */
  count(version: string, canary: number, what: Reported): void {
    const figures = this.#of(version, canary);
    if (!figures) return;
    if (what === 'visit') figures.visits += 1;
    else figures.errors += 1;
  }

  /** Takes what has changed since the last report. @returns call it if the report has failed */
  take(): { readonly figures: readonly ReportedFigures[]; readonly failed: () => void } {
    const keys = [...this.#unreported];
    this.#unreported.clear();
    const figures = keys.flatMap((key) => {
      const counted = this.#counted.get(key);
      return counted ? [{ ...counted }] : [];
    });
    return { figures, failed: () => keys.forEach((key) => this.#unreported.add(key)) };
  }

  #of(version: string, canary: number): Counted | undefined {
    const day = new Date().toISOString().slice(0, 10);
    const key = `${day} ${version} ${canary}`;
    let figures = this.#counted.get(key);
    if (!figures) {
      for (const [old, { day: before }] of this.#counted)
        if (before !== day && !this.#unreported.has(old)) this.#counted.delete(old);
      if (this.#counted.size >= mostCounted) return undefined;
      figures = { version, canary, day, visits: 0, errors: 0 };
      this.#counted.set(key, figures);
    }
    this.#unreported.add(key);
    return figures;
  }
}
