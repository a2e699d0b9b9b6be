import { pagesOf, parts, type Part } from './experiments.ts';

/** What a part is like now. */
export interface PartState {
  /** The last experiment with it; none if it is as deployed. */
  readonly title?: string | undefined;
  /** What to watch for in the clinic. */
  readonly watch?: string | undefined;
  /** What came of it. */
  readonly result?: string | undefined;
  /** What visitors get of a remote. */
  readonly release?: string | undefined;
}

/** What the page shows. */
export interface LabState {
  /** Address of the clinic that is experimented with. */
  readonly clinic: string;
  /** Why the last experiment wasn't made. */
  readonly problem: string | undefined;
  /** Lines of the gateway's log, newest first. */
  readonly log: readonly string[];
  readonly parts: ReadonlyMap<Part, PartState>;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function card(part: Part, { title, watch = '', result, release }: PartState, clinic: string): string {
  const buttons = parts[part].map(
    (one) =>
      `<button class="btn btn-sm ${['mend', 'start'].includes(one.id) ? 'btn-primary' : 'btn-soft btn-primary'}" formaction="/do/${part}/${one.id}" title="${escape(one.watch)}">${one.title}</button>`,
  );
  const last = title === undefined ? 'As deployed.' : `<strong>${escape(title)}.</strong> ${escape(watch)}`;
  return `<section class="ui-card lab-part grid gap-3" aria-labelledby="${part}">
  <h2 id="${part}" class="text-heading font-semibold">${part}</h2>
  <div class="grid gap-3" data-now="${part}">
    <p>${last}${result === undefined ? '' : ` <strong>${escape(result)}</strong>`}</p>
    ${release === undefined ? '' : `<p class="text-sm text-muted">${escape(release)}</p>`}
  </div>
  <form method="post" class="flex flex-wrap gap-3">${buttons.join('')}</form>
  <p><a class="underline underline-offset-4" target="_blank" rel="noopener" href="${clinic}${pagesOf[part]}">Open a page of it</a></p>
</section>`;
}

/** Replaces what has changed once a second, and leaves the buttons alone; a pressed one says that it is being done. */
const script = `
for (const form of document.forms) form.addEventListener('submit', ({ submitter }) => {
  submitter.setAttribute('aria-busy', 'true');
  submitter.textContent += ' …';
  setTimeout(() => { for (const button of document.querySelectorAll('button')) button.disabled = true; });
});
setInterval(async () => {
  const answer = await fetch('/').catch(() => undefined);
  if (!answer?.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const now of document.querySelectorAll('[data-now]')) {
    const then = next.querySelector('[data-now="' + now.dataset.now + '"]');
    if (then && then.innerHTML !== now.innerHTML) now.innerHTML = then.innerHTML;
  }
}, 1000);
`;

/** The lab's page. */
export function labPage({ clinic, problem, log, parts: states }: LabState): string {
  const cards = [...states].map(([part, state]) => card(part, state, clinic));
  const lines = log.map((line) => `<li class="wrap-anywhere">${escape(line)}</li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Failure lab</title>
<link rel="stylesheet" href="/style.css">
<style>main{max-width:72rem}main>*+*{margin-top:1.5rem}.lab-part{align-content:start}.lab-parts{grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))}.lab-log{font-family:ui-monospace,monospace;min-height:6em}</style>
</head>
<body>
<main class="mx-auto px-4 py-8">
<header class="ui-page-header">
  <div>
    <h1 class="ui-page-title">Failure lab</h1>
    <p class="ui-page-description">Break a part of the clinic on purpose, and watch what its visitors see. Open the clinic beside this page, then press a button.</p>
  </div>
  <div class="ui-page-actions"><a class="btn btn-primary" target="_blank" rel="noopener" href="${clinic}">Open the clinic</a></div>
</header>
${problem === undefined ? '' : `<p role="alert" class="ui-card"><strong>Not done.</strong> ${escape(problem)}</p>`}
<section class="ui-card grid gap-3" aria-labelledby="log">
  <h2 id="log" class="text-heading font-semibold">What the gateway logs</h2>
  <ol class="lab-log text-sm" data-now="log">${lines.join('\n')}</ol>
</section>
<div class="grid gap-6 lab-parts">
${cards.join('\n')}
</div>
</main>
<script>${script}</script>
</body>
</html>
`;
}
