// What pages find in the place of a browser while a remote's server renders them. The build puts these names in the place of
// the globals (webpack-config, html-bundle.ts); `window` stays undefined, by which libraries know that there is no browser.

/** A response to one of a page's calls, as the gateway got it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Visit {
  /** Path and query of the page. */
  readonly url: string;
  /** Public scheme and host of the clinic. */
  readonly origin: string;
  /** The installation's configuration (`AppConfig`), in JSON. */
  readonly config: string;
  /** What is known of the page's calls, by address. */
  readonly answers: Readonly<Record<string, Answer>>;
}

let visit: Visit = { url: '/', origin: 'http://localhost', config: '', answers: {} };
const needed = new Set<string>();

/** Renderings follow each other, so there is one visit at a time. */
export function beginVisit(next: Visit): void {
  visit = next;
  needed.clear();
}

/** Addresses of calls that the visit has no answers to. */
export const neededAnswers = (): string[] => [...needed];

function here(): URL {
  return new URL(visit.url, visit.origin);
}

export const location = {
  get origin() {
    return here().origin;
  },
  get href() {
    return here().href;
  },
  get pathname() {
    return here().pathname;
  },
  get search() {
    return here().search;
  },
};

export const document = {
  cookie: '',
  hidden: false,
  getElementById: (id: string) => (id === 'config' && visit.config !== '' ? { textContent: visit.config } : null),
  addEventListener: () => undefined,
};

export const addEventListener = (): void => undefined;

/** Nobody has kept anything. */
export const localStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

export async function fetch(address: string): Promise<Response> {
  const answer = visit.answers[address];
  if (answer) return new Response(answer.body, { status: answer.status, headers: answer.headers });
  needed.add(address);
  throw new TypeError(`${address} is needed`);
}
